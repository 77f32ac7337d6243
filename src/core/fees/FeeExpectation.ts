/** The requirements of `--check` on a bill. Dollar amounts are bigint millionths. */
import { BaseError } from '../base/Errors.js';
import * as Usd from '../base/Usd.js';
import * as TerminalText from '../text/TerminalText.js';
import type { Check } from './FeeCheck.js';
import type { Comparison } from './FeeSchedule.js';

/** How much more than quoted may be charged: in millionths of a dollar, or in millionths of the input. */
export type Tolerance = { of: 'usd' | 'input'; millionths: bigint };

export type Expectation = { tolerance: Tolerance; isScheduleStrict: boolean };

/** The default: half a percent of the input. */
export const initial: Tolerance = { of: 'input', millionths: 5_000n };

/** Parses `0.5%` of the input, or dollars. @throws usage.invalid @example toleranceFrom('0.05') */
export function toleranceFrom(text: string): Tolerance {
  const match = /^(?:(\d{1,3}(?:\.\d{1,4})?)%|\$?(\d{1,12}(?:\.\d{1,6})?))$/.exec(text);
  const [, percent, dollars] = match ?? [];
  const usd = Usd.from(percent ?? dollars ?? '');
  if (usd === undefined)
    throw new BaseError('usage.invalid', `"${TerminalText.escape(text)}" is not a tolerance.`, {
      hint: 'Give a percentage of the input, such as 0.5%, or dollars, such as 0.05.',
    });
  return percent === undefined ? { of: 'usd', millionths: usd } : { of: 'input', millionths: usd / 100n };
}

/** The tolerance in dollars; undefined if it is relative to an input of unknown value. */
function toUsd({ of, millionths }: Tolerance, inputUsd: bigint | undefined): bigint | undefined {
  if (of === 'usd') return millionths;
  return inputUsd === undefined ? undefined : (inputUsd * millionths) / 1_000_000n;
}

type Judged = {
  checks: readonly Check[];
  schedule: Comparison | undefined;
  moreUsd: bigint;
  inputUsd: bigint | undefined;
};

/** The requirements that are not met, one line each. An undecided check is not a breach. */
export function unmet({ checks, schedule, moreUsd, inputUsd }: Judged, expectation: Expectation): string[] {
  const { tolerance, isScheduleStrict } = expectation;
  const limit = toUsd(tolerance, inputUsd);
  const [predicted, charged, more] = [schedule?.predicted, schedule?.charged, moreUsd].map((usd = 0n) =>
    Usd.formatWire(usd),
  );
  return [
    ...checks
      .filter(({ verdict }) => verdict === 'broken')
      .map(({ check, expected, found }) => `${check}: expected ${expected}, found ${found}`),
    ...(isScheduleStrict && schedule && !schedule.isOnSchedule
      ? [`platform-fee: expected ${predicted} by the schedule, charged ${charged}`]
      : []),
    ...(limit !== undefined && moreUsd > limit
      ? [`charged: ${more} more than quoted, at most ${format(tolerance)} allowed`]
      : []),
  ];
}

export function format({ of, millionths }: Tolerance): string {
  const digits = Usd.formatWire(of === 'usd' ? millionths : millionths * 100n).replace(/\.?0+$/, '');
  return of === 'usd' ? `$${digits}` : `${digits}%`;
}
