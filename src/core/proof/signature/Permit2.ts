/**
 * Permit2 permits: let a spender take tokens once, through the Permit2 contract, which the owner has approved. The
 * witness limits their use: its short form names only the relayer, its long form also every call that may be made.
 */
import * as z from 'zod/mini';
import type { Address } from '../../base/Address.js';
import type { Binding } from './OrderBinding.js';
import { address, bytes, uint256 } from './SignedValue.js';
import type { Grant } from './TokenGrant.js';
import * as TypedDataForm from './TypedDataForm.js';

/** The address of Permit2, the same on every chain. */
export const contract: Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3';

const permit = [
  'PermitBatchWitnessTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline,RelayerWitness witness)',
  'TokenPermissions(address token,uint256 amount)',
] as const;

const short = TypedDataForm.types(...permit, 'RelayerWitness(address relayer)');

const witnessCalls = 'Call3Value(address target,bool allowFailure,uint256 value,bytes callData)';

const long = TypedDataForm.types(
  ...permit,
  'RelayerWitness(address relayer,address refundTo,address nftRecipient,Call3Value[] call3Values)',
  witnessCalls,
);

/** Version 3 of the approval proxy. */
const withMetadata = TypedDataForm.types(
  ...permit,
  'RelayerWitness(address relayer,address refundTo,address nftRecipient,bytes metadata,Call3Value[] call3Values)',
  witnessCalls,
);

const shared = {
  permitted: z.array(z.strictObject({ token: address, amount: uint256 })),
  spender: address,
  nonce: uint256,
  deadline: uint256,
};

const shortMessage = z.strictObject({ ...shared, witness: z.strictObject({ relayer: address }) });

const witness = {
  relayer: address,
  refundTo: address,
  nftRecipient: address,
  call3Values: z.array(z.strictObject({ target: address, allowFailure: z.boolean(), value: uint256, callData: bytes })),
};

const longMessage = z.strictObject({ ...shared, witness: z.strictObject(witness) });

const messageWithMetadata = z.strictObject({ ...shared, witness: z.strictObject({ ...witness, metadata: bytes }) });

export const kind: TypedDataForm.Kind = {
  label: 'a Permit2 permit with a witness',
  bodyKinds: ['permit2'],
  domain: { name: 'Permit2', contract },
  forms: [
    TypedDataForm.of(short, shortMessage, (message) => ({
      grant: grant(message),
      binding: { by: 'relayer', relayer: message.witness.relayer },
    })),
    TypedDataForm.of(long, longMessage, (message) => ({ grant: grant(message), binding: callsOf(message) })),
    TypedDataForm.of(withMetadata, messageWithMetadata, (message) => ({
      grant: grant(message),
      binding: callsOf(message),
    })),
  ],
};

function callsOf({ spender, witness: bound }: z.output<typeof longMessage>): Binding {
  const { relayer, refundTo, nftRecipient, call3Values: calls } = bound;
  return { by: 'calls', spender, calls, relayer, refundTo, nftRecipient };
}

/** Permit2 messages name no owner: the tokens are the signer's. */
function grant({
  permitted,
  spender,
  nonce,
  deadline,
}: z.output<typeof shortMessage> | z.output<typeof longMessage>): Grant {
  return {
    owner: undefined,
    spender,
    amounts: permitted,
    validFrom: undefined,
    validUntil: deadline,
    nonce: String(nonce),
  };
}
