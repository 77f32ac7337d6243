/** Quotes: an answer of `POST /quote/v2`, parsed, with every item that would be signed decoded. */

import * as QuoteV2 from '../api/QuoteV2.js';
import * as Decode from '../api/schema/Decode.js';
import * as FeeBreakdown from '../api/schema/FeeBreakdown.js';
import * as Step from '../api/schema/Step.js';
import type { Address } from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import * as Usd from '../base/Usd.js';
import type * as Network from '../network/Network.js';
import type { Clock, GasPrice, Service } from '../ports/Ports.js';
import * as FeeTotals from './FeeTotals.js';
import * as KnownCalls from './KnownCalls.js';
import * as TransferIntent from './TransferIntent.js';

/** A parsed answer of `POST /quote/v2`, independent of any intent. */
export type Answer = {
  /** The answer as received. */
  response: QuoteV2.Response;
  requestId: string;
  /** Base units that the sender pays. */
  input: bigint;
  /** Base units that are expected to arrive. */
  output: bigint;
  /** Minimum received in base units; if less would arrive, the transfer is refunded. */
  minimum: bigint;
  /** Millionths of a dollar, by the service's prices; undefined if it states none. */
  inputUsd: bigint | undefined;
  /** Likewise. */
  outputUsd: bigint | undefined;
  /** Undefined if the answer does not state them. */
  fees: FeeTotals.FeeTotals | undefined;
  /** Millionths of a dollar; negative is a loss. Undefined if it is neither stated nor known from the amounts. */
  totalImpactUsd: bigint | undefined;
  /** The service's estimate of origin gas: base units of the native asset, and millionths of a dollar. */
  originGas: { amount: bigint; usd: bigint } | undefined;
  /** Everything to send or sign, in order. */
  items: readonly Item[];
};

/** An answer together with the intent it was requested for. */
export type Quote = Answer & {
  intent: TransferIntent.Intent;
  /** Unix time of the request, in milliseconds. */
  quotedAt: number;
};

/** One item of the quote's steps. */
export type Item = Transaction | VenueTransfer | Signature | Unreadable;

type OfStep = {
  stepId: string;
  /** The request that the step says it is for. */
  requestId?: string | undefined;
  /** The status endpoint named by the item. */
  check: Step.Check | undefined;
  /** The address that the step wants paid instead of a depository. */
  depositAddress: string | undefined;
};

/** An EVM transaction with decoded calldata. */
export type Transaction = OfStep & {
  kind: 'transaction';
  chainId: number;
  from: Address;
  to: Address;
  data: Hex;
  /** In wei. */
  value: bigint;
  gas: bigint | undefined;
  /** The fees that the service would sign with; undefined if it states none. */
  fees: GasPrice | undefined;
  /** Undefined if ferry does not know the function. */
  call: KnownCalls.Call | undefined;
};

/** A transfer on the venue. */
export type VenueTransfer = OfStep & { kind: 'venue'; parameters: Step.VenueTransfer['action']['parameters'] };

/** A message to sign. The proof decides whether it may be signed. */
export type Signature = OfStep & { kind: 'signature'; data: unknown };

/** An item that ferry cannot decode completely, and so never signs. */
export type Unreadable = OfStep & { kind: 'unreadable'; why: string };

type Ports = {
  service: Pick<Service, 'quote'>;
  clock: Pick<Clock, 'now'>;
  /** The network of the intent; the solver's signature is asked for if it names one. */
  network: Pick<Network.Network, 'solver'>;
};

/**
 * Requests a quote from the service. If the intent sponsors the platform fee, an unsponsored quote is requested first,
 * to learn the name that the service uses for that fee.
 *
 * @throws service.* · auth.refused
 */
