/** What the user wants, in the user's terms; and the request that asks the service for it. */
import * as Address from './Address.js';
import * as Amount from './Amount.js';
import * as Currency from './Currency.js';
import type * as QuoteV2 from './contract/QuoteV2.js';
import { BaseError } from './Errors.js';
import * as Gasless from './Gasless.js';

export type TradeType = 'EXACT_INPUT' | 'EXACT_OUTPUT' | 'EXPECTED_OUTPUT';

export type Intent = {
  network: string;
  /** The sender: an EVM address. */
  user: Address.Address;
  origin: Currency.Currency;
  destination: Currency.Currency;
  tradeType: TradeType;
  /** Base units: of the input under EXACT_INPUT, else of the output. */
  amount: bigint;
  recipient: string;
  /** Where a refund goes on the origin chain. Always sent: without it the service does not refund by itself. */
  refundTo: Address.Address;
  /** Undefined leaves it to the service. */
  slippageBps: number | undefined;
  referrer: string | undefined;
  appFees: readonly AppFee[];
  /** The fee components that the integrator pays; undefined: none. */
  sponsor: 'all' | readonly string[] | undefined;
  /**
   * How the service is to submit it, if it is: by a signed batch or by a permit. The gas on the origin is then in the
   * execution fee.
   */
  gasless: 'batch' | 'permit' | undefined;
};

export type AppFee = { recipient: Address.Address; bps: number };

/** What the user accepts at most. */
export type Caps = {
  /** Basis points of the input that may be lost in all, by the service's own prices. */
  maxImpactBps: number;
  /** Millionths of a dollar of fees. */
  maxFeeUsd: bigint | undefined;
  /** Base units of the output that must be guaranteed. */
  minOut: bigint | undefined;
  /** Base units of the input that may be paid: what an output amount costs is the service's word alone. */
  maxIn?: bigint | undefined;
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
    user: Address.Address;
    slippageBps: number | undefined;
    referrer: string | undefined;
  },
): Intent {
  const { network, user } = surroundings;
  if (origin.chain.vm !== 'evm') throw new UnsupportedOriginError(origin);
  if (destination.chain.vm !== 'evm') throw new UnsupportedDestinationError(destination);
  if (amount <= 0n) throw new Amount.InvalidAmountError(String(amount), 'The amount must be more than zero.');
  const recipient = typed.recipient === undefined ? user : Address.from(typed.recipient, 'recipient');
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
    refundTo: typed.refundTo === undefined ? user : Address.from(typed.refundTo, 'refund address'),
    slippageBps: surroundings.slippageBps,
    referrer: typed.referrer ?? surroundings.referrer,
    appFees: (typed.appFee ?? []).map(appFee),
    sponsor: typed.sponsor === undefined ? undefined : sponsor(typed.sponsor),
    gasless: typed.permit ? 'permit' : typed.gasless ? 'batch' : undefined,
  };
}

/** @throws usage.invalid where both output forms are asked for */
export function tradeType(typed: Pick<Typed, 'exactOutput' | 'expectedOutput'>): TradeType {
  if (typed.exactOutput && typed.expectedOutput)
    throw new BaseError('usage.invalid', '--exact-output and --expected-output cannot be combined.');
  if (typed.exactOutput) return 'EXACT_OUTPUT';
  return typed.expectedOutput ? 'EXPECTED_OUTPUT' : 'EXACT_INPUT';
}

/** The body of `POST /quote/v2`, spec 2.3. */
export function toRequest(intent: Intent): QuoteV2.Request {
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
    ...(intent.gasless === 'batch' ? { originGasOverhead: Gasless.originGasOverhead } : {}),
    ...(intent.gasless === 'permit' ? { usePermit: true } : {}),
    ...(intent.sponsor === undefined ? {} : { subsidizeFees: true }),
    ...(intent.sponsor === undefined || intent.sponsor === 'all'
      ? {}
      : { sponsoredFeeComponents: [...intent.sponsor] as never }),
  };
}

function appFee(text: string): AppFee {
  const [recipient = '', bps = '', ...rest] = text.split(':');
  if (rest.length > 0 || !/^\d{1,4}$/.test(bps) || Number(bps) === 0)
    throw new BaseError('usage.invalid', `--app-fee "${text}" is not ADDRESS:BPS.`, {
      hint: '100 basis points are one percent.',
    });
  return { recipient: Address.from(recipient, 'app fee recipient'), bps: Number(bps) };
}

const sponsorable = ['execution', 'swap', 'platform', 'app', 'rent'];

function sponsor(text: string): 'all' | readonly string[] {
  if (text === 'all') return 'all';
  const components = text.split(',');
  const wrong = components.find((each) => !sponsorable.includes(each));
  if (wrong !== undefined)
    throw new BaseError('usage.invalid', `--sponsor cannot take "${wrong}".`, {
      hint: `all, or a list of ${sponsorable.join(', ')}.`,
    });
  return components;
}

export class UnsupportedOriginError extends BaseError {
  override name = 'UnsupportedOriginError';
  constructor({ chain }: Currency.Currency) {
    super('request.unsupported', `Transfers out of ${chain.name} cannot be executed yet.`, {
      hint: 'The origin must be an EVM chain.',
      next: 'ferry chains',
    });
  }
}

export class UnsupportedDestinationError extends BaseError {
  override name = 'UnsupportedDestinationError';
  constructor({ chain }: Currency.Currency) {
    super('request.unsupported', `Transfers into ${chain.name} cannot be executed yet.`, {
      hint: 'The destination must be an EVM chain.',
      next: 'ferry chains',
    });
  }
}

export class NothingToDoError extends BaseError {
  override name = 'NothingToDoError';
  constructor(currency: Currency.Currency) {
    super('request.unsupported', `From ${Currency.format(currency)} to itself, for the same account, is no transfer.`, {
      hint: 'Name another token, another chain or another --recipient.',
    });
  }
}
