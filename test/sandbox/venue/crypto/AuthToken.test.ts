import { describe, expect, test } from 'vitest';
import * as AuthToken from '../../../../src/sandbox/venue/crypto/AuthToken.js';
import * as Schnorr from '../../../../src/sandbox/venue/crypto/Schnorr.js';
import { bytes, hex, recorded } from '../../../support/venueVectors.js';

const [first] = recorded.authTokens;
if (!first) throw new Error('There are no recorded.');
const claim = { deadline: 1_795_358_180, accountIndex: 460844, apiKeyIndex: 210 };

describe('isSignedBy', () => {
  test.each(recorded.authTokens)('behavior: the token $message', ({ privateKeyHex, token }) => {
    const read = AuthToken.from(token);
    expect(read && AuthToken.isSignedBy(read, Schnorr.publicKey(Schnorr.secretFromBytes(bytes(privateKeyHex))))).toBe(
      true,
    );
  });

  test('error: another deadline, account or key', () => {
    const key = Schnorr.publicKey(Schnorr.secretFromBytes(bytes(first.privateKeyHex)));
    const read = AuthToken.from(first.token);
    if (!read) throw new Error('Not a token.');
    expect(read).toMatchObject(claim);
    const others = [{ deadline: claim.deadline + 1 }, { accountIndex: 460845 }, { apiKeyIndex: 211 }];
    expect(others.map((other) => AuthToken.isSignedBy({ ...read, ...other }, key))).toEqual([false, false, false]);
  });
});

describe('sign', () => {
  test.each(recorded.authTokens)('behavior: the hash of $message, with its nonce', (row) => {
    const read = AuthToken.from(row.token);
    if (!read) throw new Error('Not a token.');
    const secret = Schnorr.secretFromBytes(bytes(row.privateKeyHex));
    const signature = Schnorr.sign(secret, AuthToken.hash(read), Schnorr.secretFromBytes(bytes(row.nonceKHex)));
    expect(`${row.message}:${hex(signature)}`).toBe(row.token);
  });

  test('default', () => {
    const secret = Schnorr.secretFromBytes(bytes(first.privateKeyHex));
    const read = AuthToken.from(AuthToken.sign(claim, secret));
    expect(read && AuthToken.isSignedBy(read, Schnorr.publicKey(secret))).toBe(true);
  });
});

describe('from', () => {
  test.each(['', 'Bearer x', `${first.token}00`, first.token.toUpperCase(), first.token.slice(0, -1)])(
    'error: %s',
    (text) => {
      expect(AuthToken.from(text)).toBeUndefined();
    },
  );
});

describe('isCurrent', () => {
  test.each([
    [1, true],
    [8 * 3600, true],
    [8 * 3600 + 1, false],
    [0, false],
    [-1, false],
  ])('behavior: %i seconds ahead: %s', (ahead, expected) => {
    const token = { ...claim, signature: new Uint8Array(80) };
    expect(AuthToken.isCurrent(token, (claim.deadline - ahead) * 1000)).toBe(expected);
  });
});
