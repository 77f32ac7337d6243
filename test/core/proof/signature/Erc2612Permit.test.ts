import { bytesToHex, hashStruct, hexToBytes } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import { kind } from '../../../../src/core/proof/signature/Erc2612Permit.js';
import * as SignatureStep from '../../../../src/core/proof/signature/SignatureStep.js';
import * as TypedDataForm from '../../../../src/core/proof/signature/TypedDataForm.js';
import { contracts, permit, usdc, user } from '../../../support/signatures.js';
import { structHash } from '../../../support/structHash.js';

const token = usdc.toLowerCase() as `0x${string}`;
const value = { owner: user, spender: contracts.approvalProxy, value: '60000000', nonce: '4', deadline: 1_790_000_600 };

describe('kind', () => {
  test('default: what a permit grants', () => {
    const reading = kind.forms[0]?.read(value, token);
    expect(reading).toMatchObject({
      ok: true,
      value: {
        grant: {
          owner: user.toLowerCase(),
          spender: contracts.approvalProxy?.toLowerCase(),
          amounts: [{ token, amount: 60_000_000n }],
          validFrom: undefined,
          validUntil: 1_790_000_600n,
          nonce: '4',
        },
        binding: { by: 'nothing' },
      },
    });
  });

  test('behavior: signed as EIP-2612 specifies', () => {
    const text = 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)';
    const signable = SignatureStep.signable(permit());
    if (!signable) throw new Error('no typed data');
    const { types, primaryType, message } = signable;
    const meant = {
      owner: hexToBytes(user),
      spender: hexToBytes(contracts.approvalProxy as `0x${string}`),
      value: 60_000_000n,
      nonce: 4n,
      deadline: 1_790_000_600n,
    };
    expect(hashStruct({ types, primaryType, data: message } as Parameters<typeof hashStruct>[0])).toBe(
      bytesToHex(structHash('Permit', meant, { Permit: text })),
    );
    expect(kind.forms.map((form) => TypedDataForm.format(form.types))).toEqual([text]);
  });

  test.each(Object.keys(value))('error: no %s', (key) => {
    expect(kind.forms[0]?.read({ ...value, [key]: undefined }, token).ok).toBe(false);
  });
});
