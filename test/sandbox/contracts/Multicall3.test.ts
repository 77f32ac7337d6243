import { encodeErrorResult, encodeFunctionData } from 'viem';
import { describe, expect, test } from 'vitest';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { type Call, result, revert, send, useChains } from '../../support/chains.js';
import { connect } from '../../support/nodeClients.js';

const chains = useChains();
const { dev0, dev1, dev2 } = accounts;

describe('aggregate3', () => {
  test('behavior: viem’s multicall reads through it', async () => {
    for (const chain of [chains.current.alpha, chains.current.beta]) {
      const { USDC, GULL } = chain.tokens;
      const contracts = [USDC, GULL].map(
        ({ address }) => ({ address, abi: abi.token, functionName: 'symbol' }) as const,
      );
      const failing = { address: chain.reverter, abi: abi.reverter, functionName: 'empty' } as const;
      const answers = await connect(chain).multicall({
        contracts: [...contracts, failing],
        multicallAddress: chain.multicall3,
      });
      expect(answers).toMatchObject([{ result: 'USDC' }, { result: 'GULL' }, { status: 'failure' }]);
    }
  });

  test('error: a call without allowFailure fails', async () => {
    expect(await revert(chains.current.alpha, dev0, call('aggregate3', [{ ...failing(), allowFailure: false }]))).toBe(
      'Error(Multicall3: call failed)',
    );
  });
});

describe('aggregate3Value', () => {
  test('default', async () => {
    const { alpha } = chains.current;
    const client = connect(alpha);
    const before = await client.getBalance({ address: dev1.address });
    const calls = [
      { target: dev1.address, allowFailure: false, value: 2n, callData: '0x' },
      { ...failing(), allowFailure: true, value: 0n },
      { target: alpha.reverter, allowFailure: false, value: 3n, callData: succeed() },
    ];
    const aggregate = call('aggregate3Value', calls, 5n);
    expect(await result(alpha, dev0, aggregate)).toEqual([
      { success: true, returnData: '0x' },
      { success: false, returnData: limitExceeded() },
      { success: true, returnData: `0x${'7'.padStart(64, '0')}` },
    ]);
    await send(alpha, dev0, aggregate);
    expect(await client.getBalance({ address: dev1.address })).toBe(before + 2n);
  });

  test('error: value mismatch', async () => {
    const calls = [{ target: dev1.address, allowFailure: false, value: 2n, callData: '0x' }];
    expect(await revert(chains.current.alpha, dev0, call('aggregate3Value', calls, 3n))).toBe(
      'Error(Multicall3: value mismatch)',
    );
  });
});

function call(functionName: string, calls: readonly unknown[], value = 0n): Call {
  return { address: chains.current.alpha.multicall3, abi: abi.multicall3, functionName, args: [calls], value };
}

function failing() {
  const args = [dev2.address, 1n, 2n] as const;
  const callData = encodeFunctionData({ abi: abi.reverter, functionName: 'customError', args });
  return { target: chains.current.alpha.reverter, callData };
}

function limitExceeded() {
  return encodeErrorResult({ abi: abi.reverter, errorName: 'LimitExceeded', args: [dev2.address, 1n, 2n] });
}

function succeed() {
  return encodeFunctionData({ abi: abi.reverter, functionName: 'succeed', args: [7n] });
}
