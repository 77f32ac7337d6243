import { recoverMessageAddress } from 'viem';
import * as eager from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { loadAccounts } from '../../../src/io/keys/viemAccounts.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';

describe('loadAccounts', () => {
  test('default: the same addresses and signatures as with the default table', async () => {
    const { privateKeyToAccount } = await loadAccounts();
    expect(privateKeyToAccount).toBe(eager.privateKeyToAccount);
    for (const { address, privateKey } of Object.values(accounts)) {
      const account = privateKeyToAccount(privateKey);
      expect(account.address).toBe(address);
      const signature = await account.signMessage({ message: address });
      expect(await recoverMessageAddress({ message: address, signature })).toBe(address);
    }
  });
});
