import { decodeFunctionData, getAddress, hashTypedData, type TypedDataDefinition } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import * as SignatureItem from '../../../src/core/api/schema/SignatureItem.js';
import * as Step from '../../../src/core/api/schema/Step.js';
import * as ProxyNonce from '../../../src/core/proof/signature/ProxyNonce.js';
import * as Calldata from '../../../src/sandbox/pricing/Calldata.js';
import * as Permit from '../../../src/sandbox/pricing/Permit.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import * as market from '../../support/market.js';
import * as published from '../../support/published.js';
import * as calldata from '../../support/routerCalldata.js';
import * as Shape from '../../support/shape.js';

const { alpha, user } = market;
const { depository, router, approvalProxy } = alpha.contracts;
const token = market.token(alpha, 'USDC');
const orderId = `0x${'0d'.repeat(32)}` as const;
const requestId = `0x17910346${'b9'.repeat(28)}` as const;

const purpose: Permit.Purpose = { contracts: alpha.contracts, user, token: token.address, orderId, requestId };
const permit = Permit.from(purpose, { amount: 5n, validUntil: 9n });
const made = Permit.toStep(permit, { chain: alpha, token, requestId, output: 'DAI' });

const signature = await privateKeyToAccount(accounts.dev0.privateKey).signMessage({ message: 'any' });
const v = Number(`0x${signature.slice(-2)}`);
const [r, s] = [`0x${signature.slice(2, 66)}`, `0x${signature.slice(66, 130)}`];

describe('from', () => {
  test('default: to the approval proxy, its nonce bound to the deposit for the order', () => {
    const { nonce } = permit;
    expect(permit).toEqual({ from: user, to: approvalProxy, value: 5n, validBefore: 9n, nonce });
    const facts = {
      user,
      token: token.address,
      input: 5n,
      orderId,
      requestId,
      contracts: { depository, router, approvalProxy },
      solvers: [accounts.solver.address, accounts.relayer.address],
    };
    expect(ProxyNonce.commitmentOf(nonce, facts)).toEqual({ relayer: accounts.relayer.address.toLowerCase() });
    expect(ProxyNonce.commitmentOf(nonce, { ...facts, orderId: `0x${'0e'.repeat(32)}` })).toBeUndefined();
    expect(ProxyNonce.commitmentOf(nonce, { ...facts, requestId: `0x${'18'.repeat(32)}` })).toBeUndefined();
    expect(ProxyNonce.commitmentOf(nonce, { ...facts, user: market.other })).toBeUndefined();
  });
});

describe('toStep', () => {
  test('default: can be signed and posted', () => {
    expect(Step.schema.parse(made)).toEqual(made);
    expect(made).toMatchObject({
      id: 'authorize1',
      kind: 'signature',
      requestId,
      description: 'Sign to approve swap of USDC for DAI',
    });
    const [item] = made.items;
    expect(item?.check).toEqual({ endpoint: `/intents/status/v3?requestId=${requestId}`, method: 'GET' });
    const { sign, post } = SignatureItem.schema.parse(item?.data);
    if (sign.signatureKind !== 'eip712') throw new Error('no typed data');
    const { domain, types, primaryType, value: message } = sign;
    expect(hashTypedData({ domain, types, primaryType, message } as unknown as TypedDataDefinition)).toMatch(/^0x/);
    expect(message).toMatchObject({ value: '5', validAfter: 0, validBefore: 9 });
    const body = { kind: 'eip3009', requestId, api: 'swap' };
    expect(post).toEqual({ endpoint: '/execute/permits', method: 'POST', body });
  });
});

published.describePublished('toStep: published', () => {
  test("behavior: the service's format", () => {
    const { steps } = published.read('live/quote-permit-eip3009-1.json') as { steps: unknown[] };
    // The published answer lacks the texts and the check.
    const { action: _, description: __, ...ours } = made;
    const items = made.items.map(({ check: ___, ...item }) => item);
    expect(Shape.differences(Shape.from({ ...ours, items }), Shape.from(steps[0]))).toEqual([]);
    expect(Shape.differences(Shape.from(steps[0]), Shape.from({ ...ours, items }))).toEqual([]);
  });
});

describe('toCall', () => {
  test('default: the proxy hands the tokens to the router, which deposits all it has for the order', () => {
    const { to, data, value } = Permit.toCall(permit, signature, purpose);
    expect([to, value]).toEqual([approvalProxy, 0n]);
    expect(data.slice(-64)).toBe(orderId.slice(2));
    const deposit = calldata.depositAll({ router, depository, depositor: user, token: token.address, id: orderId });
    const solver = getAddress(accounts.solver.address);
    expect(decodeFunctionData({ abi: abi.approvalProxy, data })).toEqual({
      functionName: 'permit3009TransferAndMulticall',
      args: [
        [{ from: getAddress(user), value: 5n, validAfter: 0n, validBefore: 9n, v, r, s }],
        [getAddress(token.address)],
        [{ ...deposit, target: getAddress(router) }],
        solver,
        solver,
        `0x${'9b'.repeat(28)}6430197100`,
      ],
    });
  });

  test.each(['0x', '0x12', `${'0x'}${'11'.repeat(64)}`, `0x${'11'.repeat(66)}`] as const)(
    'error: %s is not a signature',
    (odd) => {
      expect(() => Permit.toCall(permit, odd, purpose)).toThrow();
    },
  );
});

test('metadataOf: the digits of the request id backwards, and a byte; nothing else is read as one', () => {
  const requestId = `0x${'12'.repeat(31)}34` as const;
  const metadata = `0x43${'21'.repeat(31)}00` as const;
  expect(Calldata.metadataOf(requestId)).toBe(metadata);
  expect(Calldata.requestIdOf(metadata)).toBe(requestId);
  for (const other of ['0x', requestId, `0x43${'21'.repeat(31)}01`] as const)
    expect(Calldata.requestIdOf(other)).toBe(undefined);
});
