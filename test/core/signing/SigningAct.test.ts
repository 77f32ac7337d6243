import { hashTypedData, keccak256, serializeTransaction } from 'viem';
import { hashAuthorization, hashMessage } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import * as SignedTransaction from '../../../src/core/signing/SignedTransaction.js';
import * as SigningAct from '../../../src/core/signing/SigningAct.js';
import { acts, chainId, owner, transaction, typed, wanted } from '../../support/signingActs.js';

const input = (act: SigningAct.Act) => {
  const text = SigningAct.toInput(act, owner.address);
  expect(text.endsWith('}\n')).toBe(true);
  return JSON.parse(text);
};

test('digest: what a wallet signs', async () => {
  const unsigned = serializeTransaction(SignedTransaction.form(transaction));
  expect(SigningAct.digest(acts.transaction)).toBe(keccak256(unsigned));
  expect(SigningAct.digest(acts['typed-data'])).toBe(hashTypedData(typed as never));
  expect(SigningAct.digest(acts.message)).toBe(hashMessage('Transfer\n5 USDC'));
  expect(SigningAct.digest(acts.authorization)).toBe(hashAuthorization(wanted));
});

describe('toInput', () => {
  test('default: a transaction, its amounts as decimal strings', () => {
    const { unsigned, digest, ...rest } = input(acts.transaction);
    expect(rest).toEqual({
      action: {
        type: 'transaction',
        parameters: {
          ...{ type: 2, chainId, nonce: 7, to: transaction.to, value: '5', data: '0x1234ab', gas: '60000' },
          ...{ maxFeePerGas: '2000000000', maxPriorityFeePerGas: '1000000000', accessList: [] },
        },
      },
      account: owner.address,
      chainId,
    });
    expect(keccak256(unsigned)).toBe(digest);
  });

  test('behavior: a transaction that delegates has the signed authorizations, as parts and as bytes', async () => {
    const { r, s, yParity = 0 } = await owner.signAuthorization(wanted);
    const authorizationList = [{ ...wanted, r, s, yParity }];
    const { action } = input({ type: 'transaction', transaction: { ...transaction, authorizationList } });
    expect(action.parameters.type).toBe(4);
    const [{ signed, ...parts }] = action.parameters.authorizationList;
    expect(parts).toEqual(authorizationList[0]);
    expect(signed).toMatch(/^0xf8[0-9a-f]+$/);
  });

  test('behavior: typed data as eth_signTypedData_v4 takes it', () => {
    const { action } = input(acts['typed-data']);
    expect(action.parameters).toMatchObject({ primaryType: 'Permit', message: { value: String(2n ** 200n) } });
    expect(action.parameters.types.EIP712Domain.map(({ name }: { name: string }) => name)).toEqual([
      'name',
      'version',
      'chainId',
      'verifyingContract',
    ]);
    expect(hashTypedData(action.parameters)).toBe(SigningAct.digest(acts['typed-data']));
  });

  test('behavior: a message as text and as bytes', () => {
    expect(input(acts.message).action.parameters).toEqual({
      message: 'Transfer\n5 USDC',
      raw: `0x${Buffer.from('Transfer\n5 USDC').toString('hex')}`,
    });
  });

  test('behavior: an authorization', () => {
    expect(input(acts.authorization).action).toEqual({ type: 'authorization', parameters: wanted });
  });
});
