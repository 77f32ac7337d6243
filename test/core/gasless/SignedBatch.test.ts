import { hashTypedData, recoverTypedDataAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { decodeAbiParameters, decodeFunctionData, parseAbi } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import * as Execute from '../../../src/core/api/Execute.js';
import * as Plan from '../../../src/core/execution/Plan.js';
import * as SignedBatch from '../../../src/core/gasless/SignedBatch.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { intent, quote, verify } from '../../support/quoted.js';

const executor = '0x000000009B1D0aF20D8C6d0A44e162d11F9b8f00';
const account = privateKeyToAccount(accounts.dev0.privateKey);
const nowMs = 1_790_000_000_500;

async function plan(): Promise<Plan.Plan> {
  return Plan.from(await verify(await quote(intent('100', 'alpha/usdc', 'beta/usdc', { gasless: true }))));
}

async function batch(): Promise<SignedBatch.Batch> {
  return SignedBatch.from(await plan(), { nonce: 7n, executor: accounts.relayer.address }, { nowMs });
}

test('from: exactly the plan’s calls, with a deadline', async () => {
  const made = await batch();
  const { actions } = await plan();
  expect(made.calls).toEqual(actions.map(({ to, value, data }) => ({ to, value, data })));
  expect(made.deadline).toBe(1_790_000_360n);
  expect(made.executor).toBe(accounts.relayer.address);
});

describe('typedData', () => {
  test('default: the documented domain and types, which viem hashes and the account signs', async () => {
    const typed = SignedBatch.typedData(await batch(), account.address, 313371, executor) as Parameters<
      typeof account.signTypedData
    >[0];
    expect(typed.domain).toEqual({
      name: 'Calibur',
      version: '1.0.0',
      chainId: 313371,
      verifyingContract: account.address,
      salt: `0x${'0'.repeat(24)}${executor.slice(2).toLowerCase()}`,
    });
    const signature = await account.signTypedData(typed);
    expect(await recoverTypedDataAddress({ ...typed, signature })).toBe(account.address);
    expect(hashTypedData(typed)).toMatch(/^0x[0-9a-f]{64}$/);
  });
  test('behavior: every field of the batch is signed', async () => {
    const made = await batch();
    const hash = (changed: Partial<SignedBatch.Batch>, chainId = 313371): string =>
      hashTypedData(
        SignedBatch.typedData({ ...made, ...changed }, account.address, chainId, executor) as Parameters<
          typeof hashTypedData
        >[0],
      );
    const hashes = [
      hash({}),
      hash({ nonce: 8n }),
      hash({ deadline: made.deadline + 1n }),
      hash({ executor: account.address }),
      hash({ calls: made.calls.slice(1) }),
      hash({}, 313372),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});

test('callData: execute with the wrapped signature', async () => {
  const data = SignedBatch.callData(await batch(), '0x1234');
  const abi = parseAbi([
    'struct Call { address to; uint256 value; bytes data; }',
    'struct BatchedCall { Call[] calls; bool revertOnFailure; }',
    'struct SignedBatchedCall { BatchedCall batchedCall; uint256 nonce; bytes32 keyHash; address executor; uint256 deadline; }',
    'function execute(SignedBatchedCall signedBatchedCall, bytes wrappedSignature)',
  ]);
  const { args } = decodeFunctionData({ abi, data });
  expect(args[0]).toMatchObject({ nonce: 7n, batchedCall: { revertOnFailure: true } });
  expect(decodeAbiParameters([{ type: 'bytes' }, { type: 'bytes' }], args[1])).toEqual(['0x1234', '0x']);
});

test('toRequest: a body of spec 2.1', async () => {
  const made = await plan();
  const authorization = { chainId: 313371, address: executor, nonce: 0, yParity: 0, r: '0x01', s: '0x02' } as const;
  const body = SignedBatch.toRequest(made, '0x1234', { account: account.address, authorization, referrer: 'me' });
  expect(Execute.request.parse(body)).toEqual(body);
  expect(body).toMatchObject({
    requestId: made.requestId,
    data: { to: account.address, value: '0', authorizationList: [authorization] },
  });
  expect(
    SignedBatch.toRequest(made, '0x', { account: account.address, authorization: undefined, referrer: undefined }).data,
  ).not.toHaveProperty('authorizationList');
});

test.each([
  ['0x', undefined],
  [`0xef0100${executor.slice(2).toLowerCase()}`, executor],
  ['0x6001', 'contract'],
  [`0xef0100${executor.slice(2)}00`, 'contract'],
] as const)('delegateOf: %s', (code, expected) => {
  expect(SignedBatch.delegateOf(code)).toBe(expected);
});
