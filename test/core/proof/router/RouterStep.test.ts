import { encodeFunctionData, type Hex, zeroAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import * as RouterStep from '../../../../src/core/proof/router/RouterStep.js';
import * as calldata from '../../../support/routerCalldata.js';

const of = (byte: string): calldata.Address => `0x${byte.repeat(20)}`;
const [router, depository, wrapped] = [of('60'), of('13'), of('15')];
const [token, user, other] = [of('70'), of('14'), of('66')];
const id: Hex = `0x${'0d'.repeat(32)}`;
const { abi } = calldata;

function kinds(call: calldata.Call): unknown[] {
  return RouterStep.from(call, { router, depository, wrapped }, [token]);
}

describe('from', () => {
  test('default: calls of tokens', () => {
    expect(kinds(calldata.approve(token, other, 5n))).toEqual([{ kind: 'approve', token, spender: other, amount: 5n }]);
    const transfer = encodeFunctionData({ abi, functionName: 'transfer', args: [other, 5n] });
    expect(kinds(calldata.call(token, transfer))).toEqual([{ kind: 'transfer', token, to: other, amount: 5n }]);
    const withdraw = encodeFunctionData({ abi, functionName: 'withdraw', args: [5n] });
    expect(kinds(calldata.call(wrapped, withdraw))).toEqual([{ kind: 'unwrap', amount: 5n }]);
    expect(kinds(calldata.call(wrapped, '0xd0e30db0', 5n))).toEqual([{ kind: 'wrap', amount: 5n }]);
    expect(kinds(calldata.call(other, '0x', 5n))).toEqual([
      { kind: 'transfer', token: zeroAddress, to: other, amount: 5n },
    ]);
    expect(kinds(calldata.call(router, '0x', 5n))).toEqual([{ kind: 'idle' }]);
  });

  test('default: the router’s own functions, where an amount of zero is everything', () => {
    const of = { router, depository, depositor: user, id };
    const step = { kind: 'deposit', depository, depositor: user, id };
    expect(kinds(calldata.depositAll({ ...of, token: zeroAddress }))).toEqual([
      { ...step, token: zeroAddress, amount: 'balance' },
    ]);
    expect(kinds(calldata.depositAll({ ...of, token }, 7n))).toEqual([{ ...step, token, amount: 7n }]);
    const args = [[token, other], [user, other], [0n, 3n], '0x'] as const;
    expect(kinds(calldata.call(router, encodeFunctionData({ abi, functionName: 'cleanupErc20s', args })))).toEqual([
      { kind: 'transfer', token, to: user, amount: 'balance' },
      { kind: 'transfer', token: other, to: other, amount: 3n },
    ]);
  });

  test('behavior: a deposit of an amount is no deposit of everything', () => {
    const args = [user, token, 5n, id] as const;
    const data = encodeFunctionData({ abi: calldata.deposits.ofAmount, functionName: 'depositErc20', args });
    const handed = [[token], [depository], [data], [0n]] as const;
    const call = calldata.call(router, encodeFunctionData({ abi, functionName: 'cleanupErc20sViaCall', args: handed }));
    expect(kinds(call)).toMatchObject([{ kind: 'deposit', amount: 5n }]);
  });

  test.each<[string, calldata.Call]>([
    ['another function', calldata.call(token, '0xdeadbeef')],
    ['the approval of another contract, which may do anything', calldata.approve(other, token, 5n)],
    ['value for a function that takes none', { ...calldata.approve(token, other, 5n), value: 1n }],
    ['the unwrap of another contract', calldata.call(other, `0x2e1a7d4d${'00'.repeat(32)}`)],
    ['a deposit of another token than was handed over', otherToken()],
    ['lists of different lengths', unlike()],
    ['a swap without its value', { ...calldata.viaKyberSwap(native), value: 4n }],
  ])('behavior: unknown: %s', (_, call) => {
    expect(kinds(call)).toMatchObject([{ kind: 'unknown', target: call.target }]);
  });
});

const native = { from: zeroAddress, to: token, amount: 5n, minimum: 1n, receiver: router };

function otherToken(): calldata.Call {
  const args = [user, other, id] as const;
  const data = encodeFunctionData({ abi: calldata.deposits.ofAllowance, functionName: 'depositErc20', args });
  const handed = [[token], [depository], [data], [0n]] as const;
  return calldata.call(router, encodeFunctionData({ abi, functionName: 'cleanupErc20sViaCall', args: handed }));
}

function unlike(): calldata.Call {
  const args = [[token], [user, other], [0n], '0x'] as const;
  return calldata.call(router, encodeFunctionData({ abi, functionName: 'cleanupErc20s', args }));
}
