/**
 * A journal as text: one line of JSON per entry. Each has a seal and a checksum over itself and all lines before it: the
 * seal shows who wrote it, the checksum that it is whole, also to a reader who does not have the secret.
 */
import { keccak256, stringToBytes } from 'viem/utils';
import * as z from 'zod/mini';
import { BaseError } from '../base/Errors.js';
import * as Seal from '../base/Seal.js';
import * as JsonText from '../text/JsonText.js';
import * as Journal from './Journal.js';

/** An entry with the time it was written, in Unix milliseconds. */
export type Line = { at: number; entry: Journal.Entry };

/** What the next line continues. */
export type End = { sum: string; seal: string };

/** The content of a journal. */
export type Read = {
  lines: readonly Line[];
  end: End;
  /** Whether every line is sealed with this user's secret. */
  isOwn: boolean;
  /** Length of the complete lines in the text; the rest is an incomplete write that was never acted on. */
  length: number;
};

const version = 2;

/** The version without seals, which is read and no longer written. */
const unsealed = 1;

/** What the first line continues. */
export const start: End = { sum: 'ferry.run/1', seal: 'ferry.run/2' };

const fields = { n: z.int(), at: z.number(), entry: Journal.entrySchema };
const shape = z.discriminatedUnion('v', [
  z.strictObject({ v: z.literal(unsealed), ...fields }),
  z.strictObject({ v: z.literal(version), ...fields, seal: z.string() }),
]);

/** The line of an entry, including its line break, and what the next one continues. */
export function from({ at, entry }: Line, n: number, before: End, by: Seal.Seal): { text: string; end: End } {
  const content = JsonText.line({ v: version, n, at, entry });
  const seal = Seal.from(by, 'ferry.run', `${before.seal}\n${content}`);
  const body = `${content.slice(0, -1)},"seal":"${seal}"}`;
  const sum = sumOf(before.sum, body);
  return { text: `${body.slice(0, -1)},"sum":"${sum}"}\n`, end: { sum, seal } };
}

/**
 * Reads a journal. A last line without a line break was never acted on and is dropped; any other damage is refused.
 *
 * @param by the user's secret; without it no line is known to be the user's own
 * @throws run.unreadable · run.version
 */
export function read(text: string, by?: Seal.Seal): Read {
  const texts = text.split('\n');
  const torn = texts.pop() ?? '';
  let end = start;
  let isOwn = texts.length > 0;
  const lines = texts.map((line, n) => {
    const found = /^(.*),"sum":"([0-9a-f]{16})"\}$/s.exec(line);
    const body = `${found?.[1] ?? line}}`;
    assertVersion(body, line);
    const sum = sumOf(end.sum, body);
    const read = found?.[2] === sum ? z.safeParse(shape, JsonText.read(body)) : undefined;
    if (!read?.success || read.data.n !== n)
      throw new BaseError('run.unreadable', `Line ${n + 1} of the journal is damaged.`, {
        hint: 'ferry does not guess its content. Check the chain before you send anything again.',
        funds: 'unknown',
      });
    const seal = read.data.v === version ? read.data.seal : '';
    const content = body.replace(/,"seal":"[^"]*"\}$/, '}');
    const verdict = Seal.judge(seal, by, 'ferry.run', `${end.seal}\n${content}`);
    if (verdict === 'altered')
      // A line that names this user's secret, and was not sealed with it as it stands.
      throw new BaseError('run.unreadable', `Line ${n + 1} of the journal was changed after ferry wrote it.`, {
        hint: 'Somebody or something wrote to it: nothing in it is acted on. Check the chain before you send anything again.',
        funds: 'unknown',
      });
    isOwn &&= verdict === 'own';
    end = { sum, seal };
    return { at: read.data.at, entry: read.data.entry };
  });
  return { lines, end, isOwn, length: text.length - torn.length };
}

function sumOf(before: string, body: string): string {
  return keccak256(stringToBytes(`${before}\n${body}`)).slice(2, 18);
}

/** Checked before the checksum, which another version may compute differently. */
function assertVersion(body: string, line: string): void {
  const value = (JsonText.read(body) ?? JsonText.read(line)) as { v?: unknown } | undefined;
  const found = value?.v;
  if ((typeof found === 'number' || typeof found === 'string') && found !== version && found !== unsealed)
    throw new BaseError('run.version', 'The journal was written by another version of ferry.', {
      facts: [
        ['journal version', String(found)],
        ['supported version', String(version)],
      ],
      hint: 'Resume the run with the version of ferry that started it.',
      funds: 'unknown',
    });
}
