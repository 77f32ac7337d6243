/** Parses the bodies of responses. */

import type { Redact } from '../../core/base/Redaction.js';
import * as JsonDepth from '../../core/text/JsonDepth.js';
import * as JsonSize from '../../core/text/JsonSize.js';
import * as JsonText from '../../core/text/JsonText.js';
import { attempt } from '../files/attempt.js';

/** The most objects and lists of a response: a page of records has a few thousand, and a list of all chains the most. */
const mostObjects = 100_000;

/**
 * Parses JSON and masks secrets in its strings. A number is never masked: it may have the digits of a password by
 * chance, and the result would not be JSON. Undefined if the text is not JSON, or holds more than any response, or nests
 * deeper.
 */
export function readJson(body: string, redact: Redact): unknown {
  if (JsonSize.isOver(body, mostObjects) || JsonDepth.isTooDeep(body)) return undefined;
  // Almost no response holds a secret, and to visit every value takes far longer than one search of the text.
  if (redact(body) === body) return JsonText.read(body);
  return attempt(() => JSON.parse(body, (_, value: unknown) => (typeof value === 'string' ? redact(value) : value)));
}
