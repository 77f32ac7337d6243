/** What would be signed, and where the signature would go. */
import type { TypedDataDefinition } from 'viem';
import * as Decode from '../../api/schema/Decode.js';
import * as SignatureItem from '../../api/schema/SignatureItem.js';
import * as Step from '../../api/schema/Step.js';
import { collect, type Finding, type Findings } from '../../quote/Finding.js';
import * as PersonalMessage from './PersonalMessage.js';
import * as SignatureSubmission from './SignatureSubmission.js';
import type { Facts } from './TokenGrant.js';
import * as TypedData from './TypedData.js';

/** The data of a signature item as it came. */
export type RawItem = { stepId: string; data: unknown };

/** What the account signs, built from what was checked: `signTypedData` or `signMessage` of viem takes it as it is. */
export type Signable =
  | { kind: 'eip712'; typedData: TypedDataDefinition }
  | { kind: 'eip191'; message: PersonalMessage.Signable };

/** Every check of one signature, in the order in which they are shown. Never throws. */
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
    const words = signed(findings, sign, facts);
    const otherWords = words.length > 0 ? allWords.filter((each) => !words.includes(each)) : [];
    SignatureSubmission.check(findings, post, { requestId: facts.requestId, words, otherWords });
  } else unreadable(findings, kind, decoding.problems);
  return findings.list.map((finding) => ({ ...finding, found: brief(finding.found) }));
}

/** What is signed. Undefined where it cannot be read, which `check` says as a mismatch. */
export function signable(data: unknown): Signable | undefined {
  const decoding = Decode.from(SignatureItem.schema, data);
  if (!decoding.ok) return undefined;
  const { sign } = decoding.value;
  if (sign.signatureKind === 'eip191') return { kind: 'eip191', message: PersonalMessage.signable(sign) };
  const reading = TypedData.read(sign);
  return reading.ok ? { kind: 'eip712', typedData: reading.signable } : undefined;
}

const allWords = [...TypedData.kinds.flatMap(({ words }) => words), ...PersonalMessage.words];

/** @returns what the body of the post may call it */
function signed(findings: Findings, sign: SignatureItem.Sign, facts: Facts): readonly string[] {
  if (sign.signatureKind === 'eip712') return TypedData.check(findings, sign, facts)?.words ?? [];
  PersonalMessage.check(findings, sign, facts);
  return PersonalMessage.words;
}

/** Where the kind is unknown, that alone is what is wrong with what would be signed. */
function unreadable(
  findings: Findings,
  kind: SignatureItem.Kind | 'unknown',
  problems: readonly Decode.Problem[],
): void {
  const [post, sign] = [true, false].map((about) =>
    problems.filter(({ path }) => (path[0] === 'post') === about).map(Decode.format),
  );
  if (sign?.length && kind !== 'unknown')
    findings.say('signature-types', false, 'the fields of a signature, and no others', sign.join('; '));
  if (post?.length) findings.say('signature-post', false, 'where the signature goes', post.join('; '));
  findings.cannot('order-binding', 'a signature that ferry can read', 'one that it cannot');
}

function word(data: unknown): string {
  const { sign } = (typeof data === 'object' && data !== null ? data : {}) as { sign?: { signatureKind?: unknown } };
  return JSON.stringify(sign?.signatureKind) ?? 'nothing';
}

/** Some words of a finding are the service's, and there may be many. */
function brief(text: string): string {
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
