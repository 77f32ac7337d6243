import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BaseError } from '../../src/core/base/Errors.js';
import * as Goldilocks from '../../src/venue/Goldilocks.js';
import * as Poseidon2 from '../../src/venue/Poseidon2.js';
import * as Scalar from '../../src/venue/Scalar.js';
import * as Schnorr from '../../src/venue/Schnorr.js';
import { describePublished } from '../support/published.js';
import { runs } from '../support/runs.js';
import * as Fp5 from '../support/venueCrypto/Fp5.js';
import * as Second from '../support/venueCrypto/Schnorr.js';
import { bigints, bytes, chance, published, recorded } from '../support/venueVectors.js';

const { n } = Scalar;
const privateKey = fc.uint8Array({ minLength: 40, maxLength: 40 });
const element = fc.bigInt({ min: 0n, max: Goldilocks.p - 1n });
const message = fc.array(element, { minLength: 5, maxLength: 5 }).map(Goldilocks.toBytes);

describe('publicKey', () => {
  test.each(recorded.transfers)('default: $publicKeyHex', ({ privateKeyHex, publicKeyHex }) => {
    expect(Schnorr.publicKey(bytes(privateKeyHex))).toEqual(bytes(publicKeyHex));
  });

  test('behavior: reduces a key modulo n', () => {
    for (const key of [1n, 2n ** 320n - n - 1n])
      expect(Schnorr.publicKey(Scalar.toBytes(key + n))).toEqual(Schnorr.publicKey(Scalar.toBytes(key)));
  });

  test('error: a key that is zero modulo n or has the wrong length; does not reveal it', () => {
    for (const key of [
      Scalar.toBytes(0n),
      Scalar.toBytes(n),
      new Uint8Array(39).fill(77),
      new Uint8Array(41).fill(77),
    ]) {
      const error = failure(() => Schnorr.publicKey(key));
      expect(error.code).toBe('sign.failed');
      expect(JSON.stringify([error.message, error.facts])).not.toMatch(/77|4d4d/);
    }
  });
});

describe('sign', () => {
  test.each(recorded.transfers)('default: $txHashHex', ({ privateKeyHex, txHashHex, nonceKHex, signatureHex }) => {
    const signed = { privateKey: bytes(privateKeyHex), message: bytes(txHashHex), random: chance(nonceKHex) };
    expect(Schnorr.sign(signed)).toEqual(bytes(signatureHex));
  });

  test('behavior: a signature verifies, and no bit flip of it does', () => {
    const place = fc.tuple(fc.constantFrom('publicKey', 'message', 'signature'), fc.nat({ max: 639 }));
    fc.assert(
      fc.property(privateKey, message, fc.infiniteStream(fc.nat({ max: 255 })), place, (key, message, stream, at) => {
        const random = (length: number) => Uint8Array.from(stream.take(length));
        const signature = Schnorr.sign({ privateKey: key, message, random });
        const signed = { publicKey: Schnorr.publicKey(key), message, signature };
        expect(Schnorr.verify(signed)).toBe(true);
        const [part, bit] = at;
        const spoilt = signed[part].slice();
        const byte = (bit >> 3) % spoilt.length;
        spoilt[byte] = (spoilt[byte] ?? 0) ^ (1 << (bit & 7));
        expect(Schnorr.verify({ ...signed, [part]: spoilt })).toBe(false);
      }),
      { numRuns: runs(120) },
    );
  });

  test('behavior: every signature has a fresh random nonce', () => {
    const key = Scalar.toBytes(123n);
    const message = Goldilocks.toBytes([1n, 2n, 3n, 4n, 5n]);
    const random = counting(1);
    const nonces = Array.from({ length: 20 }, () => nonceOf(Schnorr.sign({ privateKey: key, message, random }), 123n));
    expect(new Set(nonces).size).toBe(20);
    expect(nonces).toEqual(Array.from({ length: 20 }, (_, index) => BigInt(index + 1)));
  });

  test('behavior: rejects invalid nonces', () => {
    const key = Scalar.toBytes(123n);
    const message = Goldilocks.toBytes([0n, 0n, 0n, 0n, 0n]);
    const given = [0n, n, n + 1n, 2n ** 319n - 1n, 2n ** 319n, 9n, 8n].map(Scalar.toBytes);
    const random = () => given.shift() ?? new Uint8Array();
    expect(nonceOf(Schnorr.sign({ privateKey: key, message, random }), 123n)).toBe(9n);
    expect(given).toHaveLength(1);
  });

  test('error: a random source that yields no nonce', () => {
    const key = Scalar.toBytes(123n);
    const message = new Uint8Array(40);
    for (const random of [() => new Uint8Array(40), () => new Uint8Array(0), () => new Uint8Array(39).fill(1)])
      expect(failure(() => Schnorr.sign({ privateKey: key, message, random })).code).toBe('sign.failed');
  });

  test('error: a message that is not a hash', () => {
    for (const message of [new Uint8Array(39), new Uint8Array(48), new Uint8Array(40).fill(255)])
      expect(failure(() => Schnorr.sign({ privateKey: Scalar.toBytes(1n), message, random: counting(1) })).code).toBe(
        'sign.failed',
      );
  });
});

