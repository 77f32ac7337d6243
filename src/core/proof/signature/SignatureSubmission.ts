/** Checks where a signature is submitted. It is worth the tokens it grants, so only the service may get it. */

import * as ExecutePermits from '../../api/ExecutePermits.js';
import * as Decode from '../../api/schema/Decode.js';
import type { Post } from '../../api/schema/SignatureItem.js';
import type { Findings } from '../../quote/Finding.js';

export type Expected = {
  /** Undefined if unknown. */
  requestId: string | undefined;
  /** The values of `body.kind` for this kind of signature; empty if the kind is unknown. */
  bodyKinds: readonly string[];
  /** The values of `body.kind` for other kinds. */
  otherBodyKinds: readonly string[];
};

/** Checks the endpoint, which must be a bare path, then the request and the kind of signature that the body names. */
export function check(
  findings: Findings,
  post: Post | undefined,
  { requestId, bodyKinds, otherBodyKinds }: Expected,
): void {
  const { path, method } = ExecutePermits.endpoint;
  const expected = `${method} ${path} for ${requestId ?? 'the request'} as ${bodyKinds.join(' or ') || 'its kind'}`;
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
    (typeof kind === 'string' && otherBodyKinds.includes(kind));
  const body = Decode.from(ExecutePermits.request, post.body);
  if (wrong) findings.say('signature-post', false, expected, found);
  else if (!body.ok) findings.cannot('signature-post', expected, body.problems.map(Decode.format).join('; '));
  else if (bodyKinds.length > 0 && !bodyKinds.includes(body.value.kind))
    findings.cannot('signature-post', expected, found);
  else if (requestId === undefined) findings.skip('signature-post', found);
  else findings.say('signature-post', true, expected, found);
}

function show(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
}
