/** A journal as text: one line of JSON per entry, each with a checksum over itself and all lines before it. */
import { keccak256, stringToBytes } from 'viem/utils';
import * as z from 'zod/mini';
import { BaseError } from '../base/Errors.js';
import * as JsonText from '../text/JsonText.js';
import * as Journal from './Journal.js';

/** An entry with the time it was written, in Unix milliseconds. */
export type Line = { at: number; entry: Journal.Entry };

/** The content of a journal. */
export type Read = {
  lines: readonly Line[];
  /** The checksum that the next line continues. */
  sum: string;
  /** Length of the complete lines in the text; the rest is an incomplete write that was never acted on. */
  length: number;
};

const version = 1;

/** The checksum that the first line continues. */
export const start = 'ferry.run/1';

const shape = z.strictObject({ v: z.literal(version), n: z.int(), at: z.number(), entry: Journal.entrySchema });

/** The line of an entry, including its line break, and its checksum. */
export function from({ at, entry }: Line, n: number, before: string): { text: string; sum: string } {
  const body = JsonText.line({ v: version, n, at, entry });
  const sum = sumOf(before, body);
  return { text: `${body.slice(0, -1)},"sum":"${sum}"}\n`, sum };
}

/**
 * Reads a journal. A last line without a line break was never acted on and is dropped; any other damage is refused.
 *
 * @throws run.unreadable · run.version
 */
export function read(text: string): Read {
  const texts = text.split('\n');
  const torn = texts.pop() ?? '';
  let sum = start;
  const lines = texts.map((line, n) => {
    const found = /^(.*),"sum":"([0-9a-f]{16})"\}$/s.exec(line);
    const body = `${found?.[1] ?? line}}`;
    assertVersion(body, line);
    sum = sumOf(sum, body);
    const read = found?.[2] === sum ? z.safeParse(shape, parsed(body)) : undefined;
    if (!read?.success || read.data.n !== n) throw new DamagedError(n + 1);
    return { at: read.data.at, entry: read.data.entry };
  });
  return { lines, sum, length: text.length - torn.length };
}

function sumOf(before: string, body: string): string {
  return keccak256(stringToBytes(`${before}\n${body}`)).slice(2, 18);
}

/** Checked before the checksum, which another version may compute differently. */
function assertVersion(body: string, line: string): void {
  const value = (parsed(body) ?? parsed(line)) as { v?: unknown } | undefined;
  const found = value?.v;
  if ((typeof found === 'number' || typeof found === 'string') && found !== version)
    throw new VersionError(String(found));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

/** A line whose content or checksum is wrong. */
export class DamagedError extends BaseError {
  override name = 'DamagedError';
  constructor(line: number) {
    super('run.unreadable', `Line ${line} of the journal is damaged.`, {
      hint: 'ferry does not guess its content. Check the chain before you send anything again.',
      funds: 'unknown',
    });
  }
}

/** The journal has another version, whose entries may mean something else. */
export class VersionError extends BaseError {
  override name = 'VersionError';
  constructor(found: string) {
    super('run.version', 'The journal was written by another version of ferry.', {
      facts: [
        ['journal version', found],
        ['supported version', String(version)],
      ],
      hint: 'Resume the run with the version of ferry that started it.',
      funds: 'unknown',
    });
  }
}
