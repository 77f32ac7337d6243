/** The budget of a smoke run: spending caps and the amounts spent, in tokens and in dollars at the service's prices. */
import * as z from 'zod/mini';
import * as Amount from '../base/Amount.js';
import { BaseError } from '../base/Errors.js';
import * as Usd from '../base/Usd.js';
import * as Quote from '../quote/Quote.js';
import type { QuoteDocument } from '../quote/QuoteDocument.js';

/** A spending cap. If there are several, all of them apply. */
export type Cap = {
  /** Where the cap is set: `--max-spend`, or the file. */
  source: string;
  /** Total in millionths of a dollar, including gas. If undefined, only the listed tokens may be spent. */
  usd: bigint | undefined;
  tokens: readonly TokenCap[];
};

/** A cap in base units of one currency, excluding gas. */
export type TokenCap = { currency: string; decimals: number; max: bigint };

/** The spending of a case: a quoted transfer and its gas. */
export type Spending = {
  currency: string;
  /** A decimal in units of the currency. */
  amount: string;
  /** Millionths of a dollar, including gas. */
  usd: bigint;
};

export type Objection = { source: string; expected: string; found: string };

export const schema = z.object({
  caps: z.array(
    z.object({
      source: z.string(),
      usd: z.nullable(z.string()),
      tokens: z.array(z.object({ currency: z.string(), amount: z.string() })),
    }),
  ),
  /** By the quotes of signed transfers, whether delivered or refunded. */
  spent: z.object({ usd: z.string(), tokens: z.array(z.object({ currency: z.string(), amount: z.string() })) }),
});

/** The spending of a quoted transfer. @throws service.malformed if it has no price, which no budget can count */
export function spendingOf({ send, originGas }: Pick<QuoteDocument, 'send' | 'originGas'>): Spending {
  if (send.usd === null) throw Quote.missingField('details.currencyIn.amountUsd');
  return {
    currency: send.currency,
    amount: send.formatted,
    usd: priceOf(send.usd) + priceOf(originGas?.usd ?? '0'),
  };
}

/** A price in millionths of a dollar. Negative prices count as zero, or they would raise the budget. */
function priceOf(text: string): bigint {
  const usd = Usd.from(text) ?? 0n;
  return usd < 0n ? 0n : usd;
}

/** The first cap that the next spending would exceed; undefined if none. */
export function objection(caps: readonly Cap[], spent: readonly Spending[], next: Spending): Objection | undefined {
  for (const { source, usd, tokens } of caps) {
    const all = [...spent, next];
    const token = tokens.find(({ currency }) => currency === next.currency);
    if (!token && usd === undefined)
      return {
        source,
        expected: `only ${tokens.map(({ currency }) => currency).join(', ')}`,
        found: next.currency,
      };
    if (token) {
      const sum = sumOf(all, token);
      if (sum > token.max) return { source, expected: atMost(format(token, token.max)), found: format(token, sum) };
    }
    const dollars = all.reduce((total, each) => total + each.usd, 0n);
    if (usd !== undefined && dollars > usd)
      return { source, expected: atMost(Usd.format(usd)), found: Usd.format(dollars) };
  }
  return undefined;
}

/** Whether the caps limit the spending of a currency without relying on the service's prices. */
export function bounds(caps: readonly Cap[], currency: string): boolean {
  return caps.some(({ usd, tokens }) => usd === undefined || tokens.some((each) => each.currency === currency));
}

export function toDocument(caps: readonly Cap[], spent: readonly Spending[]): z.output<typeof schema> {
  const currencies = [...new Set(spent.map(({ currency }) => currency))];
  return {
    caps: caps.map(({ source, usd, tokens }) => ({
      source,
      usd: Usd.orNull(usd),
      tokens: tokens.map(({ currency, decimals, max }) => ({ currency, amount: Amount.format(max, decimals) })),
    })),
    spent: {
      usd: Usd.formatWire(spent.reduce((sum, { usd }) => sum + usd, 0n)),
      tokens: currencies.map((currency) => {
        const parts = spent.filter((each) => each.currency === currency);
        const decimals = Math.max(...parts.map(({ amount }) => Amount.decimalsOf(amount)));
        return { currency, amount: Amount.format(sumOf(parts, { currency, decimals }), decimals) };
      }),
    },
  };
}

function sumOf(spent: readonly Spending[], { currency, decimals }: Pick<TokenCap, 'currency' | 'decimals'>): bigint {
  return spent
    .filter((each) => each.currency === currency)
    .reduce((sum, { amount }) => sum + Amount.from(amount, decimals), 0n);
}

function format({ currency, decimals }: TokenCap, amount: bigint): string {
  return `${Amount.format(amount, decimals)} ${currency}`;
}

function atMost(text: string): string {
  return `at most ${text} in total`;
}

/** The case would exceed a cap. Thrown before anything is signed. */
export class SpendingError extends BaseError {
  override name = 'SpendingError';
  readonly objection: Objection;
  constructor(objection: Objection) {
    super('verify.cap', `This case would exceed a spending cap: ${objection.source}.`, {
      facts: [
        ['allowed', objection.expected],
        ['with this case', objection.found],
      ],
    });
    this.objection = objection;
  }
}
