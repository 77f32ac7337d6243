/** The mistakes of a batch that are found before its first line runs, and the error that reports them together. */
import { BaseError, type Fact } from '../base/Errors.js';
import * as TerminalText from '../text/TerminalText.js';

export type Mistake = {
  number: number;
  /** Undefined if the line could not be read. */
  id: string | undefined;
  error: BaseError;
};

export type BatchMistakes = { count: number; first: readonly Mistake[] };

export const none: BatchMistakes = { count: 0, first: [] };

/** The number of mistakes that are reported in full. */
const shown = 10;

/**
 * Whether an error is a mistake in a line or in the configuration: one that is there however often it is tried, such as a
 * price that nobody but the service can show. Any
 * other error, such as a node that does not answer, says nothing about the line.
 */
export function isOne(error: unknown): error is BaseError {
  return error instanceof BaseError && (error.exit === 2 || error.exit === 4 || error.code === 'verify.unverified');
}

export function add({ count, first }: BatchMistakes, mistake: Mistake): BatchMistakes {
  return { count: count + 1, first: first.length < shown ? [...first, mistake] : first };
}

/** @throws batch.unreadable if there are mistakes */
export function assertNone(mistakes: BatchMistakes): void {
  const [only] = mistakes.first;
  if (!only) return;
  // The error of a line that cannot be read says everything already.
  if (mistakes.count === 1) throw only.id === undefined ? only.error : invalidLine(only);
  // The id is in the text, which may be broken: the number stays beside it in any terminal.
  const facts: Fact[] = mistakes.first.map((mistake) => [`line ${mistake.number}`, inWords(mistake)]);
  const more = mistakes.count - mistakes.first.length;
  throw new BaseError('batch.unreadable', `${mistakes.count} lines of the batch are not valid transfers.`, {
    facts: more > 0 ? [...facts, ['and', `${more} more`]] : facts,
    hint: 'Correct them, then run the same command again. No line was started.',
    cause: only.error,
  });
}

/** What is wrong, in one line, after a label that numbers the line. */
function inWords({ error: { message, facts }, id, number }: Mistake): string {
  // The file is the same for all of them.
  const own = facts.filter(([label]) => label !== 'file');
  if (id === undefined && own.length > 0) return own.map((fact) => fact.join(': ')).join('; ');
  const words = message.replace(`Line ${number} of the batch `, '');
  return id === undefined ? words : `"${TerminalText.escape(id)}": ${words}`;
}

export function invalidLine(mistake: Mistake): BaseError {
  const { error } = mistake;
  return new BaseError(
    'batch.unreadable',
    `Line ${mistake.number} of the batch${mistake.id === undefined ? '' : ` ("${TerminalText.escape(mistake.id)}")`} is not a valid transfer. ${error.message}`,
    {
      facts: error.facts,
      hint: error.hint,
      next: error.next,
      cause: error,
    },
  );
}
