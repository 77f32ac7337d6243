import { decodeAbiParameters, decodeFunctionData, parseAbi, zeroAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import * as BalanceGuard from '../../../../src/core/proof/router/BalanceGuard.js';
import type * as calldata from '../../../support/routerCalldata.js';

const of = (byte: string): calldata.Address => `0x${byte.repeat(20)}`;
const [user, recipient, token, dollars, universalRouter] = [of('a1'), of('c0'), of('70'), of('d0'), of('1e')];

function paying(change: Partial<BalanceGuard.Payment> = {}): BalanceGuard.Payment {
  return { user, paid: token, owner: recipient, token: dollars, minimum: 90n, ...change };
}

describe('of', () => {
  test('default: the recipient’s balance of the output', () => {
    const guard = { owner: recipient, token: dollars, minimum: 90n, checker: universalRouter };
    expect(BalanceGuard.of(paying(), { universalRouter })).toEqual(guard);
  });

  test('behavior: the account’s own native balance needs no contract, somebody else’s has none', () => {
    const own = { token: zeroAddress, owner: user };
    expect(BalanceGuard.of(paying(own), {})).toMatchObject({ owner: user, checker: undefined });
    expect(BalanceGuard.of(paying({ token: zeroAddress }), { universalRouter })).toBeUndefined();
  });

  test('behavior: nothing holds a payment of the input itself, or one on a chain without the contract', () => {
    expect(BalanceGuard.of(paying({ token }), { universalRouter })).toBeUndefined();
    expect(BalanceGuard.of(paying(), {})).toBeUndefined();
  });
});

describe('call', () => {
  test('default: the balance before and the minimum, without the flag that lets the check fail', () => {
    const guard = { owner: recipient, token: dollars, minimum: 90n, checker: universalRouter };
    const { to, value, data } = BalanceGuard.call(guard, 7n);
    expect([to, value]).toEqual([universalRouter, 0n]);
    const abi = parseAbi(['function execute(bytes commands, bytes[] inputs)']);
    const { args } = decodeFunctionData({ abi, data });
    expect(args[0]).toBe('0x0e');
    const words = [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }] as const;
    const [owner, of_, least] = decodeAbiParameters(words, args[1][0] ?? '0x');
    expect([owner.toLowerCase(), of_.toLowerCase(), least]).toEqual([recipient, dollars, 97n]);
  });

  test('behavior: of the native asset, a call of the account to itself that it cannot make with less', () => {
    const guard = { owner: user, token: zeroAddress, minimum: 90n, checker: undefined };
    expect(BalanceGuard.call(guard, 7n)).toEqual({ to: user, value: 97n, data: '0x' });
  });
});
