import { secp256k1 } from '@noble/curves/secp256k1';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import * as Secp256k1 from '../../../src/core/base/Secp256k1.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';

type Point = typeof secp256k1.ProjectivePoint.BASE;

test('prepare: the first multiple of the generator takes hundreds of additions and not thousands, once', async () => {
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

test('compute: what follows finds the table', async () => {
  await Secp256k1.compute();
  const { prototype } = secp256k1.ProjectivePoint;
  const { double } = prototype;
  let count = 0;
  prototype.double = function counting() {
    count++;
    return double.call(this);
  };
  try {
    secp256k1.ProjectivePoint.BASE.multiply(7n);
    expect(count).toBe(0);
  } finally {
    prototype.double = double;
  }
});

test('recover, recoverMessage: the signer; no signature has none', async () => {
  const { address, privateKey } = accounts.dev1;
  const hash = `0x${'12'.repeat(32)}` as const;
  const account = privateKeyToAccount(privateKey);
  expect(await Secp256k1.recover({ hash, signature: await account.sign({ hash }) })).toBe(address);
  const signature = await account.signMessage({ message: 'a' });
  expect(await Secp256k1.recoverMessage({ message: 'a', signature })).toBe(address);
  await expect(Secp256k1.recoverMessage({ message: 'a', signature: `0x${'00'.repeat(65)}` })).rejects.toThrow();
});
