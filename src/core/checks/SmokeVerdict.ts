/** Compares the result of a smoke case with its expectations. */
import * as Amount from '../base/Amount.js';
import type { Code } from '../base/Errors.js';
import * as Errors from '../base/Errors.js';
import * as Usd from '../base/Usd.js';
import type * as SmokeBudget from './SmokeBudget.js';
import type * as SmokeFile from './SmokeFile.js';

/**
 * The verdict on a case. `unmet`: an expectation was not met, or a cap stopped the case. `error`: the case failed
 * unexpectedly. `skipped`: it was not started.
 */
export type Verdict = 'met' | 'unmet' | 'error' | 'skipped';

/** One expectation, and what was found. */
export type Check = {
  what: 'outcome' | 'exit' | 'code' | 'status' | 'minOut' | 'maxFeeUsd' | 'maxSeconds' | 'cap';
  expected: string;
  found: string;
  met: boolean;
};

export type CaseResult = {
  /** The error code; null if the case succeeded. */
  code: Code | null;
  /** The last status of an execution; null if there was none. */
  status: string | null;
  /**
   * A decimal in units of the output: guaranteed by a quote, or received by an execution. Null if nothing arrives, or if
   * the service alone says that it has.
   */
  out: string | null;
  /** The fees that the user pays, in millionths of a dollar; null if there was no quote. */
  feeUsd: bigint | null;
  seconds: number;
  /** The cap that stopped the case. */
  objection?: SmokeBudget.Objection | undefined;
};

/** All expectations with what was found, the outcome first. */
export function check({ expect }: Pick<SmokeFile.Case, 'expect'>, found: CaseResult): Check[] {
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
      found: found.out ?? (found.code === null ? 'not read from the chain' : 'nothing'),
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

export function from(checks: readonly Check[], { code, objection }: CaseResult): Verdict {
  if (checks.every(({ met }) => met)) return 'met';
  const isExpected = checks.every(({ what, met }) => met || !outcomes.includes(what));
  return isExpected || code === null || objection ? 'unmet' : 'error';
}

const outcomes: readonly Check['what'][] = ['outcome', 'exit', 'code', 'status'];

/** The expected outcome: success, unless the case says otherwise. */
function outcomeOf({ exit, code, status }: SmokeFile.Expect, found: CaseResult): Check[] {
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

/** Prints all six decimals, because amounts compared with a cap must not be rounded. */
function dollars(usd: bigint): string {
  return `${usd < 0n ? '-' : ''}$${Amount.format(usd < 0n ? -usd : usd, Usd.decimals)}`;
}
