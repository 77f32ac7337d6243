/** The failure to read or write a file of the sandbox's state. */
import { BaseError } from '../../core/base/Errors.js';

export class StateFileError extends BaseError {
  override name = 'StateFileError';
  constructor(path: string, what: 'read' | 'written', cause: unknown) {
    super('config.unwritable', `The state of the sandbox cannot be ${what}.`, {
      facts: [
        ['file', path],
        ['reason', cause instanceof Error ? cause.message : String(cause)],
      ],
      hint:
        what === 'written'
          ? 'The sandbox ends. What it has answered so far is kept; what fails with this error is not. ' +
            'Free some space, then start it again.'
          : 'Remove it to start with an empty sandbox.',
      next: what === 'written' ? 'ferry sandbox start' : 'ferry sandbox reset --yes',
      cause,
    });
  }
}
