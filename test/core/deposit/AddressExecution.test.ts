import { encodeAbiParameters, toEventSelector } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import type { Address } from '../../../src/core/base/Address.js';
import { native } from '../../../src/core/base/Address.js';
import type { Hex } from '../../../src/core/base/Hex.js';
import * as AddressExecution from '../../../src/core/deposit/AddressExecution.js';
import * as Network from '../../../src/core/network/Network.js';
import { network } from '../../../src/core/network/sandbox.js';

const chain = Network.chain(network, 'alpha');
const usdc = Network.token(chain, 'usdc')?.address as Address;
const depository = chain.contracts.depository as Address;
const orderId: Hex = `0x${'5a'.repeat(32)}`;
const depositor: Address = `0x${'7b'.repeat(20)}`;

function nativeLog(amount: bigint, id: Hex, address: Address = depository) {
  const types = [{ type: 'address' }, { type: 'uint256' }, { type: 'bytes32' }] as const;
  const topic = toEventSelector('RelayNativeDeposit(address,uint256,bytes32)');
  return { address, topics: [topic], data: encodeAbiParameters(types, [depositor, amount, id]) };
}

function tokenLog(token: Address, amount: bigint, id: Hex) {
  const types = [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }, { type: 'bytes32' }] as const;
  const topic = toEventSelector('RelayErc20Deposit(address,address,uint256,bytes32)');
  return { address: depository, topics: [topic], data: encodeAbiParameters(types, [depositor, token, amount, id]) };
}

describe('depositIn', () => {
  test('default', () => {
    const other: Hex = `0x${'5b'.repeat(32)}`;
    const logs = [nativeLog(1n, other), nativeLog(7n, orderId)];
    expect(AddressExecution.depositIn({ logs }, { chain, orderId, token: native })).toBe(7n);
    const tokens = [tokenLog(depositor, 5n, orderId), tokenLog(usdc, 9n, orderId)];
    expect(AddressExecution.depositIn({ logs: tokens }, { chain, orderId, token: usdc })).toBe(9n);
  });

  test('behavior: only the depository’s, only of the order, only of its currency', () => {
    const terms = { chain, orderId, token: native };
    expect(AddressExecution.depositIn({ logs: [nativeLog(7n, orderId, depositor)] }, terms)).toBeUndefined();
    expect(AddressExecution.depositIn({ logs: [tokenLog(usdc, 7n, orderId)] }, terms)).toBeUndefined();
    expect(AddressExecution.depositIn({ logs: [nativeLog(7n, orderId)] }, { ...terms, token: usdc })).toBeUndefined();
    expect(AddressExecution.depositIn({ logs: [] }, terms)).toBeUndefined();
  });
});
