import { secp256k1 } from '@noble/curves/secp256k1';
import { recoverMessageAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import * as Secp256k1 from '../../../src/core/base/Secp256k1.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';

test('prepare: the same signatures and signers with either table', async () => {
  const { address, privateKey } = accounts.dev3;
  const account = privateKeyToAccount(privateKey);
  secp256k1.utils.precompute(8);
  const message = 'one of many';
  const signature = await account.signMessage({ message });
  // The larger table comes after some hundred calls.
  for (let call = 0; call < 210; call++) {
    await Secp256k1.prepare();
    if (call % 50 !== 0) continue;
    expect(await account.signMessage({ message })).toBe(signature);
    expect(await recoverMessageAddress({ message, signature })).toBe(address);
  }
});
