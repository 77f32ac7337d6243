/**
 * Lines that may be paid although the store has no run of them: it was restored from a copy, and the account has used nonces
 * or permits since. A person says which were not paid.
 */
import { BaseError } from '../base/Errors.js';
import * as TerminalText from '../text/TerminalText.js';
import { type Reason, reasonOf } from './BatchStore.js';

/** What a person is told about lines such as `payroll-11/a`. */
export function inWords(lines: readonly string[]): string {
  const some = TerminalText.listed(lines.map(TerminalText.escape));
  return `Held, since any of them may be paid: ${some}. Start the workers that have paid for the account: each puts back what it knows. Then compare the rest with the chain, and name what was not paid: ferry batch retry NAME --line ID, or --held for all.`;
}

/** The line may be paid by a run that the store has lost. */
export function heldLine(): BaseError {
  return new BaseError(
    'batch.unmatched',
    'The store has lost runs of this account, one of which may have paid this line: it is held, and not begun.',
    {
      hint: 'Start the workers that have paid for the account: each puts back what it knows. Then compare the rest with the chain, and name what was not paid.',
      next: 'ferry batch retry NAME --line ID',
    },
  );
}

/** Why such a line is not paid. */
export const reason: Reason = reasonOf(heldLine());
