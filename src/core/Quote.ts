/** A quote as ferry understands it: the service's answer read against the intent that it is for. */
import type { Address } from './Address.js';
import * as Calldata from './Calldata.js';
import * as Decoding from './contract/Decoding.js';
import * as QuoteV2 from './contract/QuoteV2.js';
import * as Step from './contract/Step.js';
import { BaseError } from './Errors.js';
import * as Fees from './Fees.js';
import type { Intent } from './Intent.js';
import type { Hex } from './Ports.js';
import * as Usd from './Usd.js';

export type Quote = {
  intent: Intent;
  /** The answer, as it came. */
  response: QuoteV2.Response;
  /** Unix time in milliseconds at which it was asked for. */
  quotedAt: number;
  requestId: string;
  /** Base units that the sender gives. */
  input: bigint;
  /** Base units that are expected to arrive. */
  output: bigint;
  /** Base units that must arrive, or the transfer is refunded. */
  minimum: bigint;
  inputUsd: bigint;
  outputUsd: bigint;
  fees: Fees.Breakdown;
  /** Millionths of a dollar; negative is a loss. */
  totalImpactUsd: bigint;
  /** What the origin network takes for gas, by the service's estimate. */
  originGas: { amount: bigint; usd: bigint } | undefined;
  /** In the order in which they are sent. */
  transactions: readonly Transaction[];
};

/** One transaction of the steps, its calldata read. */
export type Transaction = {
  stepId: string;
  chainId: number;
  from: Address;
  to: Address;
  data: Hex;
  /** wei */
  value: bigint;
  gas: bigint | undefined;
  /** Undefined for a function that ferry does not know. */
  call: Calldata.Call | undefined;
  /** The status endpoint that the item names. */
  check: string | undefined;
};

/**
 * Reads an answer of `POST /quote/v2`.
 *
 * @throws quote.unsupported-step for steps that ferry cannot run · service.malformed for amounts that are no numbers
 */
export function from(response: QuoteV2.Response, intent: Intent, quotedAt: number): Quote {
  const { currencyIn, currencyOut, totalImpact, expandedPriceImpact } = response.details;
  const requestId = QuoteV2.requestIdOf(response);
  const fees = Fees.from(expandedPriceImpact);
  const totalImpactUsd = Usd.from(totalImpact.usd);
  const inputUsd = Usd.from(currencyIn.amountUsd);
  const outputUsd = Usd.from(currencyOut.amountUsd);
  if (requestId === undefined) throw new MissingError('requestId');
  if (!fees) throw new MissingError('details.expandedPriceImpact');
  if (totalImpactUsd === undefined) throw new MissingError('details.totalImpact.usd');
  if (inputUsd === undefined) throw new MissingError('details.currencyIn.amountUsd');
  if (outputUsd === undefined) throw new MissingError('details.currencyOut.amountUsd');
  const gas = response.fees?.gas;
  const gasUsd = gas && Usd.from(gas.amountUsd ?? '');
  return {
    intent,
    response,
    quotedAt,
    requestId,
    input: BigInt(currencyIn.amount),
    output: BigInt(currencyOut.amount),
    minimum: BigInt(currencyOut.minimumAmount),
    inputUsd,
    outputUsd,
    fees,
    totalImpactUsd,
    originGas: gas?.amount && gasUsd !== undefined ? { amount: BigInt(gas.amount), usd: gasUsd } : undefined,
    transactions: response.steps.flatMap(transactions),
  };
}

/** Whether it is older than it may be when executed. */
export function isExpired(quote: Quote, nowMs: number, maxAgeMs: number): boolean {
  return nowMs - quote.quotedAt > maxAgeMs;
}

function transactions(step: Step.Step): Transaction[] {
  const kind = Step.kindOf(step);
  if (kind !== 'transaction') throw new UnsupportedStepError(step.id, `is of kind "${step.kind}"`);
  return step.items.map(({ data, check }) => {
    const origin = Step.originOf(data);
    if (origin !== 'evm')
      throw new UnsupportedStepError(step.id, `is for ${origin === 'unknown' ? 'no chain that ferry knows' : origin}`);
    const decoding = Decoding.from(Step.evmTransaction, data);
    if (!decoding.ok)
      throw new UnsupportedStepError(
        step.id,
        `holds a transaction that cannot be read: ${decoding.problems.map(Decoding.format).join('; ')}`,
      );
    const { from, to, value, chainId, gas } = decoding.value;
    const bytes = decoding.value.data as Hex;
    return {
      stepId: step.id,
      chainId,
      from: from as Address,
      to: to as Address,
      data: bytes,
      value: BigInt(value),
      gas: gas === undefined ? undefined : BigInt(gas),
      call: Calldata.decode(bytes),
      check: check?.endpoint,
    };
  });
}

export class UnsupportedStepError extends BaseError {
  override name = 'UnsupportedStepError';
  constructor(stepId: string, why: string) {
    super('quote.unsupported-step', `The quote's step "${stepId}" ${why}.`, {
      hint: 'ferry signs only what it can read whole.',
    });
  }
}

export class MissingError extends BaseError {
  override name = 'MissingError';
  constructor(path: string) {
    super('service.malformed', `The quote has no readable ${path}.`, {
      hint: 'Ask again; if it stays so, tell the service.',
    });
  }
}
