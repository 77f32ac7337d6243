/** The options of a transfer, and the intent they form with the amount and currencies. */

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
import { accountOfIndex, ownAccount } from './findVenueAccount.js';

/** Options of every intent. */
export const intentFlags = {
  recipient: { type: 'string', value: 'address', description: 'the recipient (default: the sender)' },
  refundTo: { type: 'string', value: 'address', description: 'the refund address (default: the sender)' },
  slippage: {
    type: 'string',
    value: 'percent',
    description: 'maximum slippage (default: the service chooses)',
  },
  exactOutput: { type: 'boolean', description: 'the amount is in the output currency and must arrive exactly' },
  expectedOutput: { type: 'boolean', description: 'the amount is in the output currency and may vary by the slippage' },
  referrer: { type: 'string', value: 'name', description: 'your referrer name at the service' },
  account: {
    type: 'string',
    value: 'name',
    description: 'the account that pays: a key’s name, or dev0 to dev9 on the sandbox',
  },
  appFee: { type: 'strings', value: 'address:bps', description: 'an app fee in basis points; may be repeated' },
  gasless: { type: 'boolean', description: 'the service submits and pays the gas, as part of the execution fee' },
  permit: { type: 'boolean', description: 'like --gasless, but with a signed token permit, if the token supports it' },
  sponsor: {
    type: 'string',
    value: 'all|components',
    description: 'the fees that the API key’s app pays: execution, swap, platform, app, rent',
  },
  maxSponsoredUsd: { type: 'string', value: 'dollars', description: 'maximum that the app pays; you pay the rest' },
} as const satisfies Flags;

/** Limits on what the user accepts. */
export const capFlags = {
  maxImpact: { type: 'string', value: 'percent', description: 'maximum total loss of value (default: 5)' },
  maxFeeUsd: { type: 'string', value: 'dollars', description: 'maximum fees' },
  minOut: { type: 'string', value: 'amount', description: 'lowest acceptable minimum received, in output units' },
  maxIn: { type: 'string', value: 'amount', description: 'maximum to pay, in input units' },
  maxVenueFee: { type: 'string', value: 'dollars', description: 'maximum fee of the venue (default: 10)' },
  maxAge: { type: 'string', value: 'time', description: 'maximum age of a quote (default: 30s)' },
} as const satisfies Flags;

/** The key to sign with. */
export const keyFlags = {
  keyFile: { type: 'string', value: 'file', description: 'a file with the private key, readable by you alone' },
  passwordFile: { type: 'string', value: 'file', description: 'a file with the keystore’s password' },
} as const satisfies Flags;

/** Gas units that `max` of a native asset leaves for fees, at twice the node's gas price. */
const reservedGas = 600_000n;

/**
 * The intent of `<amount> <from> <to>` and the options, for a venue account if one was selected.
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
 * @throws auth.refused if a sponsor is requested without an API key
 */
export async function requestQuote(
  intent: TransferIntent.Intent,
  context: Context,
): Promise<{ quote: Quote.Quote; baseUrl: string }> {
  if (intent.sponsor !== undefined && context.network.apiKey === undefined)
    throw new TransferIntent.NoSponsorError(context.network.name);
  const service = await context.service();
  return { quote: await Quote.ask(intent, { service, clock: context.clock }), baseUrl: service.baseUrl };
}

/**
 * The sender and recipient. They default to the sender's wallet on a chain and to its account on the venue. A venue
 * account is looked up at the venue, which alone knows whether it exists.
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
    const found = chosen ?? (await (typed === undefined ? ownAccount(context) : accountOfIndex(typed, context)));
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
    super('usage.invalid', 'max is not supported here for a venue account, since the venue’s fee is not known yet.', {
      hint: 'ferry venue withdraw max takes the fee into account.',
    });
  }
}

export const batchFlags = {
  batch: {
    type: 'string',
    value: 'file',
    description: 'a file of transfers, one per line as JSON with an id, or - for stdin',
  },
  out: {
    type: 'string',
    value: 'file',
    description: 'the ledger file for the results, one per line; an existing ledger is continued',
  },
  retryFailed: { type: 'boolean', description: 'retry batch lines that failed with funds untouched' },
  concurrency: { type: 'string', value: 'number', description: 'maximum concurrent lines of a batch' },
  rate: { type: 'string', value: 'number', description: 'maximum lines of a batch to start per second' },
  unordered: { type: 'boolean', description: 'output the results of a batch as they complete, not in input order' },
} as const satisfies Flags;

export type BatchOptions = Options<typeof batchFlags>;

/** @throws usage.invalid if a batch option is used without `--batch`, or `--batch` with an option it excludes */
export function assertBatch(options: BatchOptions, others: Readonly<Record<string, unknown>>): void {
  if (options.batch === undefined) {
    const [name] = Object.keys(batchFlags).filter((key) => options[key as keyof typeof batchFlags] !== undefined);
    if (name !== undefined) throw new BaseError('usage.invalid', `${flagName(name)} needs --batch FILE.`);
    return;
  }
  if (options.retryFailed && options.out === undefined)
    throw new BaseError('usage.invalid', '--retry-failed needs the ledger with the failures: add --out FILE.');
  if (options.args.length > 0)
    throw new BaseError('usage.invalid', 'With --batch the transfers come from its file: give no transfer arguments.');
  const [name] = Object.entries(others).flatMap(([key, value]) => (value === undefined ? [] : [key]));
  if (name !== undefined) throw new BaseError('usage.invalid', `${name} and --batch cannot be combined.`);
}
