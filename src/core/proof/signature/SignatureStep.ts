/** Checks a signature item: what would be signed, and where the signature would be submitted. */
import type { TypedDataDefinition } from 'viem';
import * as Decode from '../../api/schema/Decode.js';
import * as SignatureItem from '../../api/schema/SignatureItem.js';
import * as Step from '../../api/schema/Step.js';
import { collect, type Finding, type Findings } from '../../quote/Finding.js';
import * as PersonalMessage from './PersonalMessage.js';
import * as SignatureSubmission from './SignatureSubmission.js';
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
    SignatureSubmission.check(findings, post, { requestId: facts.requestId, bodyKinds, otherBodyKinds });
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

const allBodyKinds = [...TypedData.kinds.flatMap(({ bodyKinds }) => bodyKinds), ...PersonalMessage.bodyKinds];

/** @returns the values that `post.body.kind` may have */
function signed(findings: Findings, sign: SignatureItem.Sign, facts: Facts): readonly string[] {
  if (sign.signatureKind === 'eip712') return TypedData.check(findings, sign, facts)?.bodyKinds ?? [];
  PersonalMessage.check(findings, sign, facts);
  return PersonalMessage.bodyKinds;
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
