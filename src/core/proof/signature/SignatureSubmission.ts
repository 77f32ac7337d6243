/** Where a signature is sent. It is worth the tokens that it grants, so it goes to the service alone, for this request. */

import * as ExecutePermits from '../../api/ExecutePermits.js';
import * as Decode from '../../api/schema/Decode.js';
import type { Post } from '../../api/schema/SignatureItem.js';
import type { Findings } from '../../quote/Finding.js';

export type Expected = {
  /** Undefined where it is not known. */
  requestId: string | undefined;
  /** What `body.kind` may call this kind of signature; empty where the kind is not known. */
  words: readonly string[];
  /** What it calls the other kinds. */
  otherWords: readonly string[];
};

/** The endpoint, by its path alone, then the request and the kind of signature that the body names. */
export function check(findings: Findings, post: Post | undefined, { requestId, words, otherWords }: Expected): void {
  const { path, method } = ExecutePermits.endpoint;
  const expected = `${method} ${path} for ${requestId ?? 'the request'} as ${words.join(' or ') || 'what it is'}`;
  if (post === undefined) {
    findings.say('signature-post', false, expected, 'nothing');
    return;
  }
  const { kind, requestId: named } = post.body ?? {};
  const found = `${post.method} ${post.endpoint} for ${show(named)} as ${show(kind)}`;
  const wrong =
    post.endpoint !== path ||
    post.method.toUpperCase() !== method ||
    typeof named !== 'string' ||
    (requestId !== undefined && named.toLowerCase() !== requestId.toLowerCase()) ||
    (typeof kind === 'string' && otherWords.includes(kind));
  const body = Decode.from(ExecutePermits.request, post.body);
  if (wrong) findings.say('signature-post', false, expected, found);
  else if (!body.ok) findings.cannot('signature-post', expected, body.problems.map(Decode.format).join('; '));
  else if (words.length > 0 && !words.includes(body.value.kind)) findings.cannot('signature-post', expected, found);
  else if (requestId === undefined) findings.skip('signature-post', found);
  else findings.say('signature-post', true, expected, found);
}

function show(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
}
