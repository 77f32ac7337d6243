/** One check of a proof: what had to hold, and what was found. */

/**
 * `cannot verify`: it should hold and cannot be shown. `not checked`: outside what was asked, such as the chain in an
 * offline proof.
 */
export type Verdict = 'verified' | 'mismatch' | 'cannot verify' | 'not checked';

/** What a check came to. */
export type Finding = {
  /** The check's name, which `--allow` takes: `recipient`, `order-id`, `order-binding`. */
  check: string;
  /** What it is about where a check runs more than once: a step's id. */
  subject: string | undefined;
  verdict: Verdict;
  expected: string;
  found: string;
};

/** Collects findings. */
export type Findings = {
  readonly list: readonly Finding[];
  /** Verified where it holds, else a mismatch. */
  say(check: string, holds: boolean, expected: string, found: string): void;
  /** Equal but for case; without an expectation it is not checked. */
  equal(check: string, expected: string | undefined, found: string | undefined): void;
  cannot(check: string, expected: string, why: string): void;
  skip(check: string, why: string): void;
  /** Takes over what was found elsewhere. */
  include(findings: readonly Finding[]): void;
};

/** An empty collection, for one subject. */
export function collect(subject?: string): Findings {
  const list: Finding[] = [];
  const add = (check: string, verdict: Verdict, expected: string, found: string): void => {
    list.push({ check, subject, verdict, expected, found });
  };
  return {
    list,
    say: (check, holds, expected, found) => add(check, holds ? 'verified' : 'mismatch', expected, found),
    equal: (check, expected, found) => {
      if (expected === undefined) add(check, 'not checked', 'whatever it is', found ?? 'nothing');
      else {
        const holds = found !== undefined && expected.toLowerCase() === found.toLowerCase();
        add(check, holds ? 'verified' : 'mismatch', expected, found ?? 'nothing');
      }
    },
    cannot: (check, expected, why) => add(check, 'cannot verify', expected, why),
    skip: (check, why) => add(check, 'not checked', '', why),
    include: (found) => list.push(...found),
  };
}
