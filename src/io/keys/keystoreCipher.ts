/** The cipher of encrypted key files: encrypts secrets of any length with a password. Errors reveal neither. */
import { createCipheriv, createDecipheriv, pbkdf2, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { keccak256 } from 'viem/utils';
import * as Keystore from '../../core/accounts/Keystore.js';
import { BaseError } from '../../core/base/Errors.js';
import type * as Secret from '../../core/base/Secret.js';
import type { Host } from '../terminal/host.js';

/** Encrypts a key of any length, given as hex with a 0x prefix. At full cost unless the host says otherwise. */
export async function encrypt(
  key: Secret.Secret,
  password: string,
  { randomBytes, scryptCost = Keystore.scryptCost }: Pick<Host, 'randomBytes' | 'scryptCost'>,
): Promise<Keystore.Encrypted> {
  const salt = Buffer.from(randomBytes(32)).toString('hex');
  const iv = Buffer.from(randomBytes(16));
  const kdf: Keystore.Kdf = { name: 'scrypt', ...scryptCost, salt };
  const derived = await derive(password, kdf);
  const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), iv);
  const plain = Buffer.from(key.reveal().slice(2), 'hex');
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  plain.fill(0);
  return {
    ciphertext: ciphertext.toString('hex'),
    iv: iv.toString('hex'),
    mac: mac(derived, ciphertext).toString('hex'),
    kdf,
  };
}

/**
 * Decrypts the secret of a key file. A password with accents has several spellings in Unicode: terminals, editors and
 * wallets (ethers: NFKC) choose differently.
 *
 * @throws auth.password
 */
export async function decrypt(keystore: Keystore.Encrypted, password: string, name: string): Promise<Buffer> {
  const spellings = new Set([password, ...['NFKC', 'NFC', 'NFD'].map((form) => password.normalize(form))]);
  for (const spelling of spellings) {
    const secret = await decryptWith(keystore, spelling);
    if (secret) return secret;
  }
  throw new BaseError('auth.password', `The password for the key ${name} is wrong.`);
}

async function decryptWith(keystore: Keystore.Encrypted, password: string): Promise<Buffer | undefined> {
  const derived = await derive(password, keystore.kdf);
  const ciphertext = Buffer.from(keystore.ciphertext, 'hex');
  if (!timingSafeEqual(mac(derived, ciphertext), Buffer.from(keystore.mac, 'hex'))) return undefined;
  const decipher = createDecipheriv('aes-128-ctr', derived.subarray(0, 16), Buffer.from(keystore.iv, 'hex'));
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}

async function derive(password: string, kdf: Keystore.Kdf): Promise<Buffer> {
  const salt = Buffer.from(kdf.salt, 'hex');
  if (kdf.name === 'pbkdf2') return promisify(pbkdf2)(password, salt, kdf.c, 32, 'sha256');
  const cost = { N: kdf.n, r: kdf.r, p: kdf.p, maxmem: Keystore.maxMemory };
  // OpenSSL does not take these, as older RFCs want it; files of eth-account and its like have them.
  if (kdf.r === 1 && kdf.n >= 2 ** 16) {
    const { scryptAsync } = await import('@noble/hashes/scrypt');
    return Buffer.from(await scryptAsync(password, salt, { ...cost, dkLen: 32, maxmem: Keystore.maxMemory }));
  }
  return promisify<string, Buffer, number, typeof cost, Buffer>(scrypt)(password, salt, 32, cost);
}

function mac(derived: Buffer, ciphertext: Buffer): Buffer {
  return Buffer.from(keccak256(Buffer.concat([derived.subarray(16, 32), ciphertext]), 'bytes'));
}
