/** EIP-2612 permits: an allowance for a spender, granted by signature through the token's `permit`. */
import * as z from 'zod/mini';
import { address, uint256 } from './SignedValue.js';
import * as TypedDataForm from './TypedDataForm.js';

const types = TypedDataForm.types('Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)');

const message = z.strictObject({
  owner: address,
  spender: address,
  value: uint256,
  nonce: uint256,
  deadline: uint256,
});

export const kind: TypedDataForm.Kind = {
  label: 'an EIP-2612 permit',
  bodyKinds: ['permit', 'eip2612'],
  domain: undefined,
  forms: [
    TypedDataForm.of(types, message, ({ owner, spender, value, nonce, deadline }, token) => ({
      grant: {
        owner,
        spender,
        amounts: [{ token, amount: value }],
        validFrom: undefined,
        validUntil: deadline,
        nonce: String(nonce),
      },
      binding: { by: 'nothing', why: 'an allowance, which the spender may use for anything' },
    })),
  ],
};
