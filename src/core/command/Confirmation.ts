/** Errors of confirmations that were not given. */
import { BaseError } from '../base/Errors.js';

export class ConfirmationError extends BaseError {
  override name = 'ConfirmationError';
  constructor(question: string) {
    super('usage.confirmation', 'This needs confirmation, and there is no terminal to ask on.', {
      facts: [['question', question]],
      hint: 'Use --yes to confirm.',
    });
  }
}

export class DeclinedError extends BaseError {
  override name = 'DeclinedError';
  constructor() {
    super('prompt.declined', 'Declined.');
  }
}
