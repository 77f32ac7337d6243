/** What the user wants, in the user's terms; and the request that asks the service for it. */

import * as VenueAccount from '../accounts/VenueAccount.js';
import type * as QuoteV2 from '../api/QuoteV2.js';
import * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import { BaseError } from '../base/Errors.js';
import * as SettingFormat from '../config/SettingFormat.js';
import * as Currency from './Currency.js';

/** Which side the amount is of. Under `EXPECTED_OUTPUT` it is what should arrive, within the slippage. */
export type TradeType = 'EXACT_INPUT' | 'EXACT_OUTPUT' | 'EXPECTED_OUTPUT';

/** A transfer that somebody wants. */
export type Intent = {
  network: string;
  /** The sender: an EVM address, on the venue an account index. */
  user: string;
  origin: Currency.Currency;
  destination: Currency.Currency;
  tradeType: TradeType;
  /** Base units: of the input under EXACT_INPUT, else of the output. */
  amount: bigint;
  recipient: string;
  /** Where a refund goes on the origin chain. Always sent: without it the service does not refund by itself. */
  refundTo: string;
  /** Undefined leaves it to the service. */
  slippageBps: number | undefined;
  referrer: string | undefined;
  appFees: readonly AppFee[];
  /** The fee components that the integrator pays; undefined: none. */
  sponsor: 'all' | readonly string[] | undefined;
  /** Millionths of a dollar that the sponsor pays at most; the user pays the rest. */
  maxSponsoredUsd: bigint | undefined;
  /**
   * How the service is to submit it, if it is: by a signed batch or by a permit. The gas on the origin is then in the
   * execution fee.
   */
  gasless: 'batch' | 'permit' | undefined;
};

/** What an app takes of the input, in basis points of it. */
export type AppFee = { recipient: Address.Address; bps: number };

/** What the user accepts at most. */
export type Caps = {
  /** Basis points of the input that may be lost in all, by the service's own prices. */
  maxImpactBps: number;
  /** Millionths of a dollar of fees. */
  maxFeeUsd?: bigint | undefined;
  /** Base units of the output that must be guaranteed. */
  minOut?: bigint | undefined;
  /** Base units of the input that may be paid: what an output amount costs is the service's word alone. */
  maxIn?: bigint | undefined;
  /** Millionths of USDC that the venue may take for a withdrawal's transfer, on top of the amount. */
  maxVenueFee?: bigint | undefined;
  /** How old the quote may be, in milliseconds. */
  maxAgeMs: number;
};

/** What the options of an intent say, each still as typed. */
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
};

/**
 * The intent of an amount, two currencies and the options.
 *
 * @param amount base units of the input, or of the output for `--exact-output` and `--expected-output`
 * @throws request.* · usage.invalid
 */
export function from(
  amount: bigint,
  origin: Currency.Currency,
  destination: Currency.Currency,
  typed: Typed,
  surroundings: {
    network: string;
    /** Who pays, by the kind of the origin: an address or an account index. */
    user: string;
    /** Who receives unless another is typed, by the kind of the destination; by default who pays. */
    recipient?: string | undefined;
    /** Left to the service where it is left out. */
    slippageBps?: number | undefined;
    /** Unless another is typed. */
    referrer?: string | undefined;
  },
): Intent {
  const { network, user } = surroundings;
  if (origin.chain.vm === 'lvm' && destination.chain.vm === 'lvm') throw new WithinVenueError();
  if (origin.chain.vm === 'lvm' && (typed.gasless || typed.permit)) throw new GaslessVenueError();
  if (amount <= 0n) throw new Amount.InvalidAmountError(String(amount), 'The amount must be more than zero.');
  const recipient = party(typed.recipient ?? surroundings.recipient ?? user, destination.chain, 'recipient');
  if (
    origin.chain.id === destination.chain.id &&
    Address.isEqual(origin.token.address, destination.token.address) &&
    Address.isEqual(recipient, user)
  )
    throw new NothingToDoError(origin);
  return {
    network,
    user,
    origin,
    destination,
    tradeType: tradeType(typed),
    amount,
    recipient,
    refundTo: typed.refundTo === undefined ? user : party(typed.refundTo, origin.chain, 'refund address'),
    slippageBps: surroundings.slippageBps,
    referrer: typed.referrer ?? surroundings.referrer,
    appFees: appFees(typed.appFee ?? []),
    ...sponsorship(typed),
    gasless: typed.permit ? 'permit' : typed.gasless ? 'batch' : undefined,
  };
}

