/** What cases may spend together, and what they have spent: dollars by the service's word, and units of tokens. */
import * as z from 'zod/mini';
import * as Amount from '../base/Amount.js';
import { BaseError } from '../base/Errors.js';
import * as Usd from '../base/Usd.js';
import type { QuoteDocument } from '../quote/QuoteDocument.js';

/** A cap as somebody set it. Where there are several, every one of them holds. */
export type Cap = {
  /** Who set it: `--max-spend`, or the file. */
  source: string;
  /** Millionths of a dollar for everything, gas included. Without it only the tokens named may be spent. */
  usd: bigint | undefined;
  tokens: readonly TokenCap[];
};

/** Base units of one currency, gas not counted. */
export type TokenCap = { currency: string; decimals: number; max: bigint };

/** What a case spends: a quoted transfer with its gas. */
export type Spending = {
  currency: string;
  /** As `formatted` has it: a decimal in units of the currency. */
  amount: string;
  usd: bigint;
};

/** Why a case may not spend what it would. */
export type Objection = { source: string; expected: string; found: string };

export const schema = z.object({
  caps: z.array(
    z.object({
      source: z.string(),
      usd: z.nullable(z.string()),
      tokens: z.array(z.object({ currency: z.string(), amount: z.string() })),
    }),
  ),
  /** By the quotes of what was signed, whether it arrived or came back. */
  spent: z.object({ usd: z.string(), tokens: z.array(z.object({ currency: z.string(), amount: z.string() })) }),
});

/** What a quoted transfer spends. */
export function spendingOf({ send, originGas }: Pick<QuoteDocument, 'send' | 'originGas'>): Spending {
  return {
    currency: send.currency,
    amount: send.formatted,
    usd: priceOf(send.usd) + priceOf(originGas?.usd ?? '0'),
  };
}

/** A price below zero would make room for more. */
function priceOf(text: string): bigint {
  const usd = Usd.from(text) ?? 0n;
  return usd < 0n ? 0n : usd;
}

/** The first cap that something more would break; undefined where all hold. */
export function objection(caps: readonly Cap[], spent: readonly Spending[], next: Spending): Objection | undefined {
  for (const { source, usd, tokens } of caps) {
    const all = [...spent, next];
    const token = tokens.find(({ currency }) => currency === next.currency);
    if (!token && usd === undefined)
      return {
        source,
        expected: `nothing but ${tokens.map(({ currency }) => currency).join(', ')}`,
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

/** Whether the caps bound what is paid of a currency without a word of the service. */
export function bounds(caps: readonly Cap[], currency: string): boolean {
  return caps.some(({ usd, tokens }) => usd === undefined || tokens.some((each) => each.currency === currency));
}

/** As the results have it. */
export function toDocument(caps: readonly Cap[], spent: readonly Spending[]): z.output<typeof schema> {
  const currencies = [...new Set(spent.map(({ currency }) => currency))];
  return {
    caps: caps.map(({ source, usd, tokens }) => ({
      source,
      usd: usd === undefined ? null : Usd.formatWire(usd),
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
  return `at most ${text} in all`;
}

/** A case is stopped before anything of it is signed. */
export class SpendingError extends BaseError {
  override name = 'SpendingError';
  readonly objection: Objection;
  constructor(objection: Objection) {
    super('verify.cap', `With this case ${objection.found} would be spent: more than ${objection.source} allows.`, {
      facts: [['allowed', objection.expected]],
    });
    this.objection = objection;
  }
}
