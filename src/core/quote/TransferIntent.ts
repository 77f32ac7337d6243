/** Transfer intents: the transfer a user wants, and the quote request for it. */

import * as VenueAccount from '../accounts/VenueAccount.js';
import type * as QuoteV2 from '../api/QuoteV2.js';
import * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import { BaseError } from '../base/Errors.js';
import * as SettingFormat from '../config/SettingFormat.js';
import * as ChainAbility from '../network/ChainAbility.js';
import * as ChainAddress from '../order/ChainAddress.js';
import * as ChainPrefix from '../order/ChainPrefix.js';
import * as ShellCommand from '../text/ShellCommand.js';
import * as Currency from './Currency.js';
import * as DestinationCall from './DestinationCall.js';
import * as GasTopup from './GasTopup.js';
import * as PriceOnly from './PriceOnly.js';

/**
 * The side that the amount fixes: the input, or the output. Under `EXPECTED_OUTPUT` the output may fall short by the
 * slippage.
 */
export type TradeType = 'EXACT_INPUT' | 'EXACT_OUTPUT' | 'EXPECTED_OUTPUT';

/** A transfer that a user wants. */
export type Intent = {
  network: string;
  /** The sender: an EVM address, or an account index on the venue. */
  user: string;
  origin: Currency.Currency;
  destination: Currency.Currency;
  tradeType: TradeType;
  /** Base units: of the input under EXACT_INPUT, else of the output. */
  amount: bigint;
  /** The receiver on the destination: an address in the form of that chain, or an account index on the venue. */
  recipient: string;
  /** The receiver of refunds on the origin chain. Always sent: without it the service does not refund automatically. */
  refundTo: string;
  /** Undefined lets the service choose. */
  slippageBps: number | undefined;
  referrer: string | undefined;
  appFees: readonly AppFee[];
  /** The fee components that the sponsor pays; undefined if none. */
  sponsor: 'all' | readonly string[] | undefined;
  /** The most that the sponsor pays, in millionths of a dollar; the user pays the rest. */
  maxSponsoredUsd: bigint | undefined;
  /**
   * Set if the service submits the transfer: from a signed batch or by a permit. The execution fee then includes the
   * origin gas.
   */
  gasless: 'batch' | 'permit' | undefined;
  /** Calls that the router of the destination chain makes with the output, which then reaches no recipient. */
  calls: readonly DestinationCall.DestinationCall[];
  /** Set if anybody may pay, at a strict deposit address: the user is then the refundee, and need not have a key. */
  byAddress?: true | undefined;
  /** What the recipient gets in the native asset besides, in millionths of a dollar; undefined if nothing. */
  gasTopupUsd?: bigint | undefined;
};

/** An app's fee, in basis points of the input. */
export type AppFee = { recipient: Address.Address; bps: number };

/** Limits on what the user accepts. */
export type Caps = {
  /** Maximum total loss in basis points of the input; more than five percent also raises the bound of what is guaranteed. */
  maxImpactBps: number;
  /** Maximum fees in millionths of a dollar, the venue's included. */
  maxFeeUsd?: bigint | undefined;
  /** Lowest acceptable minimum received, in base units of the output. */
  minOut?: bigint | undefined;
  /** Maximum input in base units: for a given output, the service alone sets the price. */
  maxIn?: bigint | undefined;
  /** Maximum fee of the venue for a withdrawal's transfer, in millionths of USDC, on top of the amount. */
  maxVenueFee?: bigint | undefined;
  /** Maximum that the gas of the account's own transactions may cost, in millionths of a dollar; by default 25 dollars. */
  maxGasUsd?: bigint | undefined;
  /** Maximum tip per unit of gas in wei; by default what the chain needs. */
  maxTipWei?: bigint | undefined;
  /** Maximum age of the quote in milliseconds. */
  maxAgeMs: number;
};

/** The command-line options of an intent, as typed. */
export type Typed = {
  recipient?: string | undefined;
  refundTo?: string | undefined;
  exactOutput?: boolean | undefined;
  expectedOutput?: boolean | undefined;
  referrer?: string | undefined;
  appFee?: readonly string[] | undefined;
  sponsor?: string | undefined;
  maxSponsoredUsd?: string | undefined;
  gasless?: boolean | undefined;
  permit?: boolean | undefined;
  depositAddress?: boolean | undefined;
  gasTopup?: string | undefined;
};

/** What an intent has from the settings, the account and the files of calls. */
export type Defaults = {
  network: string;
  /** The payer: an address, or an account index if the origin is the venue. */
  user: string;
  /** The recipient unless the options name one: an address or an account index. Defaults to the payer, if it can. */
  recipient?: string | undefined;
  /** The service chooses if this is left out. */
  slippageBps?: number | undefined;
  /** The referrer unless the options name one. */
  referrer?: string | undefined;
  /** The calls on arrival. */
  calls?: readonly DestinationCall.DestinationCall[] | undefined;
};

