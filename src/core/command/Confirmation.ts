/** Errors of confirmations that were not given. */
import { BaseError } from '../base/Errors.js';

export function confirmation(question: string): BaseError {
  return new BaseError('usage.confirmation', 'This needs confirmation, and there is no terminal to ask on.', {
    facts: [['question', question]],
    hint: 'Use --yes to confirm.',
  });
}

export function declined(): BaseError {
  return new BaseError('prompt.declined', 'Declined.');
}
