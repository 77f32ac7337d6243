import { describe, expect, test } from 'vitest';
import { kind } from '../../../../src/core/proof/signature/TransferWithAuthorization.js';
import * as TypedDataForm from '../../../../src/core/proof/signature/TypedDataForm.js';
import { contracts, orderId, usdc, user } from '../../../support/signatures.js';

const token = usdc.toLowerCase() as `0x${string}`;
const payee = contracts.approvalProxy?.toLowerCase();
const value = {
  from: user,
  to: contracts.approvalProxy,
  value: '60000000',
  validAfter: '5',
  validBefore: '1790000600',
  nonce: orderId.toUpperCase().replace('0X', '0x'),
};

describe('kind', () => {
  test('default: both forms of EIP-3009', () => {
    const fields = 'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce';
    expect(kind.forms.map((form) => TypedDataForm.format(form.types))).toEqual([
      `TransferWithAuthorization(${fields})`,
      `ReceiveWithAuthorization(${fields})`,
    ]);
  });

  test.each([
    [
      'transferred by anybody',
      kind.forms[0],
      { by: 'nothing', why: `a transfer to ${payee} with nonce ${orderId}, not bound to any order` },
    ],
    ['received by the payee', kind.forms[1], { by: 'id', payee, id: orderId }],
  ] as const)('default: what an authorization grants, %s', (_, form, binding) => {
    expect(form?.read(value, token)).toMatchObject({
      ok: true,
      value: {
        grant: {
          owner: user.toLowerCase(),
          spender: payee,
          amounts: [{ token, amount: 60_000_000n }],
          validFrom: 5n,
          validUntil: 1_790_000_600n,
          nonce: orderId,
        },
        binding,
      },
    });
  });

  test.each(Object.keys(value))('error: no %s', (key) => {
    expect(kind.forms[0]?.read({ ...value, [key]: undefined }, token).ok).toBe(false);
  });
});
