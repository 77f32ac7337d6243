/** A quote as ferry understands it: the service's answer with everything that would be signed read from it. */

import * as QuoteV2 from '../api/QuoteV2.js';
import * as Decode from '../api/schema/Decode.js';
import * as FeeBreakdown from '../api/schema/FeeBreakdown.js';
import * as Step from '../api/schema/Step.js';
import type { Address } from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import * as Usd from '../base/Usd.js';
import type { Clock, Service } from '../ports/Ports.js';
import * as FeeTotals from './FeeTotals.js';
import * as KnownCalls from './KnownCalls.js';
import * as TransferIntent from './TransferIntent.js';

/** An answer of `POST /quote/v2`, whoever asked for it. */
export type Answer = {
  /** As it came. */
  response: QuoteV2.Response;
  requestId: string;
  /** Base units that the sender gives. */
  input: bigint;
  /** Base units that are expected to arrive. */
  output: bigint;
  /** Base units that must arrive, or the transfer is refunded. */
  minimum: bigint;
  inputUsd: bigint;
  outputUsd: bigint;
  fees: FeeTotals.Breakdown;
  /** Millionths of a dollar; negative is a loss. */
  totalImpactUsd: bigint;
  /** What the origin network takes for gas, by the service's estimate. */
  originGas: { amount: bigint; usd: bigint } | undefined;
  /** What is to be sent or signed, in order. */
  items: readonly Item[];
};

/** An answer with the intent that it is for. */
export type Quote = Answer & {
  intent: TransferIntent.Intent;
  /** Unix time in milliseconds at which it was asked for. */
  quotedAt: number;
};

/** One item of the steps. */
export type Item = Transaction | VenueTransfer | Signature | Unreadable;

type OfStep = {
  stepId: string;
  /** The status endpoint that the item names. */
  check: Step.Check | undefined;
  /** Where the step wants the money sent to instead of a depository. */
  depositAddress: string | undefined;
};

/** A transaction of an EVM chain, its calldata read. */
export type Transaction = OfStep & {
  kind: 'transaction';
  chainId: number;
  from: Address;
  to: Address;
  data: Hex;
  /** wei */
  value: bigint;
  gas: bigint | undefined;
  /** Undefined for a function that ferry does not know. */
  call: KnownCalls.Call | undefined;
};

/** A transfer on the venue. */
export type VenueTransfer = OfStep & { kind: 'venue'; parameters: Step.VenueTransfer['action']['parameters'] };

/** A message to sign; what it may be is judged where it is proved. */
export type Signature = OfStep & { kind: 'signature'; data: unknown };

/** An item that ferry cannot read whole, and so would never sign. */
export type Unreadable = OfStep & { kind: 'unreadable'; why: string };

/**
 * Asks the service for a quote. Where the intent has the platform's fee sponsored, a plain quote is asked for first: the
 * service's own word for that fee stands in it.
 *
 * @throws service.* · auth.refused
 */
export async function ask(
  intent: TransferIntent.Intent,
  { service, clock }: { service: Pick<Service, 'quote'>; clock: Pick<Clock, 'now'> },
): Promise<Quote> {
  const platformWord = TransferIntent.namesPlatform(intent) ? await askPlatformWord(intent, service) : undefined;
  const quotedAt = clock.now();
  return from(await service.quote(TransferIntent.toRequest(intent, platformWord)), intent, quotedAt);
}

async function askPlatformWord(intent: TransferIntent.Intent, service: Pick<Service, 'quote'>): Promise<string> {
  const plain = { ...intent, sponsor: undefined, maxSponsoredUsd: undefined };
  const { details } = await service.quote(TransferIntent.toRequest(plain));
  const found = FeeBreakdown.platform(details.expandedPriceImpact);
  if (!found) throw new MissingFieldError('details.expandedPriceImpact');
  return found.word;
}

/**
 * Reads an answer of `POST /quote/v2`.
 *
 * @throws service.malformed for amounts that are no numbers
 */
