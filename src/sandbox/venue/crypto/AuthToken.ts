/** Auth tokens for private endpoints: a deadline, an account and an API key, signed by that key. */
import type { Fp5 } from './Fp5.js';
import * as Poseidon2 from './Poseidon2.js';
import * as Schnorr from './Schnorr.js';

export type AuthToken = {
  /** Unix time in seconds. */
  deadline: number;
  accountIndex: number;
  apiKeyIndex: number;
  /** 80 bytes. */
  signature: Uint8Array;
};

/** Maximum validity of a token. */
const maxLifetimeMs = 8 * 60 * 60_000;

/** Parses `<deadline>:<account>:<key>:<160 hexadecimal digits>`; undefined if malformed. */
export function from(text: string): AuthToken | undefined {
  const match = /^(\d{1,12}):(\d{1,15}):(\d{1,3}):([0-9a-f]{160})$/.exec(text);
  if (!match) return undefined;
  const [, deadline, accountIndex, apiKeyIndex, signature = ''] = match;
  return {
    deadline: Number(deadline),
    accountIndex: Number(accountIndex),
    apiKeyIndex: Number(apiKeyIndex),
    signature: Buffer.from(signature, 'hex'),
  };
}

/** Whether the token has not expired and its deadline is within the limit. */
export function isCurrent({ deadline }: AuthToken, nowMs: number): boolean {
  const leftMs = deadline * 1000 - nowMs;
  return leftMs > 0 && leftMs <= maxLifetimeMs;
}

export function isSignedBy(token: AuthToken, publicKey: Uint8Array): boolean {
  return Schnorr.isSignedBy(publicKey, hash(token), token.signature);
}

/** Creates a token signed with a key. */
export function sign(claim: Omit<AuthToken, 'signature'>, secret: bigint): string {
  return `${message(claim)}:${Buffer.from(Schnorr.sign(secret, hash(claim))).toString('hex')}`;
}

/** The message, zero-padded and split into little-endian 64-bit integers, hashed with Poseidon2. */
export function hash(claim: Omit<AuthToken, 'signature'>): Fp5 {
  const text = Buffer.from(message(claim), 'ascii');
  const bytes = Buffer.concat([text, Buffer.alloc((8 - (text.length % 8)) % 8)]);
  return Poseidon2.hash(Array.from({ length: bytes.length / 8 }, (_, index) => bytes.readBigUInt64LE(8 * index)));
}

function message({ deadline, accountIndex, apiKeyIndex }: Omit<AuthToken, 'signature'>): string {
  return `${deadline}:${accountIndex}:${apiKeyIndex}`;
}
