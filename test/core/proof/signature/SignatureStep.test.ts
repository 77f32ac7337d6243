import fc from 'fast-check';
import type { TypedDataDefinition } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { hashTypedData, recoverTypedDataAddress } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import { network as mainnet } from '../../../../src/core/network/mainnet.js';
import * as SignatureStep from '../../../../src/core/proof/signature/SignatureStep.js';
import type { Facts } from '../../../../src/core/proof/signature/TokenGrant.js';
import { collect, type Finding } from '../../../../src/core/quote/Finding.js';
import { describePublished, read as readPublished } from '../../../support/published.js';
import { read } from '../../../support/recorded.js';
import { runs } from '../../../support/runs.js';
import { sampled } from '../../../support/sampled.js';
import {
  altered,
  facts,
  type Mutant,
  message,
  mutants,
  named,
  orderId,
  permit,
  requestId,
  type Sample,
  samples,
} from '../../../support/signatures.js';

function check(data: unknown, known: Facts = facts): Finding[] {
  return SignatureStep.check({ stepId: 'authorize1', data }, known);
}

function names(findings: readonly Finding[], ...verdicts: Finding['verdict'][]): string[] {
  return findings.filter(({ verdict }) => verdicts.includes(verdict)).map((finding) => finding.check);
}

/** The findings that refuse a change, without those that the untouched data has too. */
function refusals(untouched: Sample, changed: unknown): Finding[] {
  const before =
    known.get(untouched) ?? check(untouched.data, untouched.facts).map((finding) => JSON.stringify(finding));
  known.set(untouched, before);
  const refused = check(changed, untouched.facts).filter(
    ({ verdict }) => verdict === 'mismatch' || verdict === 'cannot verify',
  );
  return refused.filter((finding) => !before.includes(JSON.stringify(finding)));
}

/** The findings of untouched data, made once for its hundreds of changes. */
const known = new WeakMap<Sample, readonly string[]>();

function hashOf(data: unknown): string | undefined {
  const signable = SignatureStep.signable(data);
  return signable && hashTypedData(signable);
}

/** Changes that leave the transfer as requested: see the tests of TokenGrant and OrderBinding. */
function isFree({ path }: Pick<Mutant, 'path'>, { name }: Sample): boolean {
  if (/^sign\.value\.(deadline|validBefore|validAfter)$/.test(path)) return true;
  if (path === 'sign.value.nonce') return !name.includes('3009');
  if (path === 'sign.value.witness.relayer' || path === 'sign.value.witness.call3Values.0')
    return name.includes('deposit');
  // A wrong name or version only makes the signature invalid, and only the token knows its own.
  if (/^sign\.domain\.(name|version)$/.test(path)) return /eip/i.test(name);
  return path === 'post' || path === 'post.body.api';
}

