/** What all cases came to: what `ferry smoke --json` prints, and what its table and its JUnit file are made of. */
import * as z from 'zod/mini';
import * as ErrorSeverity from '../base/ErrorSeverity.js';
import type { Code } from '../base/Errors.js';
import * as SmokeBudget from './SmokeBudget.js';
import type * as SmokeFile from './SmokeFile.js';
import type { Check, Verdict } from './SmokeVerdict.js';

const text = z.nullable(z.string());

const attempt = z.object({ code: z.string(), message: z.string(), seconds: z.number() });

const result = z.object({
  name: z.string(),
  does: z.enum(['quote', 'execute']),
  /** `100 alpha/usdc → beta/usdc`, as written. */
  route: z.string(),
  verdict: z.enum(['met', 'unmet', 'error', 'skipped']),
  checks: z.array(z.object({ what: z.string(), expected: z.string(), found: z.string(), met: z.boolean() })),
  /** How it ended; null where it went well or was not begun. */
  error: z.nullable(
    z.object({
      code: z.string(),
      exit: z.int(),
      message: z.string(),
      /** What tells more, a line each. */
      facts: z.array(z.string()),
      hint: text,
      /** The command to type next. */
      next: text,
    }),
  ),
  /** The service's last word of an execution. */
  status: text,
  /** Where the money is. */
  funds: z.enum(['untouched', 'in-flight', 'returned', 'held', 'delivered', 'unknown']),
  /** Of the last attempt. */
  seconds: z.number(),
  /** Those before the last one: nothing was signed in them, and what failed them may pass. */
  failedAttempts: z.array(attempt),
  requestId: text,
  run: text,
});

export type Result = z.output<typeof result>;

export type Attempt = z.output<typeof attempt>;

export const schema = z.object({
  /** Null for the list that is built in. */
  file: text,
  /** Unix time in milliseconds. */
  startedAt: z.number(),
  seconds: z.number(),
  version: z.string(),
  results: z.array(result),
  met: z.int(),
  unmet: z.int(),
  errors: z.int(),
  skipped: z.int(),
  /** What the exit code stands for: the worst that nobody expected. */
  worst: text,
  budget: SmokeBudget.schema,
});

export type Report = z.output<typeof schema>;

export type Source = Pick<Report, 'file' | 'startedAt' | 'seconds' | 'version' | 'budget'>;

/** The results with their counts. */
export function from(results: readonly Result[], source: Source): Report {
  const count = (verdict: Verdict): number => results.filter((each) => each.verdict === verdict).length;
  return {
    ...source,
    results: [...results],
    met: count('met'),
    unmet: count('unmet'),
    errors: count('error'),
    skipped: count('skipped'),
    worst: worstOf(results) ?? null,
  };
}

/** A case that was not begun. */
export function skipped({ name, does, amount, from: origin, to }: SmokeFile.Case): Result {
  return {
    ...{ name, does, route: `${amount} ${origin} → ${to}` },
    verdict: 'skipped',
    checks: [],
    error: null,
    status: null,
    funds: 'untouched',
    seconds: 0,
    failedAttempts: [],
    requestId: null,
    run: null,
  };
}

/** The worst of what was not expected; where everything else went as expected, that an expectation was not met. */
function worstOf(results: readonly Result[]): Code | undefined {
  const codes = results.flatMap(({ verdict, error }) => (verdict === 'error' && error ? [error.code as Code] : []));
  const worst = codes.reduce<Code | null>(ErrorSeverity.worse, null);
  return worst ?? (results.some(({ verdict }) => verdict === 'unmet') ? 'expect.unmet' : undefined);
}

/** What to say of a result that is not as it should be, in one line. */
export function reasonOf({ verdict, checks, error }: Pick<Result, 'verdict' | 'checks' | 'error'>): string {
  if (verdict === 'error' && error) return `${error.code}: ${error.message}`;
  return checks
    .filter(({ met }) => !met)
    .map(formatCheck)
    .join('; ');
}

/** `minOut: expected at least 98, found 97.5`. */
export function formatCheck({ what, expected, found }: Omit<Check, 'what' | 'met'> & { what: string }): string {
  return `${what}: expected ${expected}, found ${found}`;
}
