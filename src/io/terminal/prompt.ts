/**
 * All prompts of ferry, built on inquirer. They appear on stderr and are cleared once answered; the question stays in view
 * with its answer, but for a password's. inquirer takes 10 ms to load, so import this file only when there is something
 * to ask.
 */
import { input, password, search, select } from '@inquirer/prompts';
import { BaseError } from '../../core/base/Errors.js';
import type { Objection, Prompt } from '../../core/ports/Ports.js';
import * as TerminalLine from '../../core/text/TerminalLine.js';
import * as TerminalText from '../../core/text/TerminalText.js';

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
    // inquirer's own keeps an answer that it objects to, in words of its own.
    async confirm(message, enter = 'no', secret = '') {
      const choice = enter === 'yes' ? '(Y/n)' : '(y/N)';
      for (let asked = message; ; asked = `Answer y or n. ${message}`) {
        const answer = await ask(message, options, (context) =>
          input({ message: fitted(`${secret}${asked} ${choice}`, options) }, context),
        );
        const word = answer.trim().toLowerCase();
        const meant = word === '' ? enter : answers[word];
        if (meant !== undefined) return keep(message, meant, options) === 'yes';
      }
    },
    password: (message, object) =>
      ask(message, options, (context) =>
        password({ message: fitted(message, options), mask: true, validate: validating(object, options) }, context),
      ),
    text: (message, object) =>
      ask(message, options, async (context) => {
        const validate = validating(object, options);
        const answer = await input(
          { message: fitted(message, options), validate: (answer) => validate(answer.trim()) },
          context,
        );
        return keep(message, answer.trim(), options);
      }),
    choose: (message, choices) =>
      ask(message, options, async (context) =>
        keep(
          message,
          await select(
            {
              message: fitted(message, options),
              choices: choices.map(({ value, description }) => ({ value, description: fitted(description, options) })),
              loop: false,
              theme: tipped('Move with the arrow keys, select with Enter.', options),
            },
            context,
          ),
          options,
        ),
      ),
    async search(message, find, object) {
      // inquirer's own validation writes the choice into the search and shows the objection only on a second Enter.
      for (let asked = message; ; ) {
        const answer = await ask(message, options, async (context) => {
          const looking = lookingUp(find, context.input, options);
          const question = {
            message: fitted(asked, options),
            source: looking.source,
            pageSize: 10,
            theme: tipped('Type to filter, move with the arrow keys, select with Enter.', options),
          };
          return search(question, context).finally(looking.end);
        });
        const wrong = await object?.(answer);
        if (wrong === undefined) return keep(message, answer, options);
        asked = `${wrong} ${message}`;
      }
    },
  };
}

function tipped(tip: string, options: PromptOptions): { style: { keysHelpTip(): string } } {
  return { style: { keysHelpTip: () => fitted(tip, options) } };
}

const answers: Readonly<Record<string, 'yes' | 'no'>> = { y: 'yes', yes: 'yes', n: 'no', no: 'no' };

/** An objection as inquirer's validation: shown below the answer, which can then be corrected. */
function validating(object: Objection | undefined, options: PromptOptions): (answer: string) => Promise<string | true> {
  return async (answer) => {
    const wrong = await object?.(answer);
    return wrong === undefined ? true : fitted(wrong, options);
  };
}

/**
 * Looks up what is typed into a search. inquirer drops an Enter that comes before the answer, as the one of a pasted line
 * does: it is pressed again once the answer is in the list.
 */
function lookingUp(
  find: (term: string) => Promise<readonly { value: string; description: string }[]>,
  input: NodeJS.ReadableStream,
  options: PromptOptions,
): { source(term?: string): Promise<{ value: string; name: string }[]>; end(): void } {
  let pending: string[] = [];
  let isEntered = false;
  const onKey = (_: unknown, key: { name?: string } | undefined): void => {
    isEntered = pending.length > 0 && /^(return|enter)$/.test(key?.name ?? '');
  };
  input.on('keypress', onKey);
  return {
    async source(term = '') {
      if (term !== '') pending.push(term);
      try {
        return (await find(term)).map(({ value, description }) => ({ value, name: fitted(description, options) }));
      } finally {
        pending = pending.filter((each) => each !== term);
        if (isEntered && pending.length === 0) setImmediate(() => input.emit('keypress', '\r', { name: 'return' }));
      }
    },
    end: () => void input.removeListener('keypress', onKey),
  };
}

type Context = {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  signal: AbortSignal;
  clearPromptOnDone: boolean;
};

/**
 * A question without what a terminal would obey, as wide as the terminal beside the mark that inquirer puts before it,
 * broken at its spaces.
 */
function fitted(question: string, { output = process.stderr }: PromptOptions): string {
  const { columns } = output as Partial<NodeJS.WriteStream>;
  const shown = TerminalText.printable(question, true);
  return columns ? TerminalLine.fit(shown, Math.max(10, columns - 2)) : shown;
}

async function ask<T>(
  question: string,
  { interactive, signal, input = process.stdin, output = process.stderr }: PromptOptions,
  put: (context: Context) => Promise<T>,
): Promise<T> {
  if (!interactive)
    throw new BaseError('prompt.unavailable', 'ferry needs an answer, and there is no terminal to prompt for it.', {
      facts: [['question', question]],
      hint: 'Use --yes to confirm, and pass a password as a file.',
    });
  // To where the event loop reads its input next. inquirer drops what was typed before the question if it is read until the
  // next immediate, which after an answer from the network or a disk comes first: a `y` of before would then pay.
  await new Promise((resolve) => setImmediate(resolve));
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
      throw new BaseError('prompt.declined', 'The question was not answered.');
    throw error;
  } finally {
    for (const event of ends) input.removeListener(event, close);
  }
}

/** Leaves a question and its answer in view. */
function keep<A extends string>(question: string, answer: A, { output = process.stderr }: PromptOptions): A {
  const { columns } = output as Partial<NodeJS.WriteStream>;
  const line = TerminalText.printable(`${question} ${answer}`, true);
  output.write(`${columns ? TerminalLine.fit(line, columns) : line}\n`);
  return answer;
}

const ends = ['pause', 'end', 'close'] as const;
