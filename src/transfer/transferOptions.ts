/** The options that say what a transfer should be, and the intent that they make with the amount and currencies. */

import type { VenueAccount } from '../core/accounts/VenueAccount.js';
import type * as Address from '../core/base/Address.js';
import * as Amount from '../core/base/Amount.js';
import { BaseError } from '../core/base/Errors.js';
import type { Flags, Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as Currency from '../core/quote/Currency.js';
import * as Quote from '../core/quote/Quote.js';
import * as TransferIntent from '../core/quote/TransferIntent.js';
import { flagName } from '../core/text/ShellCommand.js';
import { accountAt, ownAccount } from './findVenueAccount.js';

/** Options of every intent. */
export const intentFlags = {
  recipient: { type: 'string', value: 'address', description: 'who receives (default: the sender)' },
  refundTo: { type: 'string', value: 'address', description: 'where a refund goes (default: the sender)' },
  slippage: {
    type: 'string',
    value: 'percent',
    description: 'how much less may arrive (default: the service chooses)',
  },
  exactOutput: { type: 'boolean', description: 'the amount is what must arrive, exactly' },
  expectedOutput: { type: 'boolean', description: 'the amount is what should arrive, within slippage' },
  referrer: { type: 'string', value: 'name', description: 'the referrer that the service knows you by' },
  account: { type: 'string', value: 'name', description: 'who pays: a key’s name, or dev0 to dev9 on the sandbox' },
  appFee: { type: 'strings', value: 'address:bps', description: 'a fee for an app, in basis points; may be repeated' },
  gasless: { type: 'boolean', description: 'the service submits it and pays the gas, which is in the execution fee' },
  permit: { type: 'boolean', description: 'the same by signing a permit of the token, where it has them' },
  sponsor: {
    type: 'string',
    value: 'all|components',
    description: 'the fees that the app of the API key pays: execution, swap, platform, app, rent',
  },
  maxSponsoredUsd: { type: 'string', value: 'dollars', description: 'what it pays at most; the rest is yours' },
} as const satisfies Flags;

/** What the user accepts at most. */
export const capFlags = {
  maxImpact: { type: 'string', value: 'percent', description: 'refuse to lose more in all (default: 5)' },
  maxFeeUsd: { type: 'string', value: 'dollars', description: 'refuse higher fees' },
  minOut: { type: 'string', value: 'amount', description: 'refuse a lower minimum received, in units of the output' },
  maxIn: { type: 'string', value: 'amount', description: 'refuse to pay more, in units of the input' },
  maxVenueFee: { type: 'string', value: 'dollars', description: 'refuse a higher fee of the venue (default: 10)' },
  maxAge: { type: 'string', value: 'time', description: 'refuse an older quote (default: 30s)' },
} as const satisfies Flags;

/** Where the key is, for commands that sign. */
export const keyFlags = {
  keyFile: { type: 'string', value: 'file', description: 'a file with the private key, readable by you alone' },
  passwordFile: { type: 'string', value: 'file', description: 'a file with the keystore’s password' },
} as const satisfies Flags;

/** Gas left behind by `max` of a native asset: units at the node's price, with room for the price to double. */
const reservedGas = 600_000n;

/**
 * The intent of `<amount> <from> <to>` and the options, for an account of the venue where one was chosen.
 *
 * @throws request.* · usage.* · chain.*
 */
export async function readIntent(
  [amountText, from, to]: readonly string[],
  options: Options<typeof intentFlags>,
  context: Context,
  { account }: { account?: VenueAccount | undefined } = {},
): Promise<TransferIntent.Intent> {
  if (amountText === undefined || from === undefined || to === undefined)
    throw new BaseError('usage.missing', 'A transfer needs an amount and two currencies.', {
      hint: 'ferry execute 100 alpha/usdc beta/usdc',
    });
  const { network } = context;
  const [origin, destination] = await Promise.all([
    Currency.read(Currency.parse(from, network), context.chain),
    Currency.read(Currency.parse(to, network), context.chain),
  ]);
  const { user, recipient } = await parties(origin, destination, { recipient: options.recipient, account }, context);
  const tradeType = TransferIntent.tradeType(options);
  const decimals = (tradeType === 'EXACT_INPUT' ? origin : destination).token.decimals;
  const amount = amountText === 'max' ? await maximum(origin, tradeType, context) : Amount.from(amountText, decimals);
  return TransferIntent.from(
    amount,
    origin,
    destination,
    { ...options, recipient },
    {
      network: network.name,
      user,
      slippageBps: context.config.slippageBps.value,
      referrer: network.referrer,
    },
  );
}

/** The caps of the configuration and the options. */
export function readCaps(
  { minOut, maxIn }: Pick<Options<typeof capFlags>, 'minOut' | 'maxIn'>,
  { config }: Context,
  { origin, destination }: Pick<TransferIntent.Intent, 'origin' | 'destination'>,
): TransferIntent.Caps {
  return {
    maxImpactBps: config.maxImpactBps.value,
    maxFeeUsd: config.maxFeeUsd.value,
    minOut: minOut === undefined ? undefined : Amount.from(minOut, destination.token.decimals),
    maxIn: maxIn === undefined ? undefined : Amount.from(maxIn, origin.token.decimals),
    maxVenueFee: config.maxVenueFee.value,
    maxAgeMs: config.maxAgeMs.value,
  };
}

/**
 * Asks the service for a quote.
 *
 * @throws auth.refused where a sponsor is wanted without an API key
 */
export async function askQuote(
  intent: TransferIntent.Intent,
  context: Context,
): Promise<{ quote: Quote.Quote; baseUrl: string }> {
  if (intent.sponsor !== undefined && context.network.apiKey === undefined)
    throw new TransferIntent.NoSponsorError(context.network.name);
  const service = await context.service();
  return { quote: await Quote.ask(intent, { service, clock: context.clock }), baseUrl: service.baseUrl };
}

/**
 * Who pays and who receives unless somebody is named: the sender's wallet on a chain, its account on the venue. An
 * account of the venue is looked up there, since nobody else knows whether it exists.
 *
 * @throws auth.* · venue.*
 */
async function parties(
  { chain: origin }: Currency.Currency,
  { chain: destination }: Currency.Currency,
  { recipient, account: chosen }: { recipient: string | undefined; account: VenueAccount | undefined },
  context: Context,
): Promise<{ user: string; recipient: string }> {
  const wallet = await context.sender();
  const account = async (typed?: string | undefined): Promise<string> => {
    const found = chosen ?? (await (typed === undefined ? ownAccount(context) : accountAt(typed, context)));
    return String(found.index);
  };
  return {
    user: origin.vm === 'lvm' ? await account() : wallet,
    recipient: destination.vm === 'lvm' ? await account(recipient) : (recipient ?? wallet),
  };
}

async function maximum(
  origin: Currency.Currency,
  tradeType: TransferIntent.TradeType,
  context: Context,
): Promise<bigint> {
  if (tradeType !== 'EXACT_INPUT')
    throw new BaseError('usage.invalid', 'max is an amount of the input: it cannot be combined with an output amount.');
  if (origin.chain.vm === 'lvm') throw new VenueMaximumError();
  const node = await context.chain(origin.chain);
  const balance = await node.balance(await context.sender(), origin.token.address as Address.Address);
  if (!Currency.isNative(origin)) return balance;
  const { maxFeePerGas } = await node.gasPrice();
  const reserve = 2n * reservedGas * maxFeePerGas;
  return balance > reserve ? balance - reserve : 0n;
}

export class VenueMaximumError extends BaseError {
  override name = 'VenueMaximumError';
  constructor() {
    super('usage.invalid', 'max is not known for an account of the venue before its fee is quoted.', {
      hint: 'ferry venue withdraw max reckons with the fee.',
    });
  }
}

export const batchFlags = {
  batch: {
    type: 'string',
    value: 'file',
    description: 'many at once: a transfer a line, as JSON with an id; - for stdin',
  },
  out: {
    type: 'string',
    value: 'file',
    description: 'keep the results in a ledger, a line each; one that is there is continued',
  },
  retryFailed: { type: 'boolean', description: 'do the lines again that the ledger has as failed with nothing moved' },
  concurrency: { type: 'string', value: 'number', description: 'lines of a batch under way at once at most' },
  rate: { type: 'string', value: 'number', description: 'lines of a batch begun a second at most' },
  unordered: { type: 'boolean', description: 'results of a batch as they are had, not in the order of its lines' },
} as const satisfies Flags;

export type BatchOptions = Options<typeof batchFlags>;

/** @throws usage.invalid where an option of a batch stands without one, or beside what a batch cannot have */
export function assertBatch(options: BatchOptions, others: Readonly<Record<string, unknown>>): void {
  if (options.batch === undefined) {
    const [name] = Object.keys(batchFlags).filter((key) => options[key as keyof typeof batchFlags] !== undefined);
    if (name !== undefined) throw new BaseError('usage.invalid', `${flagName(name)} is for a batch: say --batch FILE.`);
    return;
  }
  if (options.retryFailed && options.out === undefined)
    throw new BaseError('usage.invalid', '--retry-failed needs the ledger that has the failures: say --out FILE.');
  if (options.args.length > 0)
    throw new BaseError('usage.invalid', 'The transfers of a batch are the lines of its file: name none beside it.');
  const [name] = Object.entries(others).flatMap(([key, value]) => (value === undefined ? [] : [key]));
  if (name !== undefined) throw new BaseError('usage.invalid', `${name} and --batch cannot be combined.`);
}
