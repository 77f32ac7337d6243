import { hashStruct } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import type * as SignatureItem from '../../../../src/core/api/schema/SignatureItem.js';
import * as SignatureStep from '../../../../src/core/proof/signature/SignatureStep.js';
import type { Facts } from '../../../../src/core/proof/signature/TokenGrant.js';
import * as TypedData from '../../../../src/core/proof/signature/TypedData.js';
import { collect, type Finding } from '../../../../src/core/quote/Finding.js';
import { decode, problems } from '../../../support/problems.js';
import {
  altered,
  authorization,
  contracts,
  deposit,
  facts,
  named,
  orderId,
  permit,
  recipient,
  relayer,
  sample,
  usdc,
  user,
  withCalls,
} from '../../../support/signatures.js';

const witnessWithMetadata =
  'RelayerWitness(address relayer,address refundTo,address nftRecipient,bytes metadata,Call3Value[] call3Values)';

function sign(data: unknown): SignatureItem.TypedData {
  return (data as { sign: SignatureItem.TypedData }).sign;
}

function check(data: unknown, known: Partial<Facts> = {}): Finding[] {
  const findings = collect();
  TypedData.check(findings, sign(data), { ...facts, ...known });
  return [...findings.list];
}

function domain(data: unknown, known: Partial<Facts> = {}): string | undefined {
  return named(check(data, known), 'signature-domain')?.verdict;
}

describe('read', () => {
  test('behavior: the types may list EIP712Domain if it matches the domain', () => {
    const { domain: own, ...rest } = sign(permit());
    const listed = (text: string): TypedData.Reading =>
      TypedData.read({ ...rest, domain: own, types: { ...rest.types, ...TypedData.typesOf(text) } });
    const right = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';
    expect(listed(right).ok).toBe(true);
    expect(listed('EIP712Domain(string name)')).toEqual({
      ok: false,
      expected: right,
      found: 'EIP712Domain(string name)',
    });
  });

  test('error: another primary type', () => {
    const dai = { ...sign(permit()), primaryType: 'Order' };
    expect(TypedData.read(dai)).toMatchObject({ ok: false, found: 'Order' });
  });

  test('error: fields that differ from the standard', () => {
    const dai = 'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)';
    expect(TypedData.read({ ...sign(permit()), types: TypedData.typesOf(dai) })).toEqual({
      ok: false,
      expected: 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
      found: dai,
    });
  });

  test.each([
    ['chainId', '9007199254740993'],
    ['chainId', undefined],
    ['verifyingContract', '0x1234'],
    ['verifyingContract', undefined],
  ])('error: a domain whose %s is %s', (key, value) => {
    const typed = sign(permit());
    const reading = TypedData.read({ ...typed, domain: { ...typed.domain, [key]: value } });
    expect(reading).toMatchObject({ ok: false, expected: 'a domain with a chain id and a contract address' });
  });
});

describe('check', () => {
  const permit2 = withCalls([deposit()]);

  test('default: the domain is of the origin chain and the token, or of Permit2', () => {
    expect(domain(permit())).toBe('verified');
    expect(domain(altered(permit(), 'sign.domain.chainId', '313371'))).toBe('verified');
    expect(domain(permit2)).toBe('verified');
  });

  test.each([
    ['another chain', permit(), 'chainId', 313372],
    ['another token', permit(), 'verifyingContract', sample('quote-permit-permit2').facts.token],
    ['Permit2 elsewhere', permit2, 'verifyingContract', usdc],
    ['Permit2 under another name', permit2, 'name', 'Permit3'],
  ])('behavior: %s is a mismatch', (_, data, key, value) => {
    expect(domain(altered(data, `sign.domain.${key}`, value))).toBe('mismatch');
  });

  test('behavior: a salt is a mismatch, and so is a version of Permit2', () => {
    const salted = { ...sign(permit()).domain, salt: `0x${'01'.repeat(32)}` };
    expect(domain(altered(permit(), 'sign.domain', salted))).toBe('mismatch');
    const { name, chainId, verifyingContract } = sign(permit2).domain;
    expect(domain(altered(permit2, 'sign.domain', { name, version: '1', chainId, verifyingContract }))).toBe(
      'mismatch',
    );
  });

  test('behavior: an unreadable message is a mismatch and binds no order', () => {
    const findings = check(altered(permit(), 'sign.value.value', '-1'));
    expect(findings.map((finding) => [finding.check, finding.verdict])).toEqual([
      ['signature-types', 'mismatch'],
      ['order-binding', 'cannot verify'],
    ]);
    expect(findings[0]?.found).toContain('value: ');
  });
});