export async function ask(intent: TransferIntent.Intent, { service, clock, network }: Ports): Promise<Quote> {
  const platformWord = TransferIntent.namesPlatform(intent) ? await askPlatformWord(intent, service) : undefined;
  const quotedAt = clock.now();
  // The signature takes the service a moment more, and is worth nothing without a solver to expect.
  const wantsSignature = network.solver !== undefined;
  return from(
    await service.quote(TransferIntent.toRequest(intent, { platformWord, wantsSignature })),
    intent,
    quotedAt,
  );
}

async function askPlatformWord(intent: TransferIntent.Intent, service: Pick<Service, 'quote'>): Promise<string> {
  const plain = { ...intent, sponsor: undefined, maxSponsoredUsd: undefined };
  const { details } = await service.quote(TransferIntent.toRequest(plain));
  const found = details.expandedPriceImpact && FeeBreakdown.platform(details.expandedPriceImpact);
  if (!found) throw missingField('details.expandedPriceImpact');
  return found.word;
}

/**
 * Parses an answer of `POST /quote/v2`.
 *
 * @throws service.malformed if a required field is missing or is not a number
 */
export function read(response: QuoteV2.Response): Answer {
  const { currencyIn, currencyOut, totalImpact, expandedPriceImpact } = response.details;
  const requestId = QuoteV2.requestIdOf(response);
  const fees = expandedPriceImpact ? FeeTotals.from(expandedPriceImpact) : undefined;
  const inputUsd = Usd.from(currencyIn.amountUsd ?? '');
  const outputUsd = Usd.from(currencyOut.amountUsd ?? '');
  const difference = inputUsd === undefined || outputUsd === undefined ? undefined : outputUsd - inputUsd;
  const totalImpactUsd = Usd.from(totalImpact?.usd ?? '') ?? difference;
  const minimum = currencyOut.minimumAmount ?? response.protocol?.v2?.orderData.output.payments[0]?.minimumAmount;
  if (requestId === undefined) throw missingField('requestId');
  if (minimum === undefined) throw missingField('details.currencyOut.minimumAmount');
  const gas = response.fees?.gas;
  const gasUsd = Usd.from(gas?.amountUsd ?? '');
  return {
    response,
    requestId,
    input: BigInt(currencyIn.amount),
    output: BigInt(currencyOut.amount),
    minimum: BigInt(minimum),
    inputUsd,
    outputUsd,
    fees,
    totalImpactUsd,
    originGas: gas && gasUsd !== undefined ? { amount: BigInt(gas.amount), usd: gasUsd } : undefined,
    items: response.steps.flatMap(items),
  };
}

/**
 * The fees that the user pays, in millionths of a dollar: normally zero or negative. With a sponsor this is the total
 * impact, because some answers list the sponsored amount next to components that already exclude it.
 */
export function feesTotal({ fees, totalImpactUsd }: Answer): bigint | undefined {
  return fees?.sponsored === 0n ? FeeTotals.total(fees) : totalImpactUsd;
}

/** All that is charged to the user, the venue's fee on top of the amount included, in millionths of a dollar. */
export function costs(answer: Answer): bigint | undefined {
  const fees = feesTotal(answer);
  return fees === undefined ? undefined : (venueFee(answer) ?? 0n) - fees;
}

/** A gas top-up that the answer states: base units and millionths of a dollar. An unreadable one counts as absent. */
export function gasTopup({
  response,
}: Answer): { chainId: number | undefined; address: string; amount: bigint; usd: bigint | undefined } | undefined {
  const { amount, amountUsd, currency } = response.details.currencyGasTopup ?? {};
  if (!/^[0-9]{1,78}$/.test(amount ?? '') || BigInt(amount ?? 0) === 0n) return undefined;
  const usd = Usd.from(amountUsd ?? '');
  return {
    chainId: currency?.chainId ?? undefined,
    address: currency?.address ?? '',
    amount: BigInt(amount ?? 0),
    usd,
  };
}