/**
 * Builds an intent from an amount, two currencies and the options.
 *
 * @param amount base units of the input, or of the output for `--exact-output` and `--expected-output`
 * @throws request.* · usage.invalid
 */
export function from(
  amount: bigint,
  origin: Currency.Currency,
  destination: Currency.Currency,
  typed: Typed,
  defaults: Defaults,
): Intent {
  const { network, user, calls = [] } = defaults;
  assertOrigin(origin);
  if (origin.chain.vm === 'lvm' && destination.chain.vm === 'lvm') throw withinVenue();
  if (origin.chain.vm === 'lvm' && (typed.gasless || typed.permit)) throw gaslessVenue();
  if (amount <= 0n) throw new Amount.InvalidAmountError(String(amount), 'The amount must be more than zero.');
  for (const [what, text] of [
    ['recipient', typed.recipient],
    ['refund address', typed.refundTo],
  ] as const)
    if (PriceOnly.isNobody(text)) throw PriceOnly.ownedByNobody(what);
  const named = typed.recipient ?? defaults.recipient;
  if (named === undefined && ChainAddress.isForeign(destination.chain)) throw missingRecipient(destination);
  const recipient = party(named ?? user, destination.chain, 'recipient');
  const isOnOneChain = origin.chain.id === destination.chain.id;
  const isExactOutput = tradeType(typed) === 'EXACT_OUTPUT';
  DestinationCall.assertPayable(calls, { origin, destination, isExactOutput, amount });
  if (typed.depositAddress) assertPayableByAddress({ ...typed, calls }, { origin, isOnOneChain });
  if (
    isOnOneChain &&
    Address.isEqual(origin.token.address, destination.token.address) &&
    Address.isEqual(recipient, user)
  )
    throw nothingToDo(origin);
  if (typed.gasless && !typed.permit && isOnOneChain && typed.sponsor === undefined) throw unsponsored();
  return {
    network,
    user,
    origin,
    destination,
    tradeType: tradeType(typed),
    amount,
    recipient,
    refundTo: typed.refundTo === undefined ? user : party(typed.refundTo, origin.chain, 'refund address'),
    slippageBps: defaults.slippageBps,
    referrer: typed.referrer ?? defaults.referrer,
    appFees: appFees(typed.appFee ?? []),
    ...sponsorship(typed),
    gasless: typed.permit ? 'permit' : typed.gasless ? 'batch' : undefined,
    calls,
    ...(typed.depositAddress ? { byAddress: true } : {}),
    ...GasTopup.from(typed.gasTopup, { origin, destination, hasCalls: calls.length > 0 }),
  };
}

/** @throws usage.invalid · request.unsupported */
function assertPayableByAddress(
  typed: Typed & { calls: readonly DestinationCall.DestinationCall[] },
  { origin, isOnOneChain }: { origin: Currency.Currency; isOnOneChain: boolean },
): void {
  for (const [flag, isSet] of [
    ['--gasless', typed.gasless],
    ['--permit', typed.permit],
    ['--call', typed.calls.length > 0],
    ['--gas-topup', typed.gasTopup !== undefined],
  ] as const)
    if (isSet) throw new BaseError('usage.invalid', `${flag} and --deposit-address cannot be combined.`);
  // Specification 8: the service sponsors all fees of a deposit address, or none.
  if (typed.sponsor !== undefined && typed.sponsor !== 'all')
    throw new BaseError('usage.invalid', 'A deposit address does not support sponsoring single components.', {
      hint: 'Leave out --sponsor, or use --sponsor all.',
    });
  if (origin.chain.vm !== 'evm' || isOnOneChain)
    throw new BaseError(
      'request.unsupported',
      origin.chain.vm === 'evm'
        ? 'A transfer on one chain has no deposit address that can be proved.'
        : `${origin.chain.displayName} has no deposit addresses that can be proved.`,
      { hint: 'Pay on an EVM chain for another chain, or leave out --deposit-address.' },
    );
}

/** The paying wallet of an intent whose origin is an EVM chain. @throws TypeError if the origin is the venue */
export function walletOf({ user, origin }: Intent): Address.Address {
  if (origin.chain.vm !== 'evm') throw new TypeError('a venue account is not a wallet');
  return user as Address.Address;
}

/** Refuses a chain that ferry only pays to. @throws request.unsupported */
export function assertOrigin(origin: Pick<Currency.Currency, 'chain'>): void {
  if (!ChainAbility.canSend(origin.chain)) throw receiveOnly(origin);
}

