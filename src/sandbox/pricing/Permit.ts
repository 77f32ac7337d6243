/**
 * Paying for an order with a signature: the user authorizes the approval proxy to receive tokens (EIP-3009). The nonce
 * is the hash of what the proxy may then do with them: hand them to the router, which deposits them for the order. The
 * relayer submits the signature, and can do nothing else with it.
 *
 * The specification does not show the form. This one alone works: the proxy takes EIP-2612 permits of the sender only,
 * so no relayer could use one. ferry also reads older ones, to the solver or by Permit2.
 */
import type { Hex } from 'viem';
import { concatHex, parseSignature } from 'viem';
import { encodeFunctionData, hashStruct } from 'viem/utils';
import type * as Step from '../../core/api/schema/Step.js';
import type { Address } from '../../core/base/Address.js';
import * as abi from '../values/abi.js';
import { accounts } from '../values/devAccounts.js';
import type { Chain, EvmChain, Token } from '../values/Market.js';
import * as Calldata from './Calldata.js';

/** Amount in base units, time in Unix seconds. */
export type Permit = { from: Address; to: Address; value: bigint; validBefore: bigint; nonce: Hex };

/** What the tokens are for. */
export type Purpose = {
  contracts: Pick<EvmChain['contracts'], 'depository' | 'router' | 'approvalProxy'>;
  user: Address;
  token: Address;
  orderId: Hex;
  requestId: Hex;
};

/** Value of `body.kind`. */
export const kindName = 'eip3009';

/** The authorization for the user to sign; `validUntil` in Unix seconds. */
export function from(purpose: Purpose, { amount, validUntil }: { amount: bigint; validUntil: bigint }): Permit {
  return {
    from: purpose.user,
    to: purpose.contracts.approvalProxy,
    value: amount,
    validBefore: validUntil,
    nonce: nonceOf(purpose),
  };
}

/** The only step of a quote that is paid by signature; `output` is the symbol of what is bought. */
export function toStep(
  permit: Permit,
  { chain, token, requestId, output }: { chain: Pick<Chain, 'id'>; token: Token; requestId: Hex; output: string },
): Step.Step {
  const { from, to, value, validBefore, nonce } = permit;
  return {
    id: 'authorize1',
    action: 'Sign authorization',
    description: `Sign to approve swap of ${token.symbol} for ${output}`,
    kind: 'signature',
    items: [
      {
        status: 'incomplete',
        data: {
          sign: {
            signatureKind: 'eip712',
            domain: { ...domain, chainId: chain.id, verifyingContract: token.address.toLowerCase() },
            types: { ReceiveWithAuthorization: [...receiveWithAuthorization] },
            primaryType: 'ReceiveWithAuthorization',
            value: {
              from,
              to: to.toLowerCase(),
              value: value.toString(),
              validAfter: 0,
              validBefore: Number(validBefore),
              nonce,
            },
          },
          // The service says so for bridges, too.
          post: { endpoint: '/execute/permits', method: 'POST', body: { kind: kindName, requestId, api: 'swap' } },
        },
        check: { endpoint: `/intents/status/v3?requestId=${requestId}`, method: 'GET' },
      },
    ],
    requestId,
  };
}

/**
 * The call with which the relayer uses the signature to pay for the order.
 *
 * @throws an error if the signature is malformed
 */
export function toCall(permit: Permit, signature: Hex, purpose: Purpose): Calldata.Call {
  const { r, s, yParity } = parseSignature(signature);
  const { from, value, validBefore } = permit;
  const { call3Values, refundTo, nftRecipient, metadata } = witnessOf(purpose);
  const signed = { from, value, validAfter: 0n, validBefore, v: 27 + yParity, r, s };
  const data = encodeFunctionData({
    abi: abi.approvalProxy,
    functionName: 'permit3009TransferAndMulticall',
    args: [[signed], [purpose.token], call3Values, refundTo, nftRecipient, metadata],
  });
  return { to: purpose.contracts.approvalProxy, data: concatHex([data, purpose.orderId]), value: 0n };
}

const domain = { name: 'USD Coin', version: '2' };

const receiveWithAuthorization = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const;

/** The nonce that the approval proxy demands. */
export function nonceOf(purpose: Purpose): Hex {
  return hashStruct({ types: witnessTypes, primaryType: 'RelayerWitness', data: witnessOf(purpose) });
}

const witnessTypes = {
  RelayerWitness: Calldata.fields(
    'address relayer,address refundTo,address nftRecipient,bytes metadata,Call3Value[] call3Values',
  ),
  Call3Value: Calldata.fields('address target,bool allowFailure,uint256 value,bytes callData'),
};

/** Who submits the authorization, and what the proxy then does. Leftovers are the solver's: everything is deposited. */
function witnessOf({ contracts, user, token, orderId, requestId }: Purpose) {
  return {
    relayer: accounts.relayer.address,
    refundTo: accounts.solver.address,
    nftRecipient: accounts.solver.address,
    metadata: Calldata.metadataOf(requestId),
    call3Values: [Calldata.depositAll(contracts, { depositor: user, token, orderId })],
  };
}
