/** Why a confirmation was not given. */
import { BaseError } from '../base/Errors.js';

export class ConfirmationError extends BaseError {
  override name = 'ConfirmationError';
  constructor(question: string) {
    super('usage.confirmation', 'This needs a confirmation, and nobody can be asked here.', {
      facts: [['question', question]],
      hint: 'Say --yes to answer it.',
    });
  }
}

export class DeclinedError extends BaseError {
  override name = 'DeclinedError';
  constructor() {
    super('prompt.declined', 'Declined.');
  }
}
