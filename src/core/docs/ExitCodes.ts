/** `ferry help exit-codes`: the exit codes, each with its error codes. */
import type { Entry } from '../base/Errors.js';
import * as ExitCode from '../base/ExitCode.js';
import type { Document, Section } from './HelpDocument.js';

/** Builds the topic from the error table. */
export function document(): Document {
  const exits = Object.entries(ExitCode.meanings);
  return [
    [
      'Exit codes',
      'The exit code says where the money is:',
      { terms: exits },
      'If a command has several results, the worst for you decides: 10, 8, 9, 7, 6, then the rest. With --no-wait, 0 means sent. Ctrl-C ends the process by its signal, which a shell reports as 130; at a question it declines, with 11.',
      'Every failure also has an error code, printed after its message and as error.code with --json. If it is marked retryable, you can safely repeat the same command. The funds are untouched unless stated otherwise.',
    ],
    ...exits.flatMap(([exit, meaning]) => section(Number(exit), meaning)),
  ];
}

function section(exit: number, meaning: string): Section[] {
  const codes = ExitCode.codes(exit);
  if (codes.length === 0) return [];
  const terms = codes.map(([code, entry]) => [code, describe(entry)] as const);
  return [[`Exit ${exit}, ${meaning}`, { terms }]];
}

function describe({ docs, retryable, funds }: Entry): string {
  const notes = [...(funds === 'untouched' ? [] : [`funds: ${funds}`]), ...(retryable ? ['retryable'] : [])];
  return notes.length > 0 ? `${docs} (${notes.join(', ')})` : docs;
}
