/** What the user accepts at most, as a journal keeps it: a run that is resumed is held to the same. */
import * as z from 'zod/mini';
import type * as TransferIntent from '../quote/TransferIntent.js';

const nullableDigits = z.nullable(z.string().check(z.regex(/^\d+$/)));

/** Amounts as digits, null for no cap. */
export const schema = z.object({
  maxImpactBps: z.int(),
  maxFeeUsd: nullableDigits,
  minOut: nullableDigits,
  maxIn: nullableDigits,
  maxVenueFee: nullableDigits,
  maxAgeMs: z.number(),
});

/** `Intent.Caps` as a journal keeps them: amounts as digits, null for no cap. */
export type JournalCaps = z.output<typeof schema>;

/** Caps as they are written. */
export function from({ maxImpactBps, maxAgeMs, ...amounts }: TransferIntent.Caps): JournalCaps {
  const { maxFeeUsd, minOut, maxIn, maxVenueFee } = amounts;
  const text = (amount: bigint | undefined): string | null => (amount === undefined ? null : String(amount));
  return {
    maxImpactBps,
    maxFeeUsd: text(maxFeeUsd),
    minOut: text(minOut),
    maxIn: text(maxIn),
    maxVenueFee: text(maxVenueFee),
    maxAgeMs,
  };
}

/** Caps as they were written. */
export function toCaps({ maxImpactBps, maxAgeMs, ...amounts }: JournalCaps): TransferIntent.Caps {
  const { maxFeeUsd, minOut, maxIn, maxVenueFee } = amounts;
  const amount = (text: string | null): bigint | undefined => (text === null ? undefined : BigInt(text));
  return {
    maxImpactBps,
    maxFeeUsd: amount(maxFeeUsd),
    minOut: amount(minOut),
    maxIn: amount(maxIn),
    maxVenueFee: amount(maxVenueFee),
    maxAgeMs,
  };
}
