/** Fee comparisons by the sandbox's own engine on the market of ./market.ts, without a chain or a server. */

import { BaseError } from '../../src/core/base/Errors.js';
import * as Comparison from '../../src/core/compare/Comparison.js';
import type * as TransferIntent from '../../src/core/quote/TransferIntent.js';
import { intent, quote } from './quoted.js';

export const quotedAt = Date.UTC(2030, 0, 2, 3, 4, 5);

/** The result for each amount and destination. */
export async function results(
  amounts: readonly string[],
  from: string,
  to: readonly string[],
  typed: TransferIntent.Typed = {},
): Promise<Comparison.Result[]> {
  return Promise.all(
    to.flatMap((destination) =>
      amounts.map(async (amount): Promise<Comparison.Result> => {
        const asked = intent(amount, from, destination, typed);
        return { intent: asked, answer: await quote(asked) };
      }),
    ),
  );
}

/** The error of a refused quote. */
export function refusal(code: string, message: string): BaseError {
  const facts = [
    ['code', code],
    ['message', message],
  ] as const;
  return new BaseError('service.refused', 'The service refused to quote.', { facts, httpStatus: 400 });
}

export async function comparison(...asked: Parameters<typeof results>): Promise<Comparison.Comparison> {
  const came = await results(...asked);
  const [first] = came;
  if (!first) throw new Error('nothing was asked');
  return Comparison.from(first.intent.origin, came, quotedAt);
}

/** A comparison from numbers: for each destination, the basis points at each amount, or null without a quote. */
export function drawn(
  costs: Readonly<Record<string, Readonly<Record<string, number | null>>>>,
  symbol = 'ETH',
): Comparison.Comparison {
  const currency = (name: string) => ({ currency: name, chain: 'alpha', symbol, decimals: 18 });
  return {
    quotedAt,
    origin: currency('alpha/eth'),
    destinations: Object.keys(costs).map(currency),
    rows: Object.entries(costs).flatMap(([destination, all]) =>
      ascending(all).map(([formatted, bps]): Comparison.Row => {
        const send = { amount: '1', formatted };
        const error = { code: 'service.refused', message: 'No.', facts: {}, hint: null, retryable: false, exit: 3 };
        return {
          destination,
          send,
          quote: bps === null ? null : priced(formatted, bps),
          error: bps === null ? error : null,
        };
      }),
    ),
  };
}

/** Restores the order: an object lists integer keys first, whatever their written order. */
function ascending<T>(amounts: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(amounts).sort(([a], [b]) => Number(a) - Number(b));
}

function priced(formatted: string, bps: number): Comparison.Priced {
  // The input is worth 1,000,000 dollars, so a dollar is a hundredth of a basis point.
  const cost = { usd: (bps * 100).toFixed(6), bps: bps.toFixed(1) };
  const none = { usd: '0.000000', bps: '0.0' };
  return {
    requestId: '0x1',
    send: { amount: '1', formatted, usd: '1000000.000000' },
    receive: { amount: '1', formatted: '1', usd: '1.000000' },
    minimum: { amount: '1', formatted: '1' },
    cost,
    fees: { total: cost, execution: cost, swap: none, platform: none, app: none, sponsored: none },
    outside: null,
    timeEstimateSeconds: null,
  };
}
