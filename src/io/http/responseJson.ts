/** Parses the bodies of responses. */

import type { Redact } from '../../core/base/Redaction.js';
import * as JsonDepth from '../../core/text/JsonDepth.js';
import * as JsonText from '../../core/text/JsonText.js';
import { attempt } from '../files/attempt.js';

/**
 * Parses JSON and masks secrets in its strings. A number is never masked: it may have the digits of a password by
 * chance, and the result would not be JSON. Undefined if the text is not JSON, or nests deeper than any response.
 */
export function readJson(body: string, redact: Redact): unknown {
  if (JsonDepth.isTooDeep(body)) return undefined;
  // Almost no response holds a secret, and to visit every value takes far longer than one search of the text.
  if (redact(body) === body) return JsonText.read(body);
  return attempt(() => JSON.parse(body, (_, value: unknown) => (typeof value === 'string' ? redact(value) : value)));
}
