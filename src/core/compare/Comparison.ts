/** The cost of a transfer over amounts and destinations: one row per combination. */

import * as z from 'zod/mini';
import * as Amount from '../base/Amount.js';
import { type BaseError, type Code, entry } from '../base/Errors.js';
import * as Usd from '../base/Usd.js';
import * as Currency from '../quote/Currency.js';
import * as FeeTotals from '../quote/FeeTotals.js';
import * as Quote from '../quote/Quote.js';
import * as QuoteDocument from '../quote/QuoteDocument.js';
import type { Intent } from '../quote/TransferIntent.js';

export type Comparison = z.output<typeof schema>;
export type Row = Comparison['rows'][number];
export type Priced = NonNullable<Row['quote']>;

/** A cost in dollars and in basis points of the input: positive if the user pays, negative if a sponsor does. */
const cost = z.object({ usd: z.string(), bps: z.nullable(z.string()) });
export type Cost = z.output<typeof cost>;

/** The same amount twice: in base units, and as a decimal in units of the token. */
const { amount } = QuoteDocument;
const valued = z.extend(amount, { usd: z.string() });
const currency = z.object({ currency: z.string(), chain: z.string(), symbol: z.string(), decimals: z.int() });

export const schema = z.object({
  /** Unix time of the first quote request, in milliseconds. */
  quotedAt: z.int(),
  origin: currency,
  /** In the order typed. */
  destinations: z.array(currency),
  /** By destination, then by ascending amount. */
  rows: z.array(
    z.object({
      destination: z.string(),
      send: amount,
      /** Null if there is none; then `error` says why. */
      quote: z.nullable(
        z.object({
          requestId: z.string(),
          send: valued,
          receive: valued,
          /** Minimum received; if less would arrive, the transfer is refunded. */
          minimum: amount,
          /** The total: fees and costs outside the fees. */
          cost,
          fees: z.object({ total: cost, execution: cost, swap: cost, platform: cost, app: cost, sponsored: cost }),
          /** Origin gas, or the venue's fee for the transfer. Null if the service states none. */
          outside: z.nullable(z.extend(cost, { takenBy: z.enum(['network', 'venue']) })),
          timeEstimateSeconds: z.nullable(z.number()),
        }),
      ),
      error: z.nullable(
        z.object({
          code: z.string(),
          message: z.string(),
          facts: z.record(z.string(), z.string()),
          hint: z.nullable(z.string()),
          retryable: z.boolean(),
          exit: z.int(),
        }),
      ),
    }),
  ),
});

export type Result = { intent: Intent; answer: Quote.Answer } | { intent: Intent; error: BaseError };

/** The comparison of one or more results: of destinations in the order in which they first come, of amounts by size. */
export function from(origin: Currency.Currency, results: readonly Result[], quotedAt: number): Comparison {
  const destinations = new Map(
    results.map(({ intent }) => [Currency.format(intent.destination), intent.destination] as const),
  );
  const order = [...destinations.keys()];
  const place = ({ destination }: Intent): number => order.indexOf(Currency.format(destination));
  const sorted = [...results].sort(
    (a, b) => place(a.intent) - place(b.intent) || Number(a.intent.amount - b.intent.amount),
  );
  return {
    quotedAt,
    origin: toCurrency(origin),
    destinations: [...destinations.values()].map(toCurrency),
    rows: sorted.map(row),
  };
}

const forAll: readonly Code[] = ['service.unreachable', 'service.redirected', 'auth.refused', 'config.unwritable'];

/** Whether a failure would repeat for every quote, so that further requests are pointless. */
export function isForAll({ code }: BaseError): boolean {
  return forAll.includes(code);
}

/** The worst error code if every quote failed: a bug, then authorization, then the service. Undefined otherwise. */
export function worst({ rows }: Comparison): Code | undefined {
  const codes = rows.flatMap(({ error }) => (error ? [error.code as Code] : []));
  if (codes.length < rows.length) return undefined;
  const rank = (code: Code): number => [1, 4, 3].indexOf(entry(code).exit) + 1 || 4;
  return codes.sort((a, b) => rank(a) - rank(b))[0];
}

export function of({ rows }: Comparison, { currency: wanted }: { currency: string }): Row[] {
  return rows.filter(({ destination }) => destination === wanted);
}

function row(result: Result): Row {
  const { intent } = result;
  const { origin } = intent;
  const send = Amount.toDocument(intent.amount, origin.token.decimals);
  const destination = Currency.format(intent.destination);
  const failed = (error: BaseError): Row => ({ destination, send, quote: null, error: failure(error) });
  if ('error' in result) return failed(result.error);
  const { fees, inputUsd, outputUsd } = result.answer;
  if (!fees || inputUsd === undefined || outputUsd === undefined)
    return failed(Quote.missingField(Quote.unpriced(result.answer).join(', ')));
  return { destination, send, quote: priced(result.answer, { fees, inputUsd, outputUsd }, intent), error: null };
}

type Prices = { fees: FeeTotals.FeeTotals; inputUsd: bigint; outputUsd: bigint };

function priced(answer: Quote.Answer, { fees, inputUsd, outputUsd }: Prices, intent: Intent): Priced {
  const { origin, destination } = intent;
  const costOf = (usd: bigint): Cost => ({
    usd: Usd.formatWire(usd),
    bps: inputUsd > 0n ? (Usd.formatBps(usd, inputUsd) ?? null) : null,
  });
  const paid = -FeeTotals.total(fees);
  const outside = outsideOf(answer, intent);
  const out = destination.token.decimals;
  return {
    requestId: answer.requestId,
    send: { ...Amount.toDocument(answer.input, origin.token.decimals), usd: Usd.formatWire(inputUsd) },
    receive: { ...Amount.toDocument(answer.output, out), usd: Usd.formatWire(outputUsd) },
    minimum: Amount.toDocument(answer.minimum, out),
    cost: costOf(paid + (outside?.usd ?? 0n)),
    fees: {
      total: costOf(paid),
      execution: costOf(-fees.execution),
      swap: costOf(-fees.swap),
      platform: costOf(-fees.platform),
      app: costOf(-fees.app),
      sponsored: costOf(-fees.sponsored),
    },
    outside: outside ? { ...costOf(outside.usd), takenBy: outside.takenBy } : null,
    timeEstimateSeconds: answer.response.details.timeEstimate ?? null,
  };
}

/** A gasless user pays for the relayer's gas, which the execution fee includes. */
function outsideOf(
  answer: Quote.Answer,
  { origin, gasless }: Intent,
): { usd: bigint; takenBy: 'network' | 'venue' } | undefined {
  if (gasless !== undefined) return undefined;
  const isVenue = origin.chain.vm === 'lvm';
  const usd = answer.originGas?.usd ?? (isVenue ? Quote.venueFee(answer) : undefined);
  return usd === undefined ? undefined : { usd, takenBy: isVenue ? 'venue' : 'network' };
}

function failure(error: BaseError): Row['error'] {
  const { code, message, facts, hint, retryable, exit } = error;
  return { code, message, facts: Object.fromEntries(facts), hint: hint ?? null, retryable, exit };
}

function toCurrency(of: Currency.Currency): Comparison['origin'] {
  const { chain, token } = of;
  return { currency: Currency.format(of), chain: chain.name, symbol: token.symbol, decimals: token.decimals };
}
