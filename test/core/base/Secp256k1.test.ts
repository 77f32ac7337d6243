import { secp256k1 } from '@noble/curves/secp256k1';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import * as Secp256k1 from '../../../src/core/base/Secp256k1.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';

type Point = typeof secp256k1.ProjectivePoint.BASE;

describe('prepare', () => {
  test('behavior: the first multiple of the generator takes hundreds of additions and not thousands, once', async () => {
    await Secp256k1.prepare();
    const { BASE, prototype } = secp256k1.ProjectivePoint;
    const { add } = prototype;
    let count = 0;
    prototype.add = function counting(other: Point) {
      count++;
      return add.call(this, other);
    };
    try {
      BASE.multiply(3n);
      expect(count).toBeLessThan(500);
      count = 0;
      await Secp256k1.prepare();
      BASE.multiply(5n);
      expect(count).toBeLessThan(100);
    } finally {
      prototype.add = add;
    }
  });
});

describe('recoverMessage', () => {
  test('default: the signer', async () => {
    for (const { address, privateKey } of Object.values(accounts)) {
      const signature = await privateKeyToAccount(privateKey).signMessage({ message: address });
      expect(await Secp256k1.recoverMessage({ message: address, signature })).toBe(address);
    }
  });

  test('error: no signature', async () => {
    await expect(Secp256k1.recoverMessage({ message: 'a', signature: `0x${'00'.repeat(65)}` })).rejects.toThrow();
  });
});
