import { toHex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { mnemonic } from '../../../src/sandbox/chain/startChains.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';

describe('accounts', () => {
  test('behavior: the first twenty accounts of the mnemonic, in order', () => {
    const derived = Array.from({ length: 20 }, (_, addressIndex) => {
      const account = mnemonicToAccount(mnemonic, { addressIndex });
      return { address: account.address, privateKey: toHex(account.getHdKey().privateKey ?? new Uint8Array()) };
    });
    expect(Object.values(accounts)).toEqual(derived);
  });
});
