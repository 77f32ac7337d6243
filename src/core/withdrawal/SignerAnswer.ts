/**
 * The answer of a signing command: the last complete JSON object on its stdout.
 *
 * An object begins at a `{` outside the objects before it and ends at the `}` that closes it; what lies between must be
 * JSON. Other text, such as a greeting of the tool, is skipped. Of several signed transfers, such as one that is printed
 * again with the owner's signature, all must be the same transfer.
 */

import * as Transfer from '../../venue/Transfer.js';
import { BaseError } from '../base/Errors.js';
import * as JsonText from '../text/JsonText.js';

/** Reads the signed transfer. The signatures are not verified. @throws auth.signer */
export function from(stdout: string): Transfer.Signed {
  const objects = objectsOf(stdout);
  const last = objects.pop();
  if (!last) throw unreadableAnswer([['answer', 'it contains no complete JSON object']]);
  const failure = failureOf(last.value);
  if (failure !== undefined) throw unreadableAnswer([['error', failure]]);
  const answer = read(last.text);
  for (const { text, value } of objects)
    if (Object.hasOwn(value, 'Sig') && !isSame(read(text), answer))
      throw new BaseError('auth.signer', 'The signer printed two different signed transfers. Neither is sent.');
  return answer;
}

type PrintedObject = { text: string; value: Record<string, unknown> };

/** The complete objects of a text, in order, without those inside others. */
function objectsOf(text: string): PrintedObject[] {
  const found: PrintedObject[] = [];
  for (let at = text.indexOf('{'); at >= 0; ) {
    const end = endOf(text, at);
    const value = end === undefined ? undefined : JsonText.read(text.slice(at, end));
    if (value) found.push({ text: text.slice(at, end), value: value as PrintedObject['value'] });
    at = text.indexOf('{', value ? end : at + 1);
  }
  return found;
}

/** Signed transactions have no objects inside: the limit keeps the search short in a text full of braces. */
const maxDepth = 8;

/** The place after the `}` that closes the `{` at a place, strings skipped; undefined if there is none. */
function endOf(text: string, at: number): number | undefined {
  const token = /"(?:[^"\\]|\\.)*"|[{}]/gs;
  token.lastIndex = at;
  let depth = 0;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    if (match[0] === '{') depth += 1;
    if (match[0] === '}') depth -= 1;
    if (depth === 0) return token.lastIndex;
    if (depth > maxDepth) return undefined;
  }
  return undefined;
}

/** What a tool says if it answers with an error instead of a transfer. */
function failureOf(value: PrintedObject['value']): string | undefined {
  if (Object.hasOwn(value, 'Sig')) return undefined;
  const said = value.error ?? value.err;
  return typeof said === 'string' && said !== '' ? said.slice(0, 200) : undefined;
}

/** Reads the text of the object, since `JSON.parse` rounds integers and accepts duplicate keys. */
function read(text: string): Transfer.Signed {
  try {
    return Transfer.fromTxInfo(text);
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    throw unreadableAnswer([['answer', error.message], ...error.facts]);
  }
}

function isSame({ transfer: a }: Transfer.Signed, { transfer: b }: Transfer.Signed): boolean {
  return (Object.keys(a) as (keyof Transfer.Transfer)[]).every((field) => a[field] === b[field]);
}

function unreadableAnswer(facts: readonly (readonly [string, string])[]): BaseError {
  return new BaseError('auth.signer', 'The signer’s answer is no signed transfer. Nothing is sent.', {
    facts,
    hint: 'It must print the signed tx_info as JSON to stdout, last.',
  });
}
