/** The answers that ferry config init works with: typed as flags, else given by a person, each looked at as it comes. */

import { BaseError, type Code, entries } from '../core/base/Errors.js';
import type * as HealthCheck from '../core/checks/HealthCheck.js';
import type { Context } from '../core/command/Context.js';
import * as TerminalText from '../core/text/TerminalText.js';

export type Question = {
  text: string;
  /** The flag that answers it. */
  flag: string;
  /** What was typed with that flag. */
  typed: string | undefined;
  /** Whether Enter alone, and nobody to ask, is an answer too. */
  optional: boolean;
  /** Whether it is typed unseen. */
  isSecret?: boolean;
};

/**
 * What an answer amounts to; undefined where it was left out. `read` throws for an answer that will not do: a person
 * then puts it right, and a flag is an error.
 *
 * @throws usage.missing · prompt.declined · whatever `read` throws
 */
export async function answered<T>(
  { text, flag, typed, optional, isSecret }: Question,
  read: (answer: string) => Promise<T>,
  { interactive, prompt }: Pick<Context, 'interactive' | 'prompt'>,
): Promise<T | undefined> {
  if (typed !== undefined) return read(typed);
  if (!interactive) {
    if (optional) return undefined;
    throw new MissingAnswerError(flag);
  }
  let found: T | undefined;
  const object = async (answer: string): Promise<string | undefined> => {
    if (answer === '' && optional) return undefined;
    try {
      found = await read(answer);
      return undefined;
    } catch (error) {
      // A prompt has no other way to say it.
      return error instanceof BaseError ? inWords(error) : String(error);
    }
  };
  await (isSecret ? prompt.password(text, object) : prompt.text(text, object));
  return found;
}

/** A check that must not fail. @throws the error that it is */
export function insist(check: HealthCheck.Check): HealthCheck.Check {
  if (check.verdict === 'fail') throw new UncheckedError(check);
  return check;
}

/** What is wrong and why, in a line. */
function inWords({ message, facts }: BaseError): string {
  const why = facts.find(([label]) => label === 'why')?.[1];
  // Nobody typed a flag here.
  const what = message.replace(/^--[a-z-]+ must/, 'It must');
  return TerminalText.escape(why === undefined ? what : `${what.replace(/\.$/, '')}: ${why}.`);
}

export class MissingAnswerError extends BaseError {
  override name = 'MissingAnswerError';
  constructor(flag: string) {
    super('usage.missing', `${flag} is missing, and nobody can be asked here.`, {
      hint: 'Nothing was written.',
      next: 'ferry config init --help',
    });
  }
}

/** What was looked at does not work, so it is not written. */
export class UncheckedError extends BaseError {
  override name = 'UncheckedError';
  constructor({ code, summary, facts, hint }: HealthCheck.Check) {
    const known = entries().find(([each]) => each === code)?.[0];
    super((known ?? 'expect.unmet') satisfies Code, summary, {
      facts: Object.entries(facts),
      hint: ['Nothing was written.', hint].filter((part) => part).join(' '),
    });
  }
}