/** The paying wallet of an intent whose origin is an EVM chain. */
export function walletOf({ user, origin }: Intent): Address.Address {
  if (origin.chain.vm !== 'evm') throw new TypeError('an account of the venue has no wallet of its own');
  return user as Address.Address;
}

/** Somebody on a chain: an address, or on the venue an account index. */
function party(text: string, { vm, name }: Currency.Currency['chain'], what: string): string {
  if (vm === 'evm') return Address.from(text, what);
  if (!VenueAccount.isIndex(text)) throw new NoIndexError(text, what, name);
  return String(Number(text));
}

/** Which side the amount is of, by the options. @throws usage.invalid where both output forms are asked for */
export function tradeType(typed: Pick<Typed, 'exactOutput' | 'expectedOutput'>): TradeType {
  if (typed.exactOutput && typed.expectedOutput)
    throw new BaseError('usage.invalid', '--exact-output and --expected-output cannot be combined.');
  if (typed.exactOutput) return 'EXACT_OUTPUT';
  return typed.expectedOutput ? 'EXPECTED_OUTPUT' : 'EXACT_INPUT';
}

/** Whether the request names the platform's fee, for which the service has a word of its own. */
export function namesPlatform({ sponsor }: Intent): boolean {
  return Array.isArray(sponsor) && sponsor.includes(platform);
}

/** Gas units that a signed batch costs on the origin besides its calls; the quote is asked to include them. */
const originGasOverhead = 80_000;

/**
 * The body of `POST /quote/v2`, spec 2.3.
 *
 * @param platformWord the service's word for the platform's fee, where the intent names that
 */
export function toRequest(intent: Intent, platformWord?: string): QuoteV2.Request {
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
    ...(intent.slippageBps === undefined ? {} : { slippageTolerance: String(intent.slippageBps) }),
    ...(intent.referrer === undefined ? {} : { referrer: intent.referrer }),
    ...(intent.appFees.length === 0
      ? {}
      : { appFees: intent.appFees.map(({ recipient, bps }) => ({ recipient, fee: String(bps) })) }),
    ...(intent.gasless === 'batch' ? { originGasOverhead } : {}),
    ...(intent.gasless === 'permit' ? { usePermit: true } : {}),
    ...(intent.sponsor === undefined ? {} : { subsidizeFees: true }),
    ...(intent.sponsor === undefined || intent.sponsor === 'all'
      ? {}
      : { sponsoredFeeComponents: intent.sponsor.map((name) => wordOf(name, platformWord)) }),
    ...(intent.maxSponsoredUsd === undefined ? {} : { maxSubsidizationAmount: String(intent.maxSponsoredUsd) }),
  };
}

function wordOf(component: string, platformWord: string | undefined): string {
  if (component !== platform) return component;
  if (platformWord === undefined) throw new TypeError('the word of the service for the platform is not known');
  return platformWord;
}

function appFees(texts: readonly string[]): readonly AppFee[] {
  const fees = texts.map(appFee);
  const twice = fees.find(({ recipient }, index) => fees.findIndex((each) => each.recipient === recipient) !== index);
  if (twice) throw new BaseError('usage.invalid', `--app-fee names ${twice.recipient} twice.`);
  if (fees.reduce((sum, { bps }) => sum + bps, 0) >= 10_000)
    throw new BaseError('usage.invalid', 'The fees of --app-fee would take everything.', {
      hint: '100 basis points are one percent.',
    });
  return fees;
}