describe('a second implementation', () => {
  test('behavior: has the same keys, and each verifies what the other signs and nothing else', () => {
    fc.assert(
      fc.property(privateKey, message, message, fc.infiniteStream(fc.nat({ max: 255 })), (key, hash, other, stream) => {
        const secret = Second.secretFromBytes(key);
        const elements = Fp5.fromBytes(hash) ?? Fp5.zero;
        const publicKey = Schnorr.publicKey(key);
        expect(Second.publicKey(secret)).toEqual(publicKey);
        const random = (length: number) => Uint8Array.from(stream.take(length));
        const own = Schnorr.sign({ privateKey: key, message: hash, random });
        expect(Second.isSignedBy(publicKey, elements, own)).toBe(true);
        expect(Second.isSignedBy(publicKey, Fp5.fromBytes(other) ?? Fp5.zero, own)).toBe(false);
        const theirs = Second.sign(secret, elements);
        expect(Schnorr.verify({ publicKey, message: hash, signature: theirs })).toBe(true);
        expect(Schnorr.verify({ publicKey, message: other, signature: theirs })).toBe(false);
      }),
      { numRuns: runs(40) },
    );
  });
});

describe('verify', () => {
  const [row] = recorded.transfers;
  const good = {
    publicKey: bytes(row?.publicKeyHex ?? ''),
    message: bytes(row?.txHashHex ?? ''),
    signature: bytes(row?.signatureHex ?? ''),
  };

  test.each(recorded.invalidSignatures)('error: $why', ({ publicKeyHex, messageHex, signatureHex }) => {
    const signed = { publicKey: bytes(publicKeyHex), message: bytes(messageHex), signature: bytes(signatureHex) };
    expect(Schnorr.verify(signed)).toBe(false);
  });

  test('error: unreduced integers', () => {
    const s = Scalar.integerOf(good.signature.subarray(0, 40));
    const e = Scalar.integerOf(good.signature.subarray(40));
    const twice = (left: bigint, right: bigint) => new Uint8Array([...Scalar.toBytes(left), ...Scalar.toBytes(right)]);
    expect(Schnorr.verify({ ...good, signature: twice(s, e) })).toBe(true);
    expect(Schnorr.verify({ ...good, signature: twice(s + n, e) })).toBe(false);
    expect(Schnorr.verify({ ...good, signature: twice(s, e + n) })).toBe(false);
    // A small element of the message has a second encoding, p larger; this key signs one.
    const message = Goldilocks.toBytes([1n, 2n, 3n, 4n, 5n]);
    const privateKey = Scalar.toBytes(5n);
    const signature = Schnorr.sign({ privateKey, message, random: counting(1) });
    const publicKey = Schnorr.publicKey(privateKey);
    const other = message.slice();
    new DataView(other.buffer).setBigUint64(0, Goldilocks.p + 1n, true);
    expect(Schnorr.verify({ publicKey, message, signature })).toBe(true);
    expect(Schnorr.verify({ publicKey, message: other, signature })).toBe(false);
  });

  test('error: the neutral public key, for which anyone can sign', () => {
    // s·G + e·N is s·G, so any s satisfies the equation.
    const message = Goldilocks.toBytes([1n, 2n, 3n, 4n, 5n]);
    const nonce = Schnorr.publicKey(Scalar.toBytes(77n));
    const elements = [...(Goldilocks.fromBytes(nonce) ?? []), 1n, 2n, 3n, 4n, 5n];
    const e = Scalar.from(Scalar.integerOf(Goldilocks.toBytes(Poseidon2.hash(elements))));
    const signature = new Uint8Array([...Scalar.toBytes(77n), ...Scalar.toBytes(e)]);
    expect(Schnorr.verify({ publicKey: new Uint8Array(40), message, signature })).toBe(false);
  });

  test('error: rejects arbitrary input and never throws', () => {
    const any = fc.uint8Array({ maxLength: 100 });
    fc.assert(
      fc.property(any, any, any, (publicKey, message, signature) => {
        expect(Schnorr.verify({ publicKey, message, signature })).toBe(false);
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom('publicKey', 'message', 'signature'), any, (part, value) => {
        expect(Schnorr.verify({ ...good, [part]: value })).toBe(false);
      }),
    );
  });
});

describePublished('the published signatures', () => {
  test('default: creates and verifies the valid ones', () => {
    const rows = published().schnorr.valid;
    expect(rows).toHaveLength(5);
    for (const row of rows) {
      const [key, message, publicKey] = [bytes(row.privateKeyHex), bytes(row.messageHex), bytes(row.publicKeyHex)];
      expect(Goldilocks.toBytes(bigints(row.message))).toEqual(message);
      if (row.messageElements) expect(Poseidon2.hash(bigints(row.messageElements))).toEqual(bigints(row.message));
      expect(Schnorr.publicKey(key)).toEqual(publicKey);
      const signature = Schnorr.sign({ privateKey: key, message, random: chance(row.nonceKHex) });
      expect(signature).toEqual(bytes(row.signatureHex));
      expect(Schnorr.verify({ publicKey, message, signature })).toBe(true);
    }
  });

  test('error: rejects every invalid one', () => {
    const rows = published().schnorr.invalid;
    expect(rows).toHaveLength(4);
    for (const { publicKeyHex, messageHex, signatureHex, note } of rows) {
      const signed = { publicKey: bytes(publicKeyHex), message: bytes(messageHex), signature: bytes(signatureHex) };
      expect(Schnorr.verify(signed), note).toBe(false);
    }
  });
});

/** Recovers the nonce of a signature from its private key: k = s + e·key. */
function nonceOf(signature: Uint8Array, key: bigint): bigint {
  const s = Scalar.integerOf(signature.subarray(0, 40));
  return Scalar.from(s + Scalar.integerOf(signature.subarray(40)) * key);
}

/** A counting random source. */
function counting(first: number): Schnorr.Random {
  let next = first;
  return () => Scalar.toBytes(BigInt(next++));
}

function failure(run: () => unknown): BaseError {
  try {
    run();
  } catch (error) {
    if (error instanceof BaseError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
