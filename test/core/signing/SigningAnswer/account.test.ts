import { describe, expect, test } from 'vitest';
import * as SignedTransaction from '../../../../src/core/signing/SignedTransaction.js';
import * as SigningAnswer from '../../../../src/core/signing/SigningAnswer.js';
import { chainId, owner, transaction, typed, wanted } from '../../../support/signingActs.js';
import { failure } from '../../../support/workbench.js';

describe('account', () => {
  const asked: { action: { type: string }; account: string; digest: `0x${string}` }[] = [];
  const account = SigningAnswer.account({
    address: owner.address,
    run: async (input) => {
      const act = JSON.parse(input);
      asked.push(act);
      return owner.sign({ hash: act.digest });
    },
  });

  test('default: signs what a key would sign', async () => {
    expect(account).toMatchObject({ name: owner.address, address: owner.address });
    expect(await account.signTransaction(transaction)).toBe(
      await owner.signTransaction(SignedTransaction.form(transaction)),
    );
    expect(await account.signTypedData(typed)).toBe(await owner.signTypedData(typed as never));
    expect(await account.signMessage('hello', chainId)).toBe(await owner.signMessage({ message: 'hello' }));
    const authorization = await account.signAuthorization(wanted);
    expect(authorization).toMatchObject(wanted);
    const authorizationList = [authorization];
    expect(await account.signTransaction({ ...transaction, authorizationList })).toBe(
      await owner.signTransaction(SignedTransaction.form({ ...transaction, authorizationList })),
    );
    expect(asked.map(({ action }) => action.type)).toEqual([
      ...['transaction', 'typed-data', 'message', 'authorization', 'transaction'],
    ]);
  });

  test('error: what the command fails with, and an answer that is none', async () => {
    const broken = SigningAnswer.account({ address: owner.address, run: () => Promise.reject(new Error('no device')) });
    await expect(broken.signMessage('hello', chainId)).rejects.toThrow('no device');
    const silent = SigningAnswer.account({ address: owner.address, run: async () => 'ok' });
    await failure('auth.signer', () => silent.signMessage('hello', chainId));
  });
});
