/** Checks a signature item: what would be signed, and where the signature would be submitted. */

import type { TypedDataDefinition } from 'viem';
import * as ExecutePermits from '../../api/ExecutePermits.js';
import * as Decode from '../../api/schema/Decode.js';
import * as SignatureItem from '../../api/schema/SignatureItem.js';
import * as Step from '../../api/schema/Step.js';
import { collect, type Finding, type Findings } from '../../quote/Finding.js';
import type { Facts } from './TokenGrant.js';
import * as TypedData from './TypedData.js';

/** A signature item with its data as received. */
export type RawItem = { stepId: string; data: unknown };

/** Runs all checks of one signature, in display order. Never throws. */
export function check({ stepId, data }: RawItem, facts: Facts): Finding[] {
  const findings = collect(stepId);
  const kind = Step.signatureKindOf(data);
  findings.say(
    'signature-kind',
    kind !== 'unknown',
    SignatureItem.kinds.join(' or '),
    kind === 'unknown' ? word(data) : kind,
  );
  const decoding = Decode.from(SignatureItem.schema, data);
  if (decoding.ok) {
    const { sign, post } = decoding.value;
    const bodyKinds = signed(findings, sign, facts);
    const otherBodyKinds = bodyKinds.length > 0 ? allBodyKinds.filter((each) => !bodyKinds.includes(each)) : [];
    checkSubmission(findings, post, { requestId: facts.requestId, bodyKinds, otherBodyKinds });
  } else unreadable(findings, kind, decoding.problems);
  return findings.list.map((finding) => ({ ...finding, found: brief(finding.found) }));
}

/**
 * What the account would sign, built from the checked fields. Undefined for a message, which states no purpose, and for
 * what cannot be read, which `check` reports as a mismatch.
 */
export function signable(data: unknown): TypedDataDefinition | undefined {
  const decoding = Decode.from(SignatureItem.schema, data);
  if (!decoding.ok || decoding.value.sign.signatureKind === 'eip191') return undefined;
  const reading = TypedData.read(decoding.value.sign);
  return reading.ok ? reading.signable : undefined;
}

/** The values of `post.body.kind` for personal messages (EIP-191), which are opaque: nothing in them states their purpose. */
const messageKinds: readonly string[] = ['claim', 'request'];

const allBodyKinds = [...TypedData.kinds.flatMap(({ bodyKinds }) => bodyKinds), ...messageKinds];

/** @returns the values that `post.body.kind` may have */
function signed(findings: Findings, sign: SignatureItem.Sign, facts: Facts): readonly string[] {
  if (sign.signatureKind === 'eip712') return TypedData.check(findings, sign, facts)?.bodyKinds ?? [];
  checkMessage(findings, sign, facts);
  return messageKinds;
}

/** For an unknown kind, only the kind itself is reported, not its fields. */
function unreadable(
  findings: Findings,
  kind: SignatureItem.Kind | 'unknown',
  problems: readonly Decode.Problem[],
): void {
  const [post, sign] = [true, false].map((about) =>
    problems.filter(({ path }) => (path[0] === 'post') === about).map(Decode.format),
  );
  if (sign?.length && kind !== 'unknown')
    findings.say('signature-types', false, 'exactly the fields of a signature', sign.join('; '));
  if (post?.length) findings.say('signature-post', false, 'an endpoint for the signature', post.join('; '));
  findings.cannot('order-binding', 'a signature that ferry can read', 'one that it cannot read');
}

function word(data: unknown): string {
  const { sign } = (typeof data === 'object' && data !== null ? data : {}) as { sign?: { signatureKind?: unknown } };
  return JSON.stringify(sign?.signatureKind) ?? 'nothing';
}

/** Parts of a finding may be text of the service, of any length. */
function brief(text: string): string {
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}

type ExpectedSubmission = {
  requestId: string;
  /** The values of `body.kind` for this kind of signature; empty if the kind is unknown. */
  bodyKinds: readonly string[];
  /** The values of `body.kind` for other kinds. */
  otherBodyKinds: readonly string[];
};

/**
 * Checks where a signature is submitted: it is worth the tokens it grants, so only the service may get it. The endpoint must be
 * a bare path; then the request and the kind of signature that the body names.
 */
export function checkSubmission(
  findings: Findings,
  post: SignatureItem.Post | undefined,
  { requestId, bodyKinds, otherBodyKinds }: ExpectedSubmission,
): void {
  const { path, method } = ExecutePermits.endpoint;
  const expected = `${method} ${path} for ${requestId} as ${bodyKinds.join(' or ') || 'its kind'}`;
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
    named.toLowerCase() !== requestId.toLowerCase() ||
    (typeof kind === 'string' && otherBodyKinds.includes(kind));
  const body = Decode.from(ExecutePermits.request, post.body);
  if (wrong) findings.say('signature-post', false, expected, found);
  else if (!body.ok) findings.cannot('signature-post', expected, body.problems.map(Decode.format).join('; '));
  else if (bodyKinds.length > 0 && !bodyKinds.includes(body.value.kind))
    findings.cannot('signature-post', expected, found);
  else findings.say('signature-post', true, expected, found);
}

function show(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
}

/**
 * Verifies a message that is the order id, which ferry has computed. Any other hash, the request id included, could be of
 * anything, even a smart account transaction, and the meaning of a text depends on its reader.
 */
export function checkMessage(findings: Findings, { message }: SignatureItem.PersonalMessage, { orderId }: Facts): void {
  const expected = 'the order id';
  if (isHash(message) && message.toLowerCase() === orderId?.toLowerCase())
    findings.say('signature-message', true, expected, `the order id ${message}`);
  else
    findings.cannot('signature-message', expected, isHash(message) ? `the hash ${message}` : `the text "${message}"`);
  findings.cannot('order-binding', 'a deposit of the input for this order', 'a message, which binds no order');
}

function isHash(text: string): text is `0x${string}` {
  return /^0x[0-9a-fA-F]{64}$/.test(text);
}
