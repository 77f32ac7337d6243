import { keccak256, toHex } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import * as Arrival from '../../src/core/Arrival.js';
import type { Hex, Receipt } from '../../src/core/Ports.js';

const token = '0x00000000000000000000000000000000000000AA';
const user = '0x00000000000000000000000000000000000000bb';
const word = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
const amount = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;

function receipt(...logs: Receipt['logs']): Receipt {
  return { hash: '0x01', status: 'success', blockNumber: 1n, gasUsed: 1n, effectiveGasPrice: 1n, logs };
}

describe('received', () => {
  const transfer = (to: string, value: bigint, address = token) => ({
    address,
    topics: [Arrival.transferTopic, word(token), word(to)],
    data: amount(value),
  });

  test('default: sums the transfers of the token to the recipient over all receipts', () => {
    const other = '0x00000000000000000000000000000000000000cc';
    const first = receipt(transfer(user, 5n), transfer(other, 7n), transfer(user, 11n, other));
    expect(Arrival.received([first, receipt(transfer(user, 1n))], token.toLowerCase(), user)).toBe(6n);
  });

  test('behavior: wrapping counts, an approval does not', () => {
    const wrapped = { address: token, topics: [Arrival.wrapTopic, word(user)], data: amount(3n) };
    const approval = {
      address: token,
      topics: [keccak256(toHex('Approval(address,address,uint256)')), word(user), word(user)],
      data: amount(9n),
    };
    expect(Arrival.received([receipt(wrapped, approval)], token, user)).toBe(3n);
  });

  test('behavior: the topics are the hashes of the event signatures', () => {
    expect(Arrival.transferTopic).toBe(keccak256(toHex('Transfer(address,address,uint256)')));
    expect(Arrival.wrapTopic).toBe(keccak256(toHex('Deposit(address,uint256)')));
  });
});