describe('check', () => {
  const bound = ['EIP-3009 to the approval proxy', 'Permit2 with a deposit', 'Permit2 with a bare deposit'];

  test.each(samples)('default: $name', ({ name, data, facts: known }) => {
    const findings = check(data, known);
    expect(names(findings, 'mismatch')).toEqual([]);
    expect(names(findings, 'cannot verify')).toEqual(bound.includes(name) ? [] : ['order-binding']);
    expect(named(findings, 'order-binding')?.verdict).toBe(bound.includes(name) ? 'verified' : 'cannot verify');
    expect(new Set(findings.map(({ subject }) => subject))).toEqual(new Set(['authorize1']));
    expect(new Set(findings.map((finding) => finding.check)).size).toBe(findings.length);
  });

  test.each(samples)('behavior: every single change of $name is refused', (untouched) => {
    const all = mutants(untouched.data);
    const missed = sampled(all, 120).filter(
      (mutant) =>
        refusals(untouched, mutant.data).length === 0 &&
        !isFree(mutant, untouched) &&
        hashOf(mutant.data) !== hashOf(untouched.data),
    );
    expect(missed.map(({ path, change }) => `${path} ${change}`)).toEqual([]);
    expect(all.length).toBeGreaterThan(200);
  });

  test('behavior: any JSON anywhere never throws, and is refused if it would be signed', () => {
    const places = samples.flatMap((of) => mutants(of.data).map(({ path }) => ({ of, path })));
    const replacement = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(...samples.map(({ data }) => data)),
      fc.bigInt().map(String),
    );
    fc.assert(
      fc.property(fc.constantFrom(...places), replacement, ({ of, path }, value) => {
        const data = path === '' ? value : altered(of.data, path, value);
        if (refusals(of, data).length > 0 || path === '' || isFree({ path }, of)) return;
        expect(hashOf(data)).toBe(hashOf(of.data));
      }),
      { numRuns: runs(1000) },
    );
  });

  test('behavior: fields outside the types are a mismatch', () => {
    const data = altered(permit(), 'sign', { ...(permit() as { sign: object }).sign, note: '' });
    const types = named(check(data), 'signature-types');
    expect(types).toMatchObject({ verdict: 'mismatch', found: 'sign.note: unknown field' });
    const value = permit({ recipient: facts.user });
    expect(named(check(value), 'signature-types')).toMatchObject({
      verdict: 'mismatch',
      found: 'recipient: unknown field',
    });
  });

  test('behavior: only the token knows the name of its domain', () => {
    const data = altered(permit(), 'sign.domain.version', '1');
    expect(named(check(data), 'signature-domain-name')?.verdict).toBe('not checked');
  });

  test('behavior: eip191', () => {
    const { items } = read('step-signature-eip191') as { items: { data: { post: { body: { requestId: string } } } }[] };
    const data = items[0]?.data;
    const known = { ...facts, requestId: String(data?.post.body.requestId) };
    expect(check(data, known).map((finding) => [finding.check, finding.verdict])).toEqual([
      ['signature-kind', 'verified'],
      ['signature-message', 'cannot verify'],
      ['order-binding', 'cannot verify'],
      ['signature-post', 'verified'],
    ]);
    expect(named(check(message(facts.orderId ?? '')), 'signature-message')?.verdict).toBe('verified');
  });

  test.each([
    [undefined, 'nothing'],
    [null, 'nothing'],
    [{}, 'nothing'],
    [{ sign: null }, 'nothing'],
    [{ sign: { signatureKind: 'eip4337' } }, '"eip4337"'],
    [{ sign: { signatureKind: { toString: 1 } } }, '{"toString":1}'],
  ])('error: another kind: %j', (data, found) => {
    expect(check(data).map((finding) => [finding.check, finding.verdict, finding.found])).toEqual([
      ['signature-kind', 'mismatch', found],
      ['order-binding', 'cannot verify', 'one that it cannot read'],
    ]);
  });

  test('error: an invalid post', () => {
    const findings = check(altered(permit(), 'post', { endpoint: '/execute/permits' }));
    expect(named(findings, 'signature-post')).toMatchObject({
      verdict: 'mismatch',
      found: expect.stringContaining('method'),
    });
    expect(named(findings, 'signature-types')).toBeUndefined();
  });

  test('behavior: long text of the service is truncated', () => {
    const found = named(check(message('y'.repeat(100_000))), 'signature-message')?.found ?? '';
    expect(found.length).toBeLessThan(700);
  });
});

describe('signable', () => {
  const account = mnemonicToAccount(`${'test '.repeat(11)}junk`);

  test.each(samples)('default: $name', async ({ data }) => {
    const { domain, types, primaryType, value } = (data as { sign: Record<string, never> }).sign;
    const asItCame = { domain, types, primaryType, message: value } as unknown as TypedDataDefinition;
    expect(hashOf(data)).toBe(hashTypedData(asItCame));
    const signable = SignatureStep.signable(data);
    if (!signable) throw new Error('no typed data');
    const signature = await account.signTypedData(signable);
    expect(await recoverTypedDataAddress({ ...asItCame, signature })).toBe(account.address);
  });

  test('behavior: chain ids in digits and addresses in any case are signed alike', () => {
    const data = permit({ owner: String(facts.user).toLowerCase(), value: 60_000_000, deadline: '1790000600' });
    expect(hashOf(altered(data, 'sign.domain.chainId', String(facts.chainId)))).toBe(hashOf(permit()));
  });

  test('error: a message, whose meaning only its reader knows', () => {
    expect(SignatureStep.signable(message(requestId))).toBeUndefined();
    expect(SignatureStep.signable(message('0x17'))).toBeUndefined();
  });

  test('error: unreadable data', () => {
    expect(SignatureStep.signable({})).toBeUndefined();
    expect(SignatureStep.signable(altered(permit(), 'sign.primaryType', 'Order'))).toBeUndefined();
  });
});

