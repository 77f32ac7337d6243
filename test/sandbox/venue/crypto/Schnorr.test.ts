import { describe, expect, test } from 'vitest';
import * as Fp5 from '../../../../src/sandbox/venue/crypto/Fp5.js';
import * as Schnorr from '../../../../src/sandbox/venue/crypto/Schnorr.js';
import { describePublished, read as readPublished } from '../../../support/published.js';
import { bytes, hex, recorded } from '../../../support/venueVectors.js';

const message = (text: string): Fp5.Fp5 => Fp5.fromBytes(bytes(text)) ?? Fp5.zero;
const rows = recorded.transfers.map((row, index) => ({ ...row, index }));
const [first] = recorded.transfers;
if (!first) throw new Error('There are no recorded.');

describe('publicKey', () => {
  test.each(rows)('behavior: vector $index', ({ privateKeyHex, publicKeyHex }) => {
    expect(hex(Schnorr.publicKey(Schnorr.secretFromBytes(bytes(privateKeyHex))))).toBe(publicKeyHex);
  });
});

describe('sign', () => {
  test.each(rows)('behavior: vector $index', ({ privateKeyHex, nonceKHex, txHashHex, signatureHex }) => {
    const nonce = Schnorr.secretFromBytes(bytes(nonceKHex));
    expect(hex(Schnorr.sign(Schnorr.secretFromBytes(bytes(privateKeyHex)), message(txHashHex), nonce))).toBe(
      signatureHex,
    );
  });

  test('behavior: each message has its own nonce', () => {
    const secret = Schnorr.secretFromBytes(bytes(first.privateKeyHex));
    const signatures = recorded.transfers.slice(0, 4).map(({ txHashHex }) => Schnorr.sign(secret, message(txHashHex)));
    expect(new Set(signatures.map((signature) => hex(signature).slice(80))).size).toBe(4);
    expect(Schnorr.isSignedBy(bytes(first.publicKeyHex), message(first.txHashHex), signatures[0] ?? bytes(''))).toBe(
      true,
    );
  });
});

describe('isSignedBy', () => {
  test.each(rows)('behavior: vector $index', ({ publicKeyHex, txHashHex, signatureHex }) => {
    expect(Schnorr.isSignedBy(bytes(publicKeyHex), message(txHashHex), bytes(signatureHex))).toBe(true);
  });

  test.each(recorded.invalidSignatures)('error: $why', ({ publicKeyHex, messageHex, signatureHex }) => {
    expect(Schnorr.isSignedBy(bytes(publicKeyHex), message(messageHex), bytes(signatureHex))).toBe(false);
  });

  test('error: a forgery for the neutral key', () => {
    // The neutral key drops out of the sum, so anyone could produce a valid signature.
    const hash = message(first.txHashHex);
    const signature = Schnorr.sign(0n, hash, 5n);
    expect(Schnorr.isSignedBy(new Uint8Array(40), hash, signature)).toBe(false);
  });

  test('error: an unreduced scalar, a wrong length, a key that is not a point', () => {
    const { publicKeyHex, txHashHex, signatureHex } = first;
    const refused = (key: string, signature: string): boolean =>
      !Schnorr.isSignedBy(bytes(key), message(txHashHex), bytes(signature));
    expect(refused(publicKeyHex, 'ff'.repeat(40) + signatureHex.slice(80))).toBe(true);
    expect(refused(publicKeyHex, signatureHex.slice(0, 80) + 'ff'.repeat(40))).toBe(true);
    expect(refused(publicKeyHex, signatureHex.slice(2))).toBe(true);
    expect(refused('ff'.repeat(40), signatureHex)).toBe(true);
    expect(refused(`02${'00'.repeat(39)}`, signatureHex)).toBe(true);
  });
});

describePublished('the published signatures', () => {
  type Row = { publicKeyHex: string; messageHex: string; signatureHex: string; note?: string };
  const isSigned = ({ publicKeyHex, messageHex, signatureHex }: Row): boolean =>
    Schnorr.isSignedBy(bytes(publicKeyHex), message(messageHex), bytes(signatureHex));

  test('behavior: valid and invalid signatures', () => {
    const { schnorr } = readPublished('venue-vectors.json') as {
      schnorr: Record<'valid' | 'invalid', readonly Row[]>;
    };
    expect(schnorr.valid.map(isSigned)).toEqual(schnorr.valid.map(() => true));
    expect(schnorr.invalid.map(isSigned)).toEqual(schnorr.invalid.map(() => false));
  });
});