describe('meaning', () => {
  const own = user.toLowerCase();
  const proxy = contracts.approvalProxy?.toLowerCase();
  const amounts = [{ token: usdc.toLowerCase(), amount: 60_000_000n }];
  const timed = { validFrom: undefined, validUntil: 1_790_000_600n };
  const calls = [{ target: usdc.toLowerCase(), allowFailure: false, value: 0n, callData: '0xabcd' }];
  const long = withCalls([{ target: usdc, allowFailure: false, value: '0', callData: '0xABCD' }]);
  const { types, value } = sign(long);
  const witness = { ...(value as { witness: object }).witness, metadata: '0x12' };
  const withMetadata = { RelayerWitness: TypedData.typesOf(witnessWithMetadata).RelayerWitness };

  test.each<[string, unknown, object, object]>([
    ['a permit', permit(), { owner: own, amounts, ...timed, nonce: '4' }, { by: 'nothing' }],
    [
      'an authorization that anybody submits',
      authorization({ nonce: orderId.toUpperCase().replace('0X', '0x'), validAfter: '5' }, 'TransferWithAuthorization'),
      { owner: own, amounts, ...timed, validFrom: 5n, nonce: orderId },
      { by: 'nothing', why: `a transfer to ${proxy} with nonce ${orderId}, not bound to any order` },
    ],
    [
      'an authorization that its payee submits',
      authorization({ nonce: orderId }),
      { owner: own, amounts, ...timed, validFrom: 0n, nonce: orderId },
      { by: 'id', payee: proxy, id: orderId },
    ],
    ...[long, altered(altered(long, 'sign.types', { ...types, ...withMetadata }), 'sign.value.witness', witness)].map(
      (data): [string, unknown, object, object] => [
        'Permit2 with calls',
        data,
        { owner: undefined, amounts, ...timed, nonce: '730114480025' },
        { by: 'calls', spender: proxy, relayer, refundTo: own, nftRecipient: recipient.toLowerCase(), calls },
      ],
    ),
  ])('default: %s', (_, data, grant, binding) => {
    expect(TypedData.read(sign(data))).toMatchObject({ ok: true, grant: { spender: proxy, ...grant }, binding });
  });

  test('default: Permit2 that names only its relayer', () => {
    const found = TypedData.read(sign(sample('quote-permit-permit2').data));
    expect(found).toMatchObject({ ok: true, grant: { owner: undefined }, binding: { by: 'relayer', relayer } });
  });

  test('behavior: signed as EIP-2612 specifies', () => {
    const signable = SignatureStep.signable(permit());
    if (!signable) throw new Error('no typed data');
    const { types: signed, primaryType, message } = signable;
    const spender = contracts.approvalProxy as `0x${string}`;
    const meant = { owner: user, spender, value: 60_000_000n, nonce: 4n, deadline: 1_790_000_600n } as const;
    const specified = {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    } as const;
    expect(hashStruct({ types: signed, primaryType, data: message } as Parameters<typeof hashStruct>[0])).toBe(
      hashStruct({ types: specified, primaryType: 'Permit', data: meant }),
    );
  });
});

describe('uint256', () => {
  test('default', () => {
    for (const value of ['60000000', 60_000_000]) expect(decode(TypedData.uint256, value)).toBe(60_000_000n);
    expect(decode(TypedData.uint256, String(2n ** 256n - 1n))).toBe(2n ** 256n - 1n);
  });

  test.each([
    ...['', ' 1', '0x10', '1.5', '1e3', '-1', -1, 0.5, 2 ** 53, null, true, []],
    ...[String(2n ** 256n), '9'.repeat(79)],
  ])('error: %j', (value) => {
    expect(problems(TypedData.uint256, value)).toHaveLength(1);
  });
});

describe('isSame', () => {
  test('behavior: a name that contains a separator is not split', () => {
    const two = TypedData.typesOf('Mail(address to,address by)');
    const one = { Mail: [{ name: 'to,address by', type: 'address' }] };
    expect(TypedData.format(one)).toBe(TypedData.format(two));
    expect(TypedData.isSame(one, two)).toBe(false);
  });
});