export function read(response: QuoteV2.Response): Answer {
  const { currencyIn, currencyOut, totalImpact, expandedPriceImpact } = response.details;
  const requestId = QuoteV2.requestIdOf(response);
  const fees = FeeTotals.from(expandedPriceImpact);
  const totalImpactUsd = Usd.from(totalImpact.usd);
  const inputUsd = Usd.from(currencyIn.amountUsd);
  const outputUsd = Usd.from(currencyOut.amountUsd);
  if (requestId === undefined) throw new MissingFieldError('requestId');
  if (!fees) throw new MissingFieldError('details.expandedPriceImpact');
  if (totalImpactUsd === undefined) throw new MissingFieldError('details.totalImpact.usd');
  if (inputUsd === undefined) throw new MissingFieldError('details.currencyIn.amountUsd');
  if (outputUsd === undefined) throw new MissingFieldError('details.currencyOut.amountUsd');
  const gas = response.fees?.gas;
  const gasUsd = gas && Usd.from(gas.amountUsd ?? '');
  return {
    response,
    requestId,
    input: BigInt(currencyIn.amount),
    output: BigInt(currencyOut.amount),
    minimum: BigInt(currencyOut.minimumAmount),
    inputUsd,
    outputUsd,
    fees,
    totalImpactUsd,
    originGas: gas?.amount && gasUsd !== undefined ? { amount: BigInt(gas.amount), usd: gasUsd } : undefined,
    items: response.steps.flatMap(items),
  };
}

/**
 * What the user loses to fees, in millionths of a dollar: zero or negative, as a rule. Some answers print what is
 * sponsored beside components that make up the loss without it; then the loss says what the user pays.
 */
export function feesTotal({ fees, totalImpactUsd }: Answer): bigint {
  return fees.sponsored === 0n ? FeeTotals.total(fees) : totalImpactUsd;
}

/** The quote that an answer is for an intent. @throws service.malformed */
export function from(response: QuoteV2.Response, intent: TransferIntent.Intent, quotedAt: number): Quote {
  return { ...read(response), intent, quotedAt };
}

/** The transactions among the items. */
export function transactions({ items: all }: Answer): Transaction[] {
  return all.filter((item) => item.kind === 'transaction');
}

/** Millionths of USDC that the venue takes for the quote's transfer, on top of its amount; undefined where there is none. */
export function venueFee({ items: all }: Answer): bigint | undefined {
  const transfer = all.find((item) => item.kind === 'venue');
  return transfer && BigInt(transfer.parameters.usdcFee);
}

/** Whether it is older than it may be when executed. */
export function isExpired(quote: Quote, nowMs: number, maxAgeMs: number): boolean {
  return nowMs - quote.quotedAt > maxAgeMs;
}

function items(step: Step.Step): Item[] {
  return step.items.map(({ data, check }): Item => {
    const of = { stepId: step.id, check, depositAddress: step.depositAddress || undefined };
    const kind = Step.kindOf(step);
    if (kind === 'signature') return { ...of, kind, data };
    if (kind === 'unknown') return { ...of, kind: 'unreadable', why: `is of kind "${step.kind}"` };
    const origin = Step.originOf(data);
    if (origin === 'evm') return transaction(of, data);
    if (origin === 'venue') return venueTransfer(of, data);
    const whose = origin === 'unknown' ? 'no chain that ferry knows' : origin;
    return { ...of, kind: 'unreadable', why: `is for ${whose}` };
  });
}

function transaction(of: OfStep, data: unknown): Item {
  const decoding = Decode.from(Step.evmTransaction, data);
  if (!decoding.ok) return unreadable(of, decoding.problems);
  const { from: sender, to, value, chainId, gas } = decoding.value;
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

/** An answer without something that every quote has. */
export class MissingFieldError extends BaseError {
  override name = 'MissingFieldError';
  constructor(path: string) {
    super('service.malformed', `The quote has no readable ${path}.`, {
      hint: 'Ask again; if it stays so, tell the service.',
    });
  }
}
