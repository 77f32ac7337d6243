/** The only questions ferry asks, by @inquirer, on stderr. */
import { BaseError } from '../core/Errors.js';
import type { Prompt } from '../core/Ports.js';

export type PromptOptions = {
  /** Whether somebody sits at stdin and stderr. */
  interactive: boolean;
  signal: AbortSignal;
};

/** Asks on the terminal; refuses where there is none, since a prompt on a closed stdin ends the process as a success. */
export function createPrompt({ interactive, signal }: PromptOptions): Prompt {
  const ask = async <T>(question: string, put: () => Promise<T>): Promise<T> => {
    if (!interactive) throw new UnavailableError(question);
    try {
      return await put();
    } catch (error) {
      if (error instanceof Error && /^(ExitPrompt|AbortPrompt|CancelPrompt)Error$/.test(error.name))
        throw new ClosedError();
      throw error;
    }
  };
  const context = { output: process.stderr, clearPromptOnDone: true, signal };
  return {
    confirm: (message) =>
      ask(message, async () => {
        const { default: confirm } = await import('@inquirer/confirm');
        return confirm({ message, default: false }, context);
      }),
    password: (message) =>
      ask(message, async () => {
        const { default: password } = await import('@inquirer/password');
        return password({ message, mask: true }, context);
      }),
  };
}

export class UnavailableError extends BaseError {
  override name = 'UnavailableError';
  constructor(question: string) {
    super('prompt.unavailable', 'ferry would have to ask something, and nobody can be asked here.', {
      facts: [['question', question]],
    });
  }
}

export class ClosedError extends BaseError {
  override name = 'ClosedError';
  constructor() {
    super('prompt.declined', 'The question was not answered.');
  }
}
