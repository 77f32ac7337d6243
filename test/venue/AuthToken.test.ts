import { bytesToHex } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import * as AuthToken from '../../src/venue/AuthToken.js';
import * as Goldilocks from '../../src/venue/Goldilocks.js';
import * as Poseidon2 from '../../src/venue/Poseidon2.js';
import * as Schnorr from '../../src/venue/Schnorr.js';
import { describePublished } from '../support/published.js';
import { bigints, bytes, chance, published, recorded } from '../support/venueVectors.js';

describe('hash', () => {
  test('behavior: groups eight bytes into an integer, zero-padded', () => {
    const elements = [0x3837_3635_3433_3231n, 0x39n];
    expect(AuthToken.hash('123456789')).toEqual(Goldilocks.toBytes(Poseidon2.hash(elements)));
  });
});

describe('sign', () => {
  test.each(recorded.authTokens)('default: $message', (row) => {
    expect(signedAgain(row)).toBe(row.token);
  });
});

describePublished('the published tokens', () => {
  test('default', () => {
    const rows = published().authToken;
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      expect(AuthToken.hash(row.message)).toEqual(Goldilocks.toBytes(Poseidon2.hash(bigints(row.elements))));
      expect(bytesToHex(AuthToken.hash(row.message)).slice(2)).toBe(row.messageHashHex);
      expect(signedAgain(row)).toBe(row.token);
      expect(row.token).toBe(`${row.message}:${row.signatureHex}`);
    }
  });
});

function signedAgain(row: { message: string; privateKeyHex: string; nonceKHex: string }): string {
  const [deadline = '', accountIndex = '', apiKeyIndex = ''] = row.message.split(':');
  const fields = { deadline: Number(deadline), accountIndex: Number(accountIndex), apiKeyIndex: Number(apiKeyIndex) };
  return AuthToken.sign(fields, signer(row.privateKeyHex, row.nonceKHex));
}

/** An API key that draws one number, as vectors name it. */
function signer(privateKeyHex: string, nonceKHex: string): (hash: Uint8Array) => Uint8Array {
  const privateKey = bytes(privateKeyHex);
  return (message) => Schnorr.sign({ privateKey, message, random: chance(nonceKHex) });
}
