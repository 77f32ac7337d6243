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

  test('behavior: every name has its agreed index', () => {
    expect(Object.keys(accounts)).toEqual([
      ...['dev0', 'dev1', 'dev2', 'dev3', 'dev4', 'dev5', 'dev6', 'dev7', 'dev8', 'dev9'],
      ...['deployer', 'solver', 'relayer', 'allocator', 'sponsor', 'feeCollector'],
      ...['alphaTokens', 'betaTokens', 'spare18', 'spare19'],
    ]);
  });
});
