/** Findings of a proof: for each check, what was expected, what was found, and the verdict. */

import * as AddressText from '../base/AddressText.js';

/**
 * The result of a check. `cannot verify`: required, but the evidence is missing. `not checked`: not required, or out of
 * reach by design, such as on-chain state in an offline proof.
 */
export type Verdict = 'verified' | 'mismatch' | 'cannot verify' | 'not checked';

/** The checks that can remain unverified: what `--allow` can accept, but for a message, which nobody can. */
export const allowable = [
  ...['arrival-calls', 'arrival-code', 'contract', 'decimals', 'delivered', 'deposit', 'deposit-address'],
  ...['deposit-factory', 'depository', 'effect', 'effect-allowances', 'effect-balances', 'effect-input'],
  ...['effect-output', 'expired', 'fill-order', 'foreign-nonces', 'gas', 'gas-topup', 'input-currency', 'journal'],
  ...['loss', 'nft-recipient', 'order-binding', 'order-calls', 'order-extra-data', 'order-id', 'order-input-chain'],
  ...['order-input-currency', 'order-output-chain', 'order-recipient', 'order-refunds', 'order-version'],
  ...['origin-minimum', 'output-currency', 'price', 'quote-file', 'refund-currency', 'refund-to', 'router-calls'],
  ...['router-failures', 'signature-message', 'signature-post', 'signature-relayer', 'signature-spender'],
  ...['simulation', 'solver-signature', 'step', 'swap', 'unusable-address', 'venue-account'],
] as const;

/** The name of one of them. */
export type Allowable = (typeof allowable)[number];

/** The outcome of one check. */
export type Finding = {
  /** The name of the check, as `--allow` takes it: `recipient`, `order-id`, `order-binding`. */
  check: string;
  /** Tells apart checks that run more than once: the id of a step. */
  subject: string | undefined;
  verdict: Verdict;
  expected: string;
  found: string;
  /**
   * Who shows what was found, of those who do not depend on each other. Stated for what decides about money: a finding
   * that cannot be verified and has a witness rests on that one alone.
   */
  witnesses?: readonly string[];
};

/** The witness of what only the user can decide about: it is shown, and may be what is wanted, but hardly is. */
export const user = 'you';

/** A collector of findings. */
export type Findings = {
  readonly list: readonly Finding[];
  /** Adds `verified` if the check holds, else `mismatch`. */
  say(check: string, holds: boolean, expected: string, found: string, witnesses?: readonly string[]): void;
  /** Compares ignoring the case of hexadecimal digits. Adds `not checked` if nothing is expected. */
  equal(check: string, expected: string | undefined, found: string | undefined): void;
  /** Adds `cannot verify`. `witness` is the one who says so, if there is one and a second is missing. */
  cannot(check: Allowable, expected: string, why: string, witness?: string): void;
  /** Adds `not checked`. */
  skip(check: string, why: string): void;
  /** Adds findings from another collector. */
  include(findings: readonly Finding[]): void;
};

/** An empty collector for one subject. */
export function collect(subject?: string): Findings {
  const list: Finding[] = [];
  const add = (
    check: string,
    verdict: Verdict,
    expected: string,
    found: string,
    witnesses: readonly string[] = [],
  ): void => {
    list.push({ check, subject, verdict, expected, found, ...(witnesses.length > 0 ? { witnesses } : {}) });
  };
  return {
    list,
    say: (check, holds, expected, found, witnesses) =>
      add(check, holds ? 'verified' : 'mismatch', expected, found, witnesses),
    equal: (check, expected, found) => {
      if (expected === undefined) add(check, 'not checked', 'any value', found ?? 'nothing');
      else {
        const holds = found !== undefined && AddressText.isEqual(expected, found);
        add(check, holds ? 'verified' : 'mismatch', expected, found ?? 'nothing');
      }
    },
    cannot: (check, expected, why, witness) =>
      add(check, 'cannot verify', expected, why, witness === undefined ? [] : [witness]),
    skip: (check, why) => add(check, 'not checked', '', why),
    include: (found) => list.push(...found),
  };
}
