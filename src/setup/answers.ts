/** The answers of ferry config init: from flags or from prompts, each validated as soon as it is given. */

import { BaseError, type Code, entries } from '../core/base/Errors.js';
import type * as HealthCheck from '../core/checks/HealthCheck.js';
import type { Context } from '../core/command/Context.js';
import * as TerminalText from '../core/text/TerminalText.js';

export type Question = {
  text: string;
  /** The flag that answers the question. */
  flag: string;
  /** The value of that flag. */
  typed?: string | undefined;
  /** Whether the answer may be omitted: by Enter alone, or without a terminal. */
  optional: boolean;
  /** Whether the input is masked. */
  isSecret?: boolean;
};

/**
 * Reads an answer; undefined if it was omitted. If `read` rejects the answer, a prompt asks again, and a flag is an
 * error.
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
    throw missingAnswer(flag);
  }
  let found: T | undefined;
  const object = async (answer: string): Promise<string | undefined> => {
    if (answer === '' && optional) return undefined;
    try {
      found = await read(answer);
      return undefined;
    } catch (error) {
      // A prompt shows the problem as text below the question.
      return error instanceof BaseError ? inWords(error) : String(error);
    }
  };
  await (isSecret ? prompt.password(text, object) : prompt.text(text, object));
  return found;
}

/** Returns the check unless it failed. @throws the failure of the check */
export function assertPassed(check: HealthCheck.Check): HealthCheck.Check {
  if (check.verdict === 'fail') {
    const known = entries().find(([each]) => each === check.code)?.[0];
    throw new BaseError((known ?? 'expect.unmet') satisfies Code, check.summary, {
      facts: Object.entries(check.facts),
      hint: ['Nothing was written.', check.hint].filter((part) => part).join(' '),
    });
  }
  return check;
}

/** The error and its reason in one line. */
function inWords({ message, facts }: BaseError): string {
  const why = facts.find(([label]) => label === 'reason')?.[1];
  // At a prompt, no flag was typed.
  const what = message.replace(/^--[a-z-]+ must/, 'It must');
  return TerminalText.escape(why === undefined ? what : `${what.replace(/\.$/, '')}: ${why}.`);
}

export function missingAnswer(flag: string): BaseError {
  return new BaseError('usage.missing', `${flag} is missing, and there is no terminal to prompt for it.`, {
    hint: 'Nothing was written.',
    next: 'ferry config init --help',
  });
}
