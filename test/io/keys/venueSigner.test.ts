import { hexToBytes } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import * as DevelopmentAccount from '../../../src/core/network/DevelopmentAccount.js';
import { createVenueSigner } from '../../../src/io/keys/venueSigner.js';
import { publicKeys } from '../../../src/sandbox/venue/venueAccounts.js';
import * as Schnorr from '../../../src/venue/Schnorr.js';
import { failure } from '../../support/workbench.js';

const key = DevelopmentAccount.venueKey(1);
const message = new Uint8Array(40).fill(3);

describe('createVenueSigner', () => {
  test('default: signs for the registered public key, with a new nonce each time', async () => {
    const signer = await createVenueSigner({ name: 'mine', key });
    expect([signer.name, signer.publicKey]).toEqual(['mine', publicKeys.dev1]);
    const [first, second] = [signer.sign(message), signer.sign(message)];
    const publicKey = hexToBytes(`0x${signer.publicKey}`);
    for (const signature of [first, second]) expect(Schnorr.verify({ publicKey, message, signature })).toBe(true);
    expect(first).not.toEqual(second);
  });

  test('behavior: accepts a custom random source and a key without 0x', async () => {
    const random = (length: number) => new Uint8Array(length).fill(7);
    const signer = await createVenueSigner({ name: 'mine', key: key.slice(2), random });
    expect(signer.sign(message)).toEqual(signer.sign(message));
  });

  test('error: an invalid key is not repeated', async () => {
    const error = await failure('auth.keystore', () => createVenueSigner({ name: 'mine', key: '0xc0ffee' }));
    expect(`${error.stack} ${JSON.stringify(error.facts)} ${error.cause}`).not.toContain('c0ffee');
  });
});