/** The paths of the prices that the answer should state and does not. */
export function unpriced({ inputUsd, outputUsd, fees }: Answer): string[] {
  return [
    ...(inputUsd === undefined ? ['details.currencyIn.amountUsd'] : []),
    ...(outputUsd === undefined ? ['details.currencyOut.amountUsd'] : []),
    ...(fees ? [] : ['details.expandedPriceImpact']),
  ];
}

/** Parses an answer into the quote for an intent. @throws service.malformed */
export function from(response: QuoteV2.Response, intent: TransferIntent.Intent, quotedAt: number): Quote {
  return { ...read(response), intent, quotedAt };
}

/** The transactions among the items. */
export function transactions({ items: all }: Answer): Transaction[] {
  return all.filter((item) => item.kind === 'transaction');
}

/**
 * The venue's fee for the quote's transfer in millionths of USDC, charged on top of the amount; undefined if the quote
 * has no venue transfer.
 */
export function venueFee({ items: all }: Answer): bigint | undefined {
  const transfer = all.find((item) => item.kind === 'venue');
  return transfer && BigInt(transfer.parameters.usdcFee);
}

/** What identifies a transfer: its order, whose hash the order id is; on one chain, where there is none, the request. */
export function identityOf({ response, requestId }: Pick<Answer, 'response' | 'requestId'>): string {
  return (response.protocol?.v2?.orderId ?? requestId).toLowerCase();
}

/** Whether the quote is older than `maxAgeMs`, or so far ahead of the clock that its age is not known. */
export function isExpired(quote: Quote, nowMs: number, maxAgeMs: number): boolean {
  const ageMs = nowMs - quote.quotedAt;
  return ageMs > maxAgeMs || ageMs < -maxAgeMs;
}

function items(step: Step.Received): Item[] {
  return step.items.map(({ data, check }): Item => {
    const of = {
      stepId: step.id,
      requestId: step.requestId ?? undefined,
      check: check ?? undefined,
      depositAddress: step.depositAddress || undefined,
    };
    const kind = Step.kindOf(step);
    if (kind === 'signature') return { ...of, kind, data };
    if (kind === 'unknown') return { ...of, kind: 'unreadable', why: `is of kind "${step.kind}"` };
    const origin = Step.originOf(data);
    if (origin === 'evm') return transaction(of, data);
    if (origin === 'venue') return venueTransfer(of, data);
    const where = origin === 'unknown' ? 'a chain that ferry does not know' : origin;
    return { ...of, kind: 'unreadable', why: `is for ${where}` };
  });
}

function transaction(of: OfStep, data: unknown): Item {
  const decoding = Decode.from(Step.evmTransaction, data);
  if (!decoding.ok) return unreadable(of, decoding.problems);
  const { from: sender, to, value, chainId, gas, maxFeePerGas, maxPriorityFeePerGas } = decoding.value;
  const bytes = decoding.value.data as Hex;
  return {
    ...of,
    kind: 'transaction',
    chainId,
    from: sender as Address,
    to: to as Address,
    data: bytes,
    value: BigInt(value),
    gas: gas === undefined ? undefined : BigInt(gas),
    fees:
      maxFeePerGas === undefined
        ? undefined
        : { maxFeePerGas: BigInt(maxFeePerGas), maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas ?? 0) },
    call: KnownCalls.decode(bytes),
  };
}

function venueTransfer(of: OfStep, data: unknown): Item {
  const decoding = Decode.from(Step.venueTransfer, data);
  if (!decoding.ok) return unreadable(of, decoding.problems);
  return { ...of, kind: 'venue', parameters: decoding.value.action.parameters };
}

function unreadable(of: OfStep, problems: readonly Decode.Problem[]): Unreadable {
  return { ...of, kind: 'unreadable', why: `cannot be read: ${problems.map(Decode.format).join('; ')}` };
}

/** The answer lacks a field that every quote must have. */
export function missingField(path: string): BaseError {
  return new BaseError('service.malformed', `The quote has no readable ${path}.`, {
    hint: 'Try again. If the problem persists, report it to the service.',
  });
}
