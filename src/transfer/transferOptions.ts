/** The options of a transfer, and the intent they form with the amount and currencies. */

import type * as Address from '../core/base/Address.js';
import * as Amount from '../core/base/Amount.js';
import { BaseError } from '../core/base/Errors.js';
import type * as PayingAccounts from '../core/batch/PayingAccounts.js';
import type { Flags, Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import type * as Network from '../core/network/Network.js';
import * as ChainAddress from '../core/order/ChainAddress.js';
import * as Currency from '../core/quote/Currency.js';
import * as DestinationCall from '../core/quote/DestinationCall.js';
import * as PriceOnly from '../core/quote/PriceOnly.js';
import * as Quote from '../core/quote/Quote.js';
import * as TransferIntent from '../core/quote/TransferIntent.js';
import * as ShellCommand from '../core/text/ShellCommand.js';
import { gasFlags } from '../setup/limitGas.js';
import { accountOfIndex, type Expected, ownAccount } from './findVenueAccount.js';
import { explainRefusedCalls } from './refusedCalls.js';

/** Options of every intent. */
export const intentFlags = {
  recipient: { value: 'address', description: 'the recipient, in the form of its chain (default: the sender)' },
  refundTo: { value: 'address', description: 'the refund address (default: the sender)' },
  slippage: { value: 'percent', description: 'maximum slippage (default: the service chooses)' },
  exactOutput: { description: 'the amount is in the output currency and must arrive exactly' },
  expectedOutput: { description: 'the amount is in the output currency and may vary by the slippage' },
  call: {
    value: 'to:data[:wei]',
    repeats: true,
    description: 'a call on arrival, made by the router with the exact output; may be repeated',
  },
  calls: { value: 'file', description: 'the calls on arrival, in a file: [{"to","data","value"}]' },
  gasTopup: {
    value: 'dollars',
    description: 'native asset to pay gas with, besides the output and taken from the amount',
  },
  referrer: { value: 'name', description: 'your referrer name at the service' },
  account: {
    value: 'account',
    description: 'the account that pays: a key’s name, its address, or dev0 to dev9 on the sandbox',
  },
  appFee: { value: 'address:bps', repeats: true, description: 'an app fee in basis points; may be repeated' },
  gasless: { description: 'the service submits and pays the gas, as part of the execution fee' },
  permit: { description: 'like --gasless, but with a signed permit of the token, which not every token has' },
  sponsor: {
    value: 'all|components',
    description: 'the fees that the API key’s app pays: execution, swap, platform, app, rent',
  },
  maxSponsoredUsd: { value: 'dollars', description: 'maximum that the app pays; you pay the rest' },
} as const satisfies Flags;

/** The options of an intent that is only priced. */
export const pricingFlags = {
  ...intentFlags,
  account: {
    ...intentFlags.account,
    description:
      'the account that would pay: an address, which needs no key, or a key’s name (default: the configured one, dev0 on the sandbox, else an address that nobody owns)',
  },
} as const satisfies Flags;

/** Limits on what the user accepts. */
export const capFlags = {
  maxImpact: { value: 'percent', description: 'maximum total loss of value (default: 5)' },
  maxFeeUsd: { value: 'dollars', description: 'maximum fees' },
  minOut: { value: 'amount', description: 'lowest acceptable minimum received, in output units' },
  maxIn: { value: 'amount', description: 'maximum to pay, in input units' },
  maxVenueFee: { value: 'dollars', description: 'maximum fee of the venue (default: 10)' },
  maxGasUsd: gasFlags.maxGasUsd,
  witnesses: {
    value: 'one|two',
    description: 'two: let nothing pass that only one witness shows (default: one, which asks or refuses)',
  },
  maxAge: {
    value: 'time',
    description: 'refuse a saved quote that is older (default: after 30s it is quoted again, on its own terms)',
  },
} as const satisfies Flags;

/** The account that signs. */
export const signerFlag = {
  account: { value: 'account', description: 'the account: a key’s name, its address, or dev0 to dev9 on the sandbox' },
} as const satisfies Flags;

/** The account that is looked at. */
export const watchedFlag = {
  account: { value: 'account', description: 'the account: an address, a key’s name, or dev0 to dev9 on the sandbox' },
} as const satisfies Flags;

/** The key to sign with. */
export const keyFlags = {
  accountSigner: {
    value: 'command',
    description:
      'a command that signs for the address in --account: the act as JSON on stdin, the signed bytes last on stdout',
  },
  keyFile: { value: 'file', description: 'a file with the private key, readable by you alone' },
  passwordFile: { value: 'file', description: 'a file with the keystore’s password' },
} as const satisfies Flags;

/** Gas units that `max` of a native asset leaves for fees, at twice the node's gas price. */
const reservedGas = 600_000n;

/**
 * The intent of `<amount> <from> <to>` and the options, for a venue account if one was selected.
 *
 * @param wallet the wallet that pays, which by default is the one that signs
 *
 * @throws request.* · usage.* · chain.*
 */
export async function readIntent(
  options: Options<typeof intentFlags>,
  context: Context,
  { account, wallet = context.sender }: { account?: Expected | undefined; wallet?: Wallet | undefined } = {},
): Promise<TransferIntent.Intent> {
  const [amount, from, to] = completed(options.args, context);
  const { network } = context;
  context.open([]);
  const [origin, destination] = await Promise.all([
    Currency.read(Currency.parse(from, network), context.chain),
    Currency.read(Currency.parse(to, network), context.chain),
  ]);
  TransferIntent.assertOrigin(origin);
  const parties = await findParties(origin, destination, { recipient: options.recipient, account, wallet }, context);
  const maximum = () => maximumOf(origin, wallet, context);
  return toIntent(amount, { origin, destination, parties, maximum }, options, context);
}

type Wallet = () => Promise<Address.Address>;

/** The intent of a transfer that is only priced, which needs no key. @throws request.* · usage.* · chain.* */
export async function readPriced(
  options: Options<typeof intentFlags>,
  context: Context,
): Promise<TransferIntent.Intent> {
  return readIntent(options, context, { wallet: () => pricedWallet(context) });
}

/** The wallet to price for: that of the selected account, whether or not there is a key, else nobody's. */
export async function pricedWallet(context: Context): Promise<Address.Address> {
  try {
    return await context.watched();
  } catch (error) {
    if (error instanceof BaseError && error.code === 'auth.no-account') return PriceOnly.nobody;
    throw error;
  }
}

/** Says once that prices are for an address that nobody owns, if they are. */
export function warnOfPrice(intents: readonly TransferIntent.Intent[], { warn }: Pick<Context, 'warn'>): void {
  if (intents.some(PriceOnly.isPriceOnly)) warn(PriceOnly.warning);
}

/**
 * The intent as far as it is known without the service and the venue: every mistake in the arguments and options is
 * found, and no key is unlocked. An amount of `max` counts as one base unit, and a payer that is not known yet as a
 * stranger.
 *
 * @param read completes a currency; it may remember those that it has read
 * @param wallet the wallet that pays, which by default is the one that signs
 *
 * @throws request.* · usage.* · auth.* · chain.* if a token must be read from its contract
 */
export async function draftIntent(
  options: Options<typeof intentFlags>,
  context: Context,
  read: (text: string) => Promise<Currency.Currency>,
  wallet: Wallet = context.sender,
): Promise<TransferIntent.Intent> {
  const [amount, from, to] = completed(options.args, context);
  const [origin, destination] = [await read(from), await read(to)];
  TransferIntent.assertOrigin(origin);
  const sender = await knownSender(context, wallet);
  const on = ({ chain }: Currency.Currency): string => (chain.vm === 'lvm' ? unknownAccount : sender);
  const own = ChainAddress.isForeign(destination.chain) ? undefined : on(destination);
  const parties = { user: on(origin), recipient: options.recipient ?? own };
  const intent = await toIntent(amount, { origin, destination, parties, maximum: async () => 1n }, options, context);
  assertSponsor(intent, context);
  return intent;
}

/** The wallet that pays a transfer, and who receives it; undefined if a key must be unlocked to learn that. */
export async function partiesOf(
  { recipient }: Options<typeof intentFlags>,
  context: Context,
): Promise<PayingAccounts.Parties | undefined> {
  const payer = await knownSender(context, context.sender).catch(() => PriceOnly.nobody);
  return PriceOnly.isNobody(payer) ? undefined : { payer, recipient: recipient ?? payer };
}

/** Stands for an account that only the venue knows. */
const unknownAccount = '0';

/** The wallet's address, unless its keystore must be unlocked to learn it: then nobody's. */
async function knownSender(context: Context, wallet: Wallet): Promise<Address.Address> {
  const isLocked = await context.signer().then(
    ({ kind, address }) => kind === 'keystore' && address === undefined,
    () => false,
  );
  return isLocked ? PriceOnly.nobody : wallet();
}

/** @throws usage.missing */
function completed(
  [amount, from, to]: readonly string[],
  { network }: Pick<Context, 'network'>,
): [amount: string, from: string, to: string] {
  if (amount !== undefined && from !== undefined && to !== undefined) return [amount, from, to];
  throw new BaseError('usage.missing', 'A transfer needs an amount and two currencies.', {
    hint: 'The amount is in units of the first currency, or max.',
    next: example([amount, from], network),
  });
}

/** A whole line of the network in use, with what was typed of it. */
function example([amount = '100', typed]: readonly (string | undefined)[], network: Network.Network): string {
  const [chain, symbol = 'usdc'] = typed?.toLowerCase().split('/') ?? [];
  const having = network.chains.filter(
    ({ vm, native, tokens }) =>
      vm === 'evm' && [native, ...tokens].some((token) => token.symbol.toLowerCase() === symbol),
  );
  // Those that most have heard of, where the network has them.
  const known = ['base', 'arbitrum'].flatMap((name) => having.filter((each) => each.name === name));
  const names = [...new Set([...known, ...having].map(({ name }) => name))];
  const from = chain !== undefined && names.includes(chain) ? chain : names[0];
  const to = names.find((name) => name !== from);
  if (from === undefined || to === undefined) return 'ferry quote --help';
  return ShellCommand.from('quote', [amount, `${from}/${symbol}`, `${to}/${symbol}`], {});
}

/** What the options leave open: the currencies, the parties, and the amount that `max` is. */
type Route = {
  origin: Currency.Currency;
  destination: Currency.Currency;
  /** Without a recipient on a chain where the payer's account is none. */
  parties: { user: string; recipient: string | undefined };
  maximum(): Promise<bigint>;
};

async function toIntent(
  amountText: string,
  { origin, destination, parties: { user, recipient }, maximum }: Route,
  options: Options<typeof intentFlags>,
  { network, config, files }: Context,
): Promise<TransferIntent.Intent> {
  const tradeType = TransferIntent.tradeType(options);
  const decimals = (tradeType === 'EXACT_INPUT' ? origin : destination).token.decimals;
  if (Amount.isMax(amountText)) assertMaximum(origin, tradeType);
  const amount = Amount.isMax(amountText) ? await maximum() : Amount.from(amountText, decimals);
  return TransferIntent.from(amount, origin, destination, options, {
    network: network.name,
    user,
    recipient,
    slippageBps: config.slippageBps.value,
    referrer: network.referrer,
    calls: await callsOf(options, files),
  });
}

/** What a file of calls is read as. */
const fileOfCalls = {
  what: 'list of calls',
  maxBytes: 10_000_000,
  code: 'usage.invalid',
  hints: { missing: 'Type the path of a JSON file, or each call with --call.', notPiped: 'Give --calls a file.' },
} as const;

/** The calls on arrival. @throws usage.invalid · request.invalid-address · file.* */
async function callsOf(
  { call = [], calls }: Pick<Options<typeof intentFlags>, 'call' | 'calls'>,
  files: Context['files'],
): Promise<readonly DestinationCall.DestinationCall[]> {
  if (calls === undefined) return call.map(DestinationCall.fromText);
  if (call.length > 0) throw new BaseError('usage.invalid', '--call and --calls cannot be combined.');
  if (calls === '-') throw new BaseError('usage.invalid', '--calls must be a file.');
  return DestinationCall.fromFile(await files.read(calls, fileOfCalls), calls);
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
    maxGasUsd: config.maxGasUsd.value,
    maxTipWei: config.maxTipWei.value,
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
  assertSponsor(intent, context);
  const service = await context.service();
  context.waiting(`Asking the ${context.network.name} service for a quote`);
  try {
    const quote = await Quote.ask(intent, { service, clock: context.clock, network: context.network });
    return { quote, baseUrl: service.baseUrl };
  } catch (error) {
    throw await explainRefusedCalls(error, intent, context);
  }
}

function assertSponsor({ sponsor }: TransferIntent.Intent, { network }: Context): void {
  if (sponsor !== undefined && network.apiKey === undefined) throw TransferIntent.noSponsor(network.name);
}

/**
 * The sender and recipient. They default to the sender's wallet on a chain and to its account on the venue. A venue
 * account is looked up at the venue, which alone knows whether it exists.
 *
 * @throws auth.* · venue.*
 */
async function findParties(
  { chain: origin }: Currency.Currency,
  { chain: destination }: Currency.Currency,
  { recipient, account: chosen, wallet }: Chosen,
  context: Context,
): Promise<Route['parties']> {
  // Whoever signs for a venue account, it belongs to its owner.
  const own = origin.vm === 'lvm' && chosen ? chosen.wallet : await wallet();
  const account = async (typed?: string | undefined): Promise<string> => {
    const found =
      chosen ?? (await (typed === undefined ? ownAccount(context, wallet) : accountOfIndex(typed, context)));
    return String(found.index);
  };
  return {
    user: origin.vm === 'lvm' ? await account() : own,
    recipient:
      destination.vm === 'lvm'
        ? await account(recipient)
        : ChainAddress.isForeign(destination)
          ? (recipient ?? (await askRecipient(destination, context)))
          : (recipient ?? own),
  };
}

/** Asks on a terminal for an account on a chain where the payer's is none. @throws prompt.declined */
async function askRecipient(chain: Network.Chain, { interactive, prompt }: Context): Promise<string | undefined> {
  if (!interactive) return undefined;
  return prompt.text(`Who receives it? An account on ${chain.displayName}:`, async (typed) => {
    try {
      ChainAddress.from(typed, chain, 'recipient');
      return undefined;
    } catch (error) {
      if (error instanceof BaseError) return error.message;
      throw error;
    }
  });
}

type Chosen = { recipient: string | undefined; account: Expected | undefined; wallet: Wallet };

/** @throws usage.invalid if `max` is not known for such a transfer */
function assertMaximum(origin: Currency.Currency, tradeType: TransferIntent.TradeType): void {
  if (tradeType !== 'EXACT_INPUT')
    throw new BaseError('usage.invalid', 'max is an amount of the input: it cannot be combined with an output amount.');
  if (origin.chain.vm === 'lvm')
    throw new BaseError(
      'usage.invalid',
      'max is not supported here for a venue account, since the venue’s fee is not known yet.',
      {
        hint: 'ferry venue withdraw max takes the fee into account.',
      },
    );
}

async function maximumOf(origin: Currency.Currency, wallet: Wallet, context: Context): Promise<bigint> {
  const owner = await wallet();
  if (PriceOnly.isNobody(owner))
    throw new BaseError('usage.missing', 'max is the balance of an account, and none is selected.', {
      hint: 'Add --account with its address, or type an amount.',
    });
  const node = await context.chain(origin.chain);
  const balance = await node.balance(owner, origin.token.address as Address.Address);
  const kept = Currency.isNative(origin) ? 2n * reservedGas * (await node.gasPrice()).maxFeePerGas : 0n;
  if (balance <= kept) throw nothingToSend(origin, owner, { balance, kept });
  return balance - kept;
}

/** `max` of an account that has none of the token, or no more of the native asset than gas may take. */
function nothingToSend(
  { chain, token }: Currency.Currency,
  account: string,
  { balance, kept }: { balance: bigint; kept: bigint },
): BaseError {
  return new BaseError('submit.insufficient-balance', `The account has no ${token.symbol} on ${chain.name} to send.`, {
    facts: [
      ['balance', Currency.inWords(balance, token)],
      ...(kept > 0n ? ([['kept for gas', Currency.inWords(kept, token)]] as const) : []),
      ['account', account],
    ],
    hint: `Send ${token.symbol} to the account on ${chain.name}, or pay from another one with --account.`,
  });
}

export const batchFlags = {
  batch: {
    value: 'file',
    description: 'a file of transfers, one per line as JSON with an id, or - for stdin; every line is checked first',
  },
  out: { value: 'file', description: 'the ledger file for the results, one per line; an existing ledger is continued' },
  retryFailed: { description: 'retry batch lines that failed with funds untouched' },
  concurrency: {
    value: 'number',
    description: 'maximum concurrent lines of a batch (default: 8; of those that pay, one an account)',
  },
  rate: { value: 'number', description: 'maximum lines of a batch to start per second' },
  unordered: { description: 'output the results of a batch as they complete, not in input order' },
} as const satisfies Flags;

export type BatchOptions = Options<typeof batchFlags>;

/** @throws usage.invalid if a batch option is used without `--batch`, or `--batch` with an option it excludes */
export function assertBatch(options: BatchOptions, others: Readonly<Record<string, unknown>>): void {
  if (options.batch === undefined) {
    const [name] = Object.keys(batchFlags).filter((key) => options[key as keyof typeof batchFlags] !== undefined);
    if (name !== undefined) throw new BaseError('usage.invalid', `${ShellCommand.flagName(name)} needs --batch FILE.`);
    return;
  }
  if (options.retryFailed && options.out === undefined)
    throw new BaseError('usage.invalid', '--retry-failed needs the ledger with the failures: add --out FILE.');
  if (options.args.length > 0)
    throw new BaseError('usage.invalid', 'With --batch the transfers come from its file: give no transfer arguments.');
  const [name] = Object.entries(others).flatMap(([key, value]) => (value === undefined ? [] : [key]));
  if (name !== undefined) throw new BaseError('usage.invalid', `${name} and --batch cannot be combined.`);
}