describePublished('published signature steps', () => {
  const data = (name: string): unknown => (readPublished(name) as { items: { data: unknown }[] }).items[0]?.data;
  const base = mainnet.chains.find(({ name }) => name === 'base');
  const usdc = base?.tokens.find(({ symbol }) => symbol === 'USDC');

  test('default: eip191', () => {
    const published = data('step-signature-eip191.json') as { sign: { message: string } };
    const findings = check(published, { ...facts, contracts: {}, requestId: published.sign.message });
    expect(names(findings, 'verified')).toEqual(['signature-kind', 'signature-post']);
    expect(names(findings, 'cannot verify')).toEqual(['signature-message', 'order-binding']);
  });

  test('default: eip712, with truncated calldata', () => {
    const shortened = data('step-signature-eip712.json') as Published;
    const { value } = shortened.sign;
    expect(named(check(shortened), 'signature-types')).toMatchObject({
      verdict: 'mismatch',
      found: expect.stringMatching(/^witness\.call3Values\[0\]\.callData: expected bytes[^;]*$/),
    });
    const whole = altered(shortened, 'sign.value.witness.call3Values.0.callData', `0x095ea7b3${'00'.repeat(64)}`);
    const findings = check(whole, {
      user: value.witness.refundTo,
      recipient: value.witness.refundTo,
      chainId: Number(base?.id),
      token: String(usdc?.address),
      input: 1_000_000n,
      requestId: shortened.post.body.requestId,
      contracts: { ...base?.contracts },
      solvers: [value.witness.relayer],
      nowMs: (value.deadline - 600) * 1000,
    });
    // The approval proxy is older than the ones that ferry ships.
    expect(names(findings, 'mismatch')).toEqual(['signature-spender']);
    expect(names(findings, 'cannot verify')).toEqual(['order-binding']);
    expect(names(findings, 'not checked')).toEqual(['signature-nonce']);
  });

  type Published = {
    sign: { value: { deadline: number; witness: { refundTo: string; relayer: string } } };
    post: { body: { requestId: string } };
  };
});

describe('checkSubmission', () => {
  const body = { kind: 'permit2', requestId, api: 'swap' };
  const post = { endpoint: '/execute/permits', method: 'POST', body };
  const expected = { requestId, bodyKinds: ['permit2'], otherBodyKinds: ['eip3009', 'claim'] };

  function verdict(changed: Parameters<typeof SignatureStep.checkSubmission>[1], known = {}): string | undefined {
    const findings = collect();
    SignatureStep.checkSubmission(findings, changed, { ...expected, ...known });
    expect(findings.list).toHaveLength(1);
    return findings.list[0]?.verdict;
  }

  test('default', () => {
    expect(verdict(post)).toBe('verified');
    expect(verdict({ ...post, method: 'post' })).toBe('verified');
    expect(verdict({ ...post, body: { kind: 'permit2', requestId } })).toBe('verified');
  });

  test.each([
    'https://api.example/execute/permits',
    '//api.example/execute/permits',
    '/execute/permits?to=api.example',
    '/execute/permits/',
    'execute/permits',
    '/authorize',
    '',
  ])('behavior: the endpoint %j is a mismatch', (endpoint) => {
    expect(verdict({ ...post, endpoint })).toBe('mismatch');
  });

  test.each([
    ['another method', { ...post, method: 'GET' }],
    ['another request', { ...post, body: { ...body, requestId: `0x${'ee'.repeat(32)}` } }],
    ['an invalid request', { ...post, body: { ...body, requestId: { toString: 1 } } }],
    ['no request', { ...post, body: { kind: 'permit2' } }],
    ['another kind', { ...post, body: { ...body, kind: 'eip3009' } }],
    ['no body', { endpoint: post.endpoint, method: post.method }],
    ['no post', undefined],
  ])('behavior: %s is a mismatch', (_, changed) => {
    expect(verdict(changed)).toBe('mismatch');
  });

  test.each([
    ['an undocumented kind', { ...body, kind: 'permit3' }],
    ['no kind', { requestId }],
    ['an unknown field', { ...body, recipient: requestId }],
    ['another value of `api`', { ...body, api: 'claim' }],
  ])('behavior: %s cannot be verified', (_, changed) => {
    expect(verdict({ ...post, body: changed })).toBe('cannot verify');
  });

  test('behavior: a kind that is not known may be any', () => {
    expect(verdict(post, { bodyKinds: [], otherBodyKinds: [] })).toBe('verified');
  });
});

describe('checkMessage', () => {
  const of = (message: string) => ({ signatureKind: 'eip191' as const, message });

  const upper = `0x${orderId.slice(2).toUpperCase()}`;

  test.each([
    [orderId, 'verified', `the order id ${orderId}`],
    [upper, 'verified', `the order id ${upper}`],
    // Chosen by the service: it may be the hash of a transaction of a contract wallet that the key owns.
    [requestId, 'cannot verify', `the hash ${requestId}`],
    [`0x${'ee'.repeat(32)}`, 'cannot verify', `the hash 0x${'ee'.repeat(32)}`],
    [`${requestId}00`, 'cannot verify', `the text "${requestId}00"`],
    ['', 'cannot verify', 'the text ""'],
  ])('default: %s', (message, verdict, found) => {
    const findings = collect();
    SignatureStep.checkMessage(findings, of(message), facts);
    expect(findings.list).toMatchObject([
      { check: 'signature-message', verdict, found },
      { check: 'order-binding', verdict: 'cannot verify' },
    ]);
  });

  test('behavior: an unknown id cannot be verified', () => {
    const findings = collect();
    SignatureStep.checkMessage(findings, of(orderId), { ...facts, orderId: undefined });
    expect(findings.list[0]?.verdict).toBe('cannot verify');
  });
});
