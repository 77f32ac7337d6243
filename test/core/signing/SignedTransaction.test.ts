import { describe, expect, test } from 'vitest';
import * as SignedTransaction from '../../../src/core/signing/SignedTransaction.js';
import { owner, transaction, wanted } from '../../support/signingActs.js';

async function delegating() {
  const { r, s, yParity = 0 } = await owner.signAuthorization(wanted);
  return { ...transaction, authorizationList: [{ ...wanted, r, s, yParity }] };
}

describe('read', () => {
  test('default: what is signed, and the signature', async () => {
    const bytes = await owner.signTransaction(SignedTransaction.form(transaction));
    const found = SignedTransaction.read(bytes);
    expect(found?.content).toEqual(SignedTransaction.contentOf(transaction));
    expect(found?.signature && SignedTransaction.toBytes(transaction, found.signature)).toBe(bytes);
    expect(await SignedTransaction.signer(bytes)).toBe(owner.address);
  });

  test('behavior: a delegation', async () => {
    const both = await delegating();
    const found = SignedTransaction.read(await owner.signTransaction(SignedTransaction.form(both)));
    expect(found?.content).toMatchObject({ type: 'eip7702', nonce: 7, authorizationList: [{ nonce: 8 }] });
  });

  test('behavior: what is not signed has no signature and no signer', async () => {
    const { serializeTransaction } = await import('viem');
    const bytes = serializeTransaction(SignedTransaction.form(transaction));
    expect(SignedTransaction.read(bytes)?.signature).toBeUndefined();
    expect(await SignedTransaction.signer(bytes)).toBeUndefined();
  });

  test.each(['0x', '0x02', '0x02f8', '0xff', `0x${'ab'.repeat(40)}`] as const)('error: %s', async (bytes) => {
    expect(SignedTransaction.read(bytes)).toBeUndefined();
    expect(await SignedTransaction.signer(bytes)).toBeUndefined();
  });
});

describe('authorizationBytes', () => {
  test('default: what toAuthorization reads', async () => {
    const { fromRlp } = await import('viem');
    const [authorization] = (await delegating()).authorizationList;
    const bytes = authorization && SignedTransaction.authorizationBytes(authorization);
    const read = SignedTransaction.toAuthorization(fromRlp(bytes ?? '0x', 'hex') as `0x${string}`[]);
    expect({ ...read, address: read?.address.toLowerCase() }).toEqual({
      ...authorization,
      address: wanted.address.toLowerCase(),
    });
  });

  test('error: too few or too many parts', () => {
    expect(SignedTransaction.toAuthorization(['0x01', '0x02'])).toBeUndefined();
    expect(SignedTransaction.toAuthorization(Array(7).fill('0x01'))).toBeUndefined();
  });
});