/** Parses a party on a chain: an address in the chain's form, or an account index on the venue. */
function party(text: string, chain: Currency.Currency['chain'], what: string): string {
  const { vm, name } = chain;
  if (vm === 'evm') {
    ChainAddress.assertNotForeign(text, chain, what);
    return Address.from(ChainPrefix.strip(text, chain, what), what);
  }
  if (ChainAddress.isForeign(chain)) return ChainAddress.from(text, chain, what);
  if (!VenueAccount.isIndex(text)) throw noIndex(text, what, name);
  return String(Number(text));
}

/** The trade type that the options select. @throws usage.invalid if both output options are set */
export function tradeType(typed: Pick<Typed, 'exactOutput' | 'expectedOutput'>): TradeType {
  if (typed.exactOutput && typed.expectedOutput)
    throw new BaseError('usage.invalid', '--exact-output and --expected-output cannot be combined.');
  if (typed.exactOutput) return 'EXACT_OUTPUT';
  return typed.expectedOutput ? 'EXPECTED_OUTPUT' : 'EXACT_INPUT';
}

/** Whether the intent sponsors the platform fee by name, which the service calls by its own brand name. */
export function namesPlatform({ sponsor }: Intent): boolean {
  return Array.isArray(sponsor) && sponsor.includes(platform);
}

/** Gas that a signed batch uses on the origin beyond its calls; the quote is requested to include it. */
const originGasOverhead = 80_000;

/**
 * The body of `POST /quote/v2`, spec 2.3.
 *
 * @throws TypeError if `platformWord` is required and missing
 */
export function toRequest(
  intent: Intent,
  {
    platformWord,
    wantsSignature = false,
  }: {
    /** The service's name for the platform fee; required if the intent names that fee. */
    platformWord?: string | undefined;
    /** Whether the solver is to sign the order. */
    wantsSignature?: boolean | undefined;
  } = {},
): QuoteV2.Request {
  return {
    user: intent.user,
    originChainId: intent.origin.chain.id,
    destinationChainId: intent.destination.chain.id,
    originCurrency: intent.origin.token.address,
    destinationCurrency: intent.destination.token.address,
    recipient: intent.recipient,
    tradeType: intent.tradeType,
    amount: intent.amount.toString(),
    refundTo: intent.refundTo,
    ...(wantsSignature ? { includeProtocolData: true } : {}),
    ...(intent.slippageBps === undefined ? {} : { slippageTolerance: String(intent.slippageBps) }),
    ...(intent.referrer === undefined ? {} : { referrer: intent.referrer }),
    ...(intent.appFees.length === 0
      ? {}
      : { appFees: intent.appFees.map(({ recipient, bps }) => ({ recipient, fee: String(bps) })) }),
    ...(intent.calls.length === 0
      ? {}
      : { txs: intent.calls.map(({ to, data, value }) => ({ to, data, value: String(value) })) }),
    ...(intent.gasTopupUsd === undefined ? {} : { topupGas: true, topupGasAmount: String(intent.gasTopupUsd) }),
    ...(intent.gasless === 'batch' ? { originGasOverhead } : {}),
    ...(intent.gasless === 'permit' ? { usePermit: true } : {}),
    // The service gives a strict address for an exact output; for others, some of its versions want to be asked.
    ...(intent.byAddress ? { useDepositAddress: true, strict: true } : {}),
    ...(intent.sponsor === undefined ? {} : { subsidizeFees: true }),
    ...(intent.sponsor === undefined || intent.sponsor === 'all'
      ? {}
      : { sponsoredFeeComponents: intent.sponsor.map((name) => wordOf(name, platformWord)) }),
    ...(intent.maxSponsoredUsd === undefined ? {} : { maxSubsidizationAmount: String(intent.maxSponsoredUsd) }),
  };
}

function wordOf(component: string, platformWord: string | undefined): string {
  if (component !== platform) return component;
  if (platformWord === undefined) throw new TypeError('the service’s name for the platform fee is not known');
  return platformWord;
}

function appFees(texts: readonly string[]): readonly AppFee[] {
  const fees = texts.map(appFee);
  const twice = fees.find(({ recipient }, index) => fees.findIndex((each) => each.recipient === recipient) !== index);
  if (twice) throw new BaseError('usage.invalid', `--app-fee names ${twice.recipient} twice.`);
  if (fees.reduce((sum, { bps }) => sum + bps, 0) >= 10_000)
    throw new BaseError('usage.invalid', 'The fees given with --app-fee add up to 100% or more.', {
      hint: '100 basis points are 1%.',
    });
  return fees;
}

function appFee(text: string): AppFee {
  const [recipient = '', bps = '', ...rest] = text.split(':');
  if (rest.length > 0 || !/^\d{1,4}$/.test(bps) || Number(bps) === 0)
    throw new BaseError('usage.invalid', `--app-fee "${text}" is not ADDRESS:BPS.`, {
      hint: '100 basis points are 1%.',
    });
  if (PriceOnly.isNobody(recipient)) throw PriceOnly.ownedByNobody('app fee recipient');
  return { recipient: Address.from(recipient, 'app fee recipient'), bps: Number(bps) };
}

