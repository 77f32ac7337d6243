import { bytesToHex, hashStruct, hexToBytes } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import type * as SignatureItem from '../../../../src/core/api/schema/SignatureItem.js';
import * as SignatureStep from '../../../../src/core/proof/signature/SignatureStep.js';
import type { Facts } from '../../../../src/core/proof/signature/TokenGrant.js';
import * as TypedData from '../../../../src/core/proof/signature/TypedData.js';
import * as TypedDataForm from '../../../../src/core/proof/signature/TypedDataForm.js';
import { collect, type Finding } from '../../../../src/core/quote/Finding.js';
import {
  altered,
  authorization,
  contracts,
  deposit,
  facts,
  named,
  orderId,
  permit,
  sample,
  usdc,
  user,
  withCalls,
} from '../../../support/signatures.js';
import { structHash } from '../../../support/structHash.js';

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
  test('default: finds the kind by its types', () => {
    const label = (data: unknown): string => {
      const reading = TypedData.read(sign(data));
      return reading.ok ? reading.kind.label : reading.found;
    };
    expect(label(permit())).toBe('an EIP-2612 permit');
    expect(label(authorization())).toBe('an EIP-3009 authorization');
    expect(label(sample('quote-permit-permit2').data)).toBe('a Permit2 permit with a witness');
    expect(label(withCalls([deposit()]))).toBe('a Permit2 permit with a witness');
  });

  test('behavior: the types may list EIP712Domain if it matches the domain', () => {
    const { domain: own, ...rest } = sign(permit());
    const listed = (text: string): TypedData.Reading =>
      TypedData.read({ ...rest, domain: own, types: { ...rest.types, ...TypedDataForm.types(text) } });
    const right = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';
    expect(listed(right).ok).toBe(true);
    expect(listed('EIP712Domain(string name)')).toEqual({
      ok: false,
      expected: right,
      found: 'EIP712Domain(string name)',
    });
  });

  test('behavior: only the known types are signed', () => {
    const reading = TypedData.read(sign(sample('quote-permit-permit2').data));
    if (!reading.ok) throw new Error(reading.found);
    expect(Object.keys(reading.signable.types ?? {}).sort()).toEqual([
      'EIP712Domain',
      'PermitBatchWitnessTransferFrom',
      'RelayerWitness',
      'TokenPermissions',
    ]);
  });

  test('error: another primary type', () => {
    const dai = { ...sign(permit()), primaryType: 'Order' };
    expect(TypedData.read(dai)).toMatchObject({ ok: false, found: 'Order' });
  });

  test('error: fields that differ from the standard', () => {
    const dai = 'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)';
    expect(TypedData.read({ ...sign(permit()), types: TypedDataForm.types(dai) })).toEqual({
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

  test('behavior: a partly known domain', () => {
    expect(domain(permit(), { chainId: undefined })).toBe('not checked');
    expect(domain(permit(), { token: undefined })).toBe('not checked');
    expect(domain(permit(), { token: undefined, chainId: 1 })).toBe('mismatch');
    expect(domain(permit2, { token: undefined })).toBe('verified');
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

describe('authorization', () => {
  const token = usdc.toLowerCase() as `0x${string}`;
  const payee = contracts.approvalProxy?.toLowerCase();
  const value = {
    from: user,
    to: contracts.approvalProxy,
    value: '60000000',
    validAfter: '5',
    validBefore: '1790000600',
    nonce: orderId.toUpperCase().replace('0X', '0x'),
  };

  test('default: both forms of EIP-3009', () => {
    const fields = 'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce';
    expect(TypedData.authorization.forms.map((form) => TypedDataForm.format(form.types))).toEqual([
      `TransferWithAuthorization(${fields})`,
      `ReceiveWithAuthorization(${fields})`,
    ]);
  });

  test.each([
    [
      'transferred by anybody',
      TypedData.authorization.forms[0],
      { by: 'nothing', why: `a transfer to ${payee} with nonce ${orderId}, not bound to any order` },
    ],
    ['received by the payee', TypedData.authorization.forms[1], { by: 'id', payee, id: orderId }],
  ] as const)('default: what an authorization grants, %s', (_, form, binding) => {
    expect(form?.read(value, token)).toMatchObject({
      ok: true,
      value: {
        grant: {
          owner: user.toLowerCase(),
          spender: payee,
          amounts: [{ token, amount: 60_000_000n }],
          validFrom: 5n,
          validUntil: 1_790_000_600n,
          nonce: orderId,
        },
        binding,
      },
    });
  });

  test.each(Object.keys(value))('error: no %s', (key) => {
    expect(TypedData.authorization.forms[0]?.read({ ...value, [key]: undefined }, token).ok).toBe(false);
  });
});

describe('permit', () => {
  const token = usdc.toLowerCase() as `0x${string}`;
  const value = {
    owner: user,
    spender: contracts.approvalProxy,
    value: '60000000',
    nonce: '4',
    deadline: 1_790_000_600,
  };

  test('default: what a permit grants', () => {
    const reading = TypedData.permit.forms[0]?.read(value, token);
    expect(reading).toMatchObject({
      ok: true,
      value: {
        grant: {
          owner: user.toLowerCase(),
          spender: contracts.approvalProxy?.toLowerCase(),
          amounts: [{ token, amount: 60_000_000n }],
          validFrom: undefined,
          validUntil: 1_790_000_600n,
          nonce: '4',
        },
        binding: { by: 'nothing' },
      },
    });
  });

  test('behavior: signed as EIP-2612 specifies', () => {
    const text = 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)';
    const signable = SignatureStep.signable(permit());
    if (!signable) throw new Error('no typed data');
    const { types, primaryType, message } = signable;
    const meant = {
      owner: hexToBytes(user),
      spender: hexToBytes(contracts.approvalProxy as `0x${string}`),
      value: 60_000_000n,
      nonce: 4n,
      deadline: 1_790_000_600n,
    };
    expect(hashStruct({ types, primaryType, data: message } as Parameters<typeof hashStruct>[0])).toBe(
      bytesToHex(structHash('Permit', meant, { Permit: text })),
    );
    expect(TypedData.permit.forms.map((form) => TypedDataForm.format(form.types))).toEqual([text]);
  });

  test.each(Object.keys(value))('error: no %s', (key) => {
    expect(TypedData.permit.forms[0]?.read({ ...value, [key]: undefined }, token).ok).toBe(false);
  });
});
