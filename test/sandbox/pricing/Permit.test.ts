import { decodeFunctionData, getAddress, hashTypedData, type TypedDataDefinition } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import * as SignatureItem from '../../../src/core/api/schema/SignatureItem.js';
import * as Step from '../../../src/core/api/schema/Step.js';
import * as Permit from '../../../src/sandbox/pricing/Permit.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import * as market from '../../support/market.js';
import { read } from '../../support/recorded.js';
import * as Shape from '../../support/shape.js';

const { alpha, user } = market;
const { depository } = alpha.contracts;
const token = market.token(alpha, 'USDC');
const orderId = `0x${'0d'.repeat(32)}` as const;
const requestId = `0x${'17'.repeat(32)}` as const;

function permit(kind: Permit.Kind): Permit.Permit {
  return Permit.from({ kind, user, depository, orderId, amount: 5n, validUntil: 9n, permitNonce: 3n });
}

function step(kind: Permit.Kind, api: Permit.StepContext['api'] = 'bridge') {
  return Permit.toStep(permit(kind), { chain: alpha, token, requestId, output: 'DAI', api });
}

const signature = await privateKeyToAccount(accounts.dev0.privateKey).signMessage({ message: 'any' });
const v = Number(`0x${signature.slice(-2)}`);
const [r, s] = [`0x${signature.slice(2, 66)}`, `0x${signature.slice(66, 130)}`];

describe('from', () => {
  test('default: transfers to the depository, bound to the order', () => {
    expect(permit('eip3009')).toEqual({
      kind: 'eip3009',
      from: user,
      to: depository,
      value: 5n,
      validBefore: 9n,
      nonce: orderId,
    });
  });

  test('behavior: an allowance for the relayer', () => {
    expect(permit('eip2612')).toEqual({
      kind: 'eip2612',
      owner: user,
      spender: accounts.relayer.address,
      value: 5n,
      deadline: 9n,
      nonce: 3n,
    });
  });
});

describe('toStep', () => {
  test.each(['eip3009', 'eip2612'] as const)('default: %s can be signed and posted', (kind) => {
    const made = step(kind);
    expect(Step.schema.parse(made)).toEqual(made);
    expect(made).toMatchObject({ id: 'authorize1', kind: 'signature', requestId });
    const [item] = made.items;
    expect(item?.check).toEqual({ endpoint: `/intents/status/v3?requestId=${requestId}`, method: 'GET' });
    const { sign, post } = SignatureItem.schema.parse(item?.data);
    if (sign.signatureKind !== 'eip712') throw new Error('no typed data');
    const { domain, types, primaryType, value: message } = sign;
    expect(hashTypedData({ domain, types, primaryType, message } as unknown as TypedDataDefinition)).toMatch(/^0x/);
    expect(SignatureItem.unsignedFields(sign)).toEqual([]);
    expect(post).toEqual({
      endpoint: '/execute/permits',
      method: 'POST',
      body: { kind: kind === 'eip3009' ? 'eip3009' : 'permit', requestId, api: 'bridge' },
    });
  });

  test("behavior: the service's format", () => {
    const { steps } = read('quote-permit-eip3009') as { steps: unknown[] };
    expect(Shape.differences(Shape.from(step('eip3009')), Shape.from(steps[0]))).toEqual([]);
  });

  test('behavior: a swap has its own api value', () => {
    expect(JSON.stringify(step('eip3009', 'swap'))).toContain('"api":"swap"');
    expect(step('eip3009', 'swap').description).toBe('Sign to approve swap of USDC for DAI');
  });
});

describe('toCalls', () => {
  const payment = { token, depository, orderId };

  test('default: the token transfers the funds directly', () => {
    const [call, ...others] = Permit.toCalls(permit('eip3009'), signature, payment);
    expect(others).toEqual([]);
    expect(call).toMatchObject({ to: token.address, value: 0n });
    expect(decodeFunctionData({ abi: abi.usdCoin, data: call?.data ?? '0x' })).toEqual({
      functionName: 'transferWithAuthorization',
      args: [user, getAddress(depository), 5n, 0n, 9n, orderId, v, r, s],
    });
  });

  test('behavior: the relayer takes the funds and deposits them for the user', () => {
    const calls = Permit.toCalls(permit('eip2612'), signature, payment);
    const interface_ = [...abi.usdCoin, ...abi.token, ...abi.depository];
    const { address: relayer } = accounts.relayer;
    expect(calls.map(({ to, data }) => ({ to, ...decodeFunctionData({ abi: interface_, data }) }))).toEqual([
      { to: token.address, functionName: 'permit', args: [user, relayer, 5n, 9n, v, r, s] },
      { to: token.address, functionName: 'transferFrom', args: [user, relayer, 5n] },
      { to: token.address, functionName: 'approve', args: [getAddress(depository), 5n] },
      { to: depository, functionName: 'depositErc20', args: [user, getAddress(token.address), 5n, orderId] },
    ]);
  });

  test.each(['0x', '0x12', `${'0x'}${'11'.repeat(64)}`, `0x${'11'.repeat(66)}`] as const)(
    'error: %s is not a signature',
    (odd) => {
      expect(() => Permit.toCalls(permit('eip3009'), odd, payment)).toThrow();
    },
  );
});
