/**
 * All prompts of ferry, built on inquirer. They appear on stderr and are cleared once answered. inquirer takes 10 ms to
 * load, so import this file only when there is something to ask.
 */
import { confirm, input, password, search, select } from '@inquirer/prompts';
import { BaseError } from '../../core/base/Errors.js';
import type { Objection, Prompt } from '../../core/ports/Ports.js';

export type PromptOptions = {
  /** Whether stdin and stderr are a terminal. */
  interactive: boolean;
  signal: AbortSignal;
  /** Defaults to stdin, as `output` does to stderr. */
  input?: NodeJS.ReadableStream | undefined;
  output?: NodeJS.WritableStream | undefined;
};

/**
 * Creates prompts on the terminal. Without one they throw, because a prompt on a closed stdin would end the process
 * with success. Ctrl-C and Ctrl-D decline a prompt.
 */
export function createPrompt(options: PromptOptions): Prompt {
  return {
    confirm: (message, enter = 'no') =>
      ask(message, options, (context) => confirm({ message, default: enter === 'yes' }, context)),
    password: (message, object) =>
      ask(message, options, (context) => password({ message, mask: true, validate: validating(object) }, context)),
    text: (message, object) =>
      ask(message, options, async (context) => {
        const validate = validating(object);
        return (await input({ message, validate: (answer) => validate(answer.trim()) }, context)).trim();
      }),
    choose: (message, choices) =>
      ask(message, options, (context) => select({ message, choices, loop: false }, context)),
    search: (message, find) =>
      ask(message, options, (context) => {
        const source = async (term = ''): Promise<{ value: string; name: string }[]> =>
          (await find(term)).map(({ value, description }) => ({ value, name: description }));
        return search({ message, source, pageSize: 10 }, context);
      }),
  };
}

/** An objection as inquirer's validation: shown below the answer, which can then be corrected. */
function validating(object: Objection | undefined): (answer: string) => Promise<string | true> {
  return async (answer) => (await object?.(answer)) ?? true;
}

type Context = {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  signal: AbortSignal;
  clearPromptOnDone: boolean;
};

async function ask<T>(
  question: string,
  { interactive, signal, input = process.stdin, output = process.stderr }: PromptOptions,
  put: (context: Context) => Promise<T>,
): Promise<T> {
  if (!interactive) throw new UnavailableError(question);
  signal.throwIfAborted();
  // inquirer does not notice the end of its input: its promise stays pending, and a process with nothing left to do
  // exits with success. Ctrl-D closes the line reader, which pauses the input.
  const closed = new AbortController();
  const close = (): void => closed.abort();
  for (const event of ends) input.once(event, close);
  try {
    return await put({ input, output, signal: AbortSignal.any([signal, closed.signal]), clearPromptOnDone: true });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof Error && /^(ExitPrompt|AbortPrompt|CancelPrompt)Error$/.test(error.name))
      throw new ClosedError();
    throw error;
  } finally {
    for (const event of ends) input.removeListener(event, close);
  }
}

const ends = ['pause', 'end', 'close'] as const;

export class UnavailableError extends BaseError {
  override name = 'UnavailableError';
  constructor(question: string) {
    super('prompt.unavailable', 'ferry needs an answer, and there is no terminal to prompt for it.', {
      facts: [['question', question]],
      hint: 'Use --yes to confirm, and pass a password as a file.',
    });
  }
}

export class ClosedError extends BaseError {
  override name = 'ClosedError';
  constructor() {
    super('prompt.declined', 'The question was not answered.');
  }
}
