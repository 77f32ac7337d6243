import { describe, expect, test } from 'vitest';
import { contract, kind } from '../../../../src/core/proof/signature/Permit2.js';
import * as TypedDataForm from '../../../../src/core/proof/signature/TypedDataForm.js';
import { relayer, usdc, user } from '../../../support/signatures.js';

const [short, long, withMetadata] = kind.forms;
const permit = {
  permitted: [
    { token: usdc, amount: '5' },
    { token: user, amount: 6 },
  ],
  spender: relayer,
  nonce: '4',
  deadline: 1_790_000_600,
};
const call = { target: usdc, allowFailure: false, value: '0', callData: '0xABCD' };
const witness = { relayer, refundTo: user, nftRecipient: user, call3Values: [call] };

describe('kind', () => {
  test('default: the forms of the witness', () => {
    const first =
      'PermitBatchWitnessTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline,RelayerWitness witness)TokenPermissions(address token,uint256 amount)';
    expect(kind.forms.map((form) => TypedDataForm.format(form.types))).toEqual([
      `${first}RelayerWitness(address relayer)`,
      `${first}RelayerWitness(address relayer,address refundTo,address nftRecipient,Call3Value[] call3Values)Call3Value(address target,bool allowFailure,uint256 value,bytes callData)`,
      `${first}RelayerWitness(address relayer,address refundTo,address nftRecipient,bytes metadata,Call3Value[] call3Values)Call3Value(address target,bool allowFailure,uint256 value,bytes callData)`,
    ]);
    expect(kind.domain).toEqual({ name: 'Permit2', contract });
  });

  test('default: what a permit grants', () => {
    const grant = {
      owner: undefined,
      spender: relayer,
      amounts: [
        { token: usdc.toLowerCase(), amount: 5n },
        { token: user.toLowerCase(), amount: 6n },
      ],
      validFrom: undefined,
      validUntil: 1_790_000_600n,
      nonce: '4',
    };
    expect(short?.read({ ...permit, witness: { relayer } }, contract)).toMatchObject({
      ok: true,
      value: { grant, binding: { by: 'relayer', relayer } },
    });
    const own = user.toLowerCase();
    const calls = [{ target: usdc.toLowerCase(), allowFailure: false, value: 0n, callData: '0xabcd' }];
    const binding = { by: 'calls', spender: relayer, relayer, refundTo: own, nftRecipient: own, calls };
    expect(withMetadata?.read({ ...permit, witness: { ...witness, metadata: '0x12' } }, contract)).toMatchObject({
      ok: true,
      value: { grant, binding },
    });
    expect(long?.read({ ...permit, witness }, contract)).toMatchObject({
      ok: true,
      value: { grant, binding: { by: 'calls', spender: relayer, relayer, refundTo: own, nftRecipient: own, calls } },
    });
  });

  test('error: the witness of the other form', () => {
    expect(short?.read({ ...permit, witness }, contract).ok).toBe(false);
    expect(long?.read({ ...permit, witness: { relayer } }, contract).ok).toBe(false);
  });

  test.each(Object.keys(call))('error: a call without %s', (key) => {
    const call3Values = [{ ...call, [key]: undefined }];
    expect(long?.read({ ...permit, witness: { ...witness, call3Values } }, contract).ok).toBe(false);
  });
});