function appFee(text: string): AppFee {
  const [recipient = '', bps = '', ...rest] = text.split(':');
  if (rest.length > 0 || !/^\d{1,4}$/.test(bps) || Number(bps) === 0)
    throw new BaseError('usage.invalid', `--app-fee "${text}" is not ADDRESS:BPS.`, {
      hint: '100 basis points are one percent.',
    });
  return { recipient: Address.from(recipient, 'app fee recipient'), bps: Number(bps) };
}

/** The component for which the service has a word of its own. */
const platform = 'platform';
const sponsorable = ['execution', 'swap', platform, 'app', 'rent'];

function sponsorship({ sponsor: typed, maxSponsoredUsd }: Typed): Pick<Intent, 'sponsor' | 'maxSponsoredUsd'> {
  if (maxSponsoredUsd !== undefined && typed === undefined)
    throw new BaseError('usage.invalid', '--max-sponsored-usd needs --sponsor: it bounds what the sponsor pays.');
  const maximum = maxSponsoredUsd === undefined ? undefined : SettingFormat.usd.read(maxSponsoredUsd);
  if (maxSponsoredUsd !== undefined && !maximum)
    throw new BaseError('usage.invalid', `--max-sponsored-usd must be ${SettingFormat.usd.expects}.`);
  return { sponsor: typed === undefined ? undefined : sponsor(typed), maxSponsoredUsd: maximum?.value };
}

function sponsor(text: string): 'all' | readonly string[] {
  if (text === 'all') return 'all';
  const components = text.split(',');
  const wrong = components.find((each) => !sponsorable.includes(each));
  if (wrong !== undefined)
    throw new BaseError('usage.invalid', `--sponsor cannot take "${wrong}".`, {
      hint: `all, or a list of ${sponsorable.join(', ')}.`,
    });
  const twice = components.find((each, index) => components.indexOf(each) !== index);
  if (twice !== undefined) throw new BaseError('usage.invalid', `--sponsor names ${twice} twice.`);
  return components;
}

/** Both sides are on the venue. */
export class WithinVenueError extends BaseError {
  override name = 'WithinVenueError';
  constructor() {
    super('request.unsupported', 'The service moves nothing from one account of the venue to another.', {
      hint: 'The venue itself does that.',
    });
  }
}

/** Somebody is to pay the fees, and nobody is named by an API key. */
export class NoSponsorError extends BaseError {
  override name = 'NoSponsorError';
  constructor(network: string) {
    super('auth.refused', `Fees are sponsored for an API key, and none is configured for ${network}.`, {
      hint: 'The sponsor is the app whose key it is. Without one, leave --sponsor out.',
      next: `ferry config set networks.${network}.apiKey`,
    });
  }
}

/** A withdrawal from the venue that should cost no gas, as none does. */
export class GaslessVenueError extends BaseError {
  override name = 'GaslessVenueError';
  constructor() {
    super('request.unsupported', 'A withdrawal from the venue costs no gas and takes no permit.', {
      hint: 'Leave --gasless and --permit out. The venue takes a fee of its own for the transfer.',
    });
  }
}

/** A wallet, or anything else, where the venue counts accounts. */
export class NoIndexError extends BaseError {
  override name = 'NoIndexError';
  constructor(text: string, what: string, chain: string) {
    const isAddress = /^0x[0-9a-fA-F]{40}$/.test(text);
    super(
      'request.invalid-address',
      isAddress
        ? `The ${what} on ${chain} is an account index, and ${text} is a wallet.`
        : `The ${what} "${text}" is not an account index of ${chain}.`,
      {
        hint: isAddress ? 'Look up which accounts the wallet has.' : 'An index is a whole number.',
        next: isAddress ? `ferry venue account ${text}` : 'ferry venue account',
      },
    );
  }
}

/** Both sides are the same, for the same account. */
export class NothingToDoError extends BaseError {
  override name = 'NothingToDoError';
  constructor(currency: Currency.Currency) {
    super('request.unsupported', `From ${Currency.format(currency)} to itself, for the same account, is no transfer.`, {
      hint: 'Name another token, another chain or another --recipient.',
    });
  }
}
