import { encodeAbiParameters, toEventSelector, toHex } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../../src/core/base/Hex.js';
import * as Network from '../../../src/core/network/Network.js';
import { network } from '../../../src/core/network/sandbox.js';
import * as DepositEvent from '../../../src/core/proof/DepositEvent.js';

const chain = Network.chain(network, 'alpha');
const depository = chain.contracts.depository as Hex;
const [from, token] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`] as const;
const id = `0x${'ab'.repeat(32)}` as const;
const [address, amount, order] = [{ type: 'address' }, { type: 'uint256' }, { type: 'bytes32' }] as const;

const native = {
  address: depository,
  topics: [toEventSelector('RelayNativeDeposit(address,uint256,bytes32)')],
  data: encodeAbiParameters([address, amount, order], [from, 7n, id]),
};
const erc20 = {
  address: depository,
  topics: [toEventSelector('RelayErc20Deposit(address,address,uint256,bytes32)')],
  data: encodeAbiParameters([address, address, amount, order], [from, token, 7n, id]),
};

describe('inReceipt', () => {
  test('default: of the native asset, and of a token', () => {
    expect(DepositEvent.inReceipt({ logs: [native, erc20] }, chain)).toEqual([
      { from, token: '0x0000000000000000000000000000000000000000', amount: 7n, id },
      { from, token, amount: 7n, id },
    ]);
  });

  test.each([
    ['another contract says it', { ...erc20, address: token }],
    ['it is another event', { ...erc20, topics: [toHex(1, { size: 32 })] }],
    ['it has no topic', { ...erc20, topics: [] }],
    ['it is too short', { ...native, data: native.data.slice(0, -64) as Hex }],
    ['it is too long', { ...erc20, data: `${erc20.data}${'00'.repeat(32)}` as Hex }],
    ['it is empty', { ...erc20, data: '0x' as const }],
  ])('attack: %s', (_, log) => {
    expect(DepositEvent.inReceipt({ logs: [log] }, chain)).toEqual([]);
  });

  test('behavior: a chain without a depository has none', () => {
    expect(DepositEvent.inReceipt({ logs: [erc20] }, { contracts: {} as never })).toEqual([]);
  });
});
