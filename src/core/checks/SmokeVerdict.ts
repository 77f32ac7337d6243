/** What a case came to, held against what was expected of it. */
import * as Amount from '../base/Amount.js';
import type { Code } from '../base/Errors.js';
import * as Errors from '../base/Errors.js';
import * as Usd from '../base/Usd.js';
import type * as SmokeBudget from './SmokeBudget.js';
import type * as SmokeFile from './SmokeFile.js';

/**
 * `unmet`: it ran, and an expectation was not met, or the cap did not let it run. `error`: it ended in a way that nobody
 * expected. `skipped`: it was not begun.
 */
export type Verdict = 'met' | 'unmet' | 'error' | 'skipped';

/** One expectation with what was found. */
export type Check = {
  what: 'outcome' | 'exit' | 'code' | 'status' | 'minOut' | 'maxFeeUsd' | 'maxSeconds' | 'cap';
  expected: string;
  found: string;
  met: boolean;
};

/** How a case ended. */
export type Found = {
  /** Null where it went well. */
  code: Code | null;
  /** The service's last word of an execution; null where there was none. */
  status: string | null;
  /** Decimals in units of the output: guaranteed by a quote, received by an execution. Null where nothing arrives. */
  out: string | null;
  /** Millionths of a dollar that the user pays; null where there was no quote. */
  feeUsd: bigint | null;
  seconds: number;
  /** The cap that stopped it. */
  objection?: SmokeBudget.Objection | undefined;
};

/** Every expectation with what was found, how it ended first. */
export function check({ expect }: Pick<SmokeFile.Case, 'expect'>, found: Found): Check[] {
  const { objection } = found;
  if (objection) {
    const { source, expected } = objection;
    return [{ what: 'cap', expected: `${expected} (${source})`, found: objection.found, met: false }];
  }
  const checks = outcomeOf(expect, found);
  const { minOut, maxFeeUsd, maxSeconds } = expect;
  if (minOut !== undefined)
    checks.push({
      what: 'minOut',
      expected: `at least ${minOut}`,
      found: found.out ?? 'nothing',
      met: found.out !== null && Amount.isAtLeast(found.out, minOut),
    });
  if (maxFeeUsd !== undefined)
    checks.push({
      what: 'maxFeeUsd',
      expected: `at most $${maxFeeUsd}`,
      found: found.feeUsd === null ? 'no quote' : dollars(found.feeUsd),
      met: found.feeUsd !== null && found.feeUsd <= (Usd.from(maxFeeUsd) ?? -1n),
    });
  if (maxSeconds !== undefined)
    checks.push({
      what: 'maxSeconds',
      expected: `at most ${maxSeconds} s`,
      found: `${found.seconds} s`,
      met: found.seconds <= maxSeconds,
    });
  return checks;
}

/** What the checks amount to. */
export function from(checks: readonly Check[], { code, objection }: Found): Verdict {
  if (checks.every(({ met }) => met)) return 'met';
  const isForeseen = checks.every(({ what, met }) => met || !outcomes.includes(what));
  return isForeseen || code === null || objection ? 'unmet' : 'error';
}

const outcomes: readonly Check['what'][] = ['outcome', 'exit', 'code', 'status'];

/** How it was to end; well, unless something else is written. */
function outcomeOf({ exit, code, status }: SmokeFile.Expect, found: Found): Check[] {
  const checks: Check[] = [];
  const exitFound = found.code === null ? 0 : Errors.entry(found.code).exit;
  if (code !== undefined)
    checks.push({ what: 'code', expected: code, found: found.code ?? 'no error', met: found.code === code });
  if (exit !== undefined)
    checks.push({ what: 'exit', expected: String(exit), found: String(exitFound), met: exitFound === exit });
  if (status !== undefined)
    checks.push({ what: 'status', expected: status, found: found.status ?? 'none', met: found.status === status });
  if (checks.length === 0)
    checks.push({ what: 'outcome', expected: 'no error', found: found.code ?? 'no error', met: found.code === null });
  return checks;
}

/** All six digits: what is held against a cap is not rounded. */
function dollars(usd: bigint): string {
  return `${usd < 0n ? '-' : ''}$${Amount.format(usd < 0n ? -usd : usd, Usd.decimals)}`;
}
