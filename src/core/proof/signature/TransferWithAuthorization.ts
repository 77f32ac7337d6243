/** EIP-3009 authorizations: the token itself moves the owner's tokens to one address. The nonce is any 32 bytes. */
import * as z from 'zod/mini';
import type { Binding } from './OrderBinding.js';
import { address, bytes32, uint256 } from './SignedValue.js';
import * as TypedDataForm from './TypedDataForm.js';

const fields = '(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)';

const message = z.strictObject({
  from: address,
  to: address,
  value: uint256,
  validAfter: uint256,
  validBefore: uint256,
  nonce: bytes32,
});

export const kind: TypedDataForm.Kind = {
  label: 'an EIP-3009 authorization',
  bodyKinds: ['eip3009'],
  domain: undefined,
  forms: [
    // Anybody may submit it to the token, and then nobody does anything for the order with what has arrived.
    form('TransferWithAuthorization', ({ to, nonce }) => ({
      by: 'nothing',
      why: `a transfer to ${to} with nonce ${nonce}, not bound to any order`,
    })),
    form('ReceiveWithAuthorization', ({ to, nonce }) => ({ by: 'id', payee: to, id: nonce })),
  ],
};

function form(name: string, bindingOf: (read: z.output<typeof message>) => Binding): TypedDataForm.Form {
  return TypedDataForm.of(TypedDataForm.types(`${name}${fields}`), message, (read, token) => {
    const { from, to, value, validAfter, validBefore, nonce } = read;
    return {
      grant: {
        owner: from,
        spender: to,
        amounts: [{ token, amount: value }],
        validFrom: validAfter,
        validUntil: validBefore,
        nonce,
      },
      binding: bindingOf(read),
    };
  });
}