/** The component that the service calls by its own brand name. */
const platform = 'platform';
const sponsorable = ['execution', 'swap', platform, 'app', 'rent'];

function sponsorship({ sponsor: typed, maxSponsoredUsd }: Typed): Pick<Intent, 'sponsor' | 'maxSponsoredUsd'> {
  if (maxSponsoredUsd !== undefined && typed === undefined)
    throw new BaseError('usage.invalid', '--max-sponsored-usd needs --sponsor: it limits what the sponsor pays.');
  return {
    sponsor: typed === undefined ? undefined : sponsor(typed),
    maxSponsoredUsd:
      maxSponsoredUsd === undefined
        ? undefined
        : SettingFormat.option(SettingFormat.usd, maxSponsoredUsd, '--max-sponsored-usd'),
  };
}

function sponsor(text: string): 'all' | readonly string[] {
  if (text === 'all') return 'all';
  const components = text.split(',');
  const wrong = components.find((each) => !sponsorable.includes(each));
  if (wrong !== undefined)
    throw new BaseError('usage.invalid', `--sponsor does not accept "${wrong}".`, {
      hint: `Use all, or a comma-separated list of ${sponsorable.join(', ')}.`,
    });
  const twice = components.find((each, index) => components.indexOf(each) !== index);
  if (twice !== undefined) throw new BaseError('usage.invalid', `--sponsor names ${twice} twice.`);
  return components;
}

/** The origin and the destination are both the venue. */
function withinVenue(): BaseError {
  return new BaseError('request.unsupported', 'The service does not transfer between accounts of the venue.', {
    hint: 'Make this transfer on the venue itself.',
  });
}

/** The origin is a chain that ferry does not sign for. */
function receiveOnly({ chain: { name, displayName } }: Pick<Currency.Currency, 'chain'>): BaseError {
  return new BaseError('request.unsupported', `${displayName} is receive only: ferry does not pay from it.`, {
    facts: [['chain', name]],
    hint: 'A payment there would be signed with a key that ferry does not hold, and prove itself in a form that ferry does not read. Choose another chain to pay from.',
    next: 'ferry chains',
  });
}

/** The destination has accounts of a form that the payer's is not, and no recipient is named. */
function missingRecipient({ chain: { displayName } }: Currency.Currency): BaseError {
  return new BaseError(
    'usage.missing',
    `A transfer to ${displayName} needs a recipient: your own account is none there.`,
    {
      hint: `Add --recipient with an account on ${displayName}.`,
    },
  );
}

/** Fees are to be sponsored, but no API key identifies the sponsor. */
export function noSponsor(network: string): BaseError {
  return new BaseError('auth.refused', `--sponsor needs an API key, and none is configured for ${network}.`, {
    hint: 'The owner of the API key pays the sponsored fees. Without a key, leave out --sponsor.',
    next: ShellCommand.line`ferry config set networks.${network}.apiKey`,
  });
}

/** A gasless withdrawal from the venue is requested, but withdrawals never cost gas. */
function gaslessVenue(): BaseError {
  return new BaseError('request.unsupported', 'A withdrawal from the venue costs no gas and takes no permit.', {
    hint: 'Leave out --gasless and --permit. The venue charges its own fee for the transfer.',
  });
}

/** A gasless transfer on one chain has no fill that its fees could be taken from. */
function unsponsored(): BaseError {
  return new BaseError('request.unsupported', 'A gasless transfer on one chain needs a sponsor, who pays its fees.', {
    hint: 'Add --sponsor all with an API key of your own, or leave out --gasless.',
  });
}

/** The text is not an account index, which is how the venue identifies accounts. */
export function noIndex(text: string, what: string, chain: string): BaseError {
  const isAddress = /^0x[0-9a-fA-F]{40}$/.test(text);
  return new BaseError(
    'request.invalid-address',
    isAddress
      ? `The ${what} on ${chain} must be an account index, but ${text} is a wallet address.`
      : `The ${what} "${text}" is not an account index of ${chain}.`,
    {
      hint: isAddress ? 'Look up the accounts of the wallet.' : 'An account index is a whole number.',
      next: isAddress ? ShellCommand.line`ferry venue account ${text}` : 'ferry venue account',
    },
  );
}

/** The origin and the destination are the same currency of the same account. */
function nothingToDo(currency: Currency.Currency): BaseError {
  return new BaseError(
    'request.unsupported',
    `Origin and destination are the same: ${Currency.format(currency)} for the same account.`,
    {
      hint: 'Choose another token, another chain or another --recipient.',
    },
  );
}
