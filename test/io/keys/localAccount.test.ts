import { parseTransaction, recoverMessageAddress, recoverTransactionAddress, verifyTypedData } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { recoverAuthorizationAddress } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import * as DevelopmentAccount from '../../../src/core/network/DevelopmentAccount.js';
import type { TypedData } from '../../../src/core/ports/Ports.js';
import { createAccount } from '../../../src/io/keys/localAccount.js';
import { transaction as anyTransaction } from '../../support/signingActs.js';
import { failure } from '../../support/workbench.js';

/** A key that ships with no tool and has no funds anywhere. */
const key = `0x${'5a'.repeat(32)}` as const;
const address = privateKeyToAddress(key);

const transaction = { ...anyTransaction, chainId: 8453 };

const typed: TypedData = {
  domain: { name: 'Test', chainId: 8453 },
  types: { Note: [{ name: 'text', type: 'string' }] },
  primaryType: 'Note',
  message: { text: 'hello' },
};

describe('createAccount', () => {
  test('default: every signature is by the key', async () => {
    const account = await createAccount({ name: 'mine', key });
    expect([account.name, account.address]).toEqual(['mine', address]);

    const signed = await account.signTransaction(transaction);
    expect(parseTransaction(signed)).toMatchObject({ chainId: 8453, nonce: 7, value: 5n });
    expect(await recoverTransactionAddress({ serializedTransaction: signed as `0x02${string}` })).toBe(address);

    const message = await account.signMessage('hello', 8453);
    expect(await recoverMessageAddress({ message: 'hello', signature: message })).toBe(address);

    const signature = await account.signTypedData(typed);
    expect(
      await verifyTypedData({ ...(typed as never as Parameters<typeof verifyTypedData>[0]), address, signature }),
    ).toBe(true);

    const delegate = DevelopmentAccount.address(3);
    const authorization = await account.signAuthorization({ chainId: 8453, address: delegate, nonce: 1 });
    expect(await recoverAuthorizationAddress({ authorization })).toBe(address);
    const delegated = await account.signTransaction({ ...transaction, authorizationList: [authorization] });
    expect(parseTransaction(delegated)).toMatchObject({ type: 'eip7702' });
  });

  test('error: a development key signs only for the sandbox’s chains', async () => {
    const account = await createAccount({ name: 'dev0', key: DevelopmentAccount.key(0) });
    expect(await account.signTransaction({ ...transaction, chainId: 313371 })).toMatch(/^0x02/);
    expect(await account.signMessage('hello', 313373)).toMatch(/^0x/);
    for (const sign of [
      () => account.signTransaction(transaction),
      () => account.signMessage('hello', 304),
      () => account.signTypedData(typed),
      () => account.signAuthorization({ chainId: 1, address, nonce: 0 }),
    ])
      expect((await failure('auth.development-key', sign)).facts).toHaveLength(1);
  });

  test('error: an invalid key is not repeated', async () => {
    const error = await failure('sign.failed', () => createAccount({ name: 'mine', key: '0xc0ffee' }));
    expect(`${error.stack} ${JSON.stringify(error.facts)} ${error.cause}`).not.toContain('c0ffee');
  });
});
