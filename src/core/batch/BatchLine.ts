/** A line of a batch: a transfer with a unique id, as JSON. */

import * as z from 'zod/mini';
import * as Decode from '../api/schema/Decode.js';
import { BaseError, inFile } from '../base/Errors.js';
import * as JsonDigest from '../base/JsonDigest.js';
import type { TextLine } from '../ports/UserFiles.js';
import { nearest } from '../text/DidYouMean.js';
import * as JsonKeys from '../text/JsonKeys.js';
import * as TerminalText from '../text/TerminalText.js';
import * as TransferEntry from './TransferEntry.js';

export type BatchLine = {
  /** The line number from 1, counting empty lines. */
  number: number;
  /** Identifies its result. */
  id: string;
  amount: string;
  from: string;
  to: string;
  options: TransferEntry.TransferOptions;
  /** Identifies the transfer, to detect a different transfer under the same id. */
  digest: string;
};

/** A store of many machines keeps neither a NUL nor half a character: it would know the line by another id. */
const whole = /^[^\0\p{Cs}]*$/u;

const schema = z.strictObject({
  id: z.union([z.string().check(z.minLength(1), z.maxLength(200), z.regex(whole)), z.int()]),
  ...TransferEntry.route,
  ...TransferEntry.options,
});

/**
 * Creates a reader for consecutive lines that rejects duplicate ids.
 *
 * @param path the name of the file in errors
 * @throws batch.unreadable from the returned function
 */
export function createReader(deed: TransferEntry.Action, path: string): (raw: TextLine) => BatchLine {
  const seen = new Map<string, number>();
  return (raw) => {
    try {
      const line = read(raw, deed);
      const before = seen.get(line.id);
      if (before !== undefined)
        throw new BaseError(
          'batch.unreadable',
          `Line ${line.number} of the batch has the same id "${TerminalText.escape(line.id)}" as line ${before}.`,
          {
            hint: 'The id identifies the result of a line: give each line a unique id.',
          },
        );
      seen.set(line.id, line.number);
      return line;
    } catch (error) {
      throw inFile(error, path);
    }
  };
}

function read({ number, text }: TextLine, deed: TransferEntry.Action): BatchLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw noTransfer(number, [], error);
  }
  const twice = JsonKeys.repeated(text);
  if (twice !== undefined)
    throw noTransfer(number, [{ path: [twice], kind: 'value', expectation: 'the key once', rule: 'is not unique' }]);
  const decoding = Decode.from(schema, value);
  if (!decoding.ok) throw noTransfer(number, decoding.problems);
  const line = lineOf(number, decoding.value);
  const problems = [...TransferEntry.problems(line.options, []), ...TransferEntry.misplaced(line.options, deed, [])];
  if (problems.length > 0) throw noTransfer(number, problems);
  return line;
}

function lineOf(number: number, { id, amount, from, to, ...options }: z.output<typeof schema>): BatchLine {
  const transfer = { amount, from, to, options };
  return { number, id: String(id), ...transfer, digest: JsonDigest.of(transfer) };
}

/** Reads a line again that a reader has read before, without checking it. */
export function again({ number, text }: TextLine): BatchLine {
  return lineOf(number, JSON.parse(text));
}

function noTransfer(line: number, problems: readonly Decode.Problem[], cause?: unknown): BaseError {
  const unknown = problems.find(({ kind }) => kind === 'unknown')?.path.at(-1);
  const near = unknown === undefined ? undefined : nearest(String(unknown), Object.keys(schema.shape));
  const isRounded = problems.some(({ kind, path: [key] }) => kind === 'type' && key === 'amount');
  return new BaseError(
    'batch.unreadable',
    `Line ${line} of the batch is not a valid transfer${cause === undefined ? '' : ': it is not JSON'}.`,
    {
      facts: problems.map((each) => TransferEntry.toFact(each, 'the line')),
      hint: near
        ? `Did you mean ${near}?`
        : isRounded
          ? 'Put the amount in quotes: a JSON number may be rounded.'
          : `A line looks like this: ${example}`,
      cause,
    },
  );
}

export const example = '{"id":"1","amount":"100","from":"alpha/usdc","to":"beta/usdc"}';
