/**
 * Paying for an order with a signature: the user authorizes a token transfer, and the relayer moves the tokens to the
 * depository. An EIP-3009 authorization transfers directly, with the order id as its nonce. An EIP-2612 permit allows
 * the relayer to take the tokens, which it then deposits on the user's behalf.
 */
import type { Hex } from 'viem';
import { parseSignature } from 'viem';
import { encodeFunctionData } from 'viem/utils';
import type * as Step from '../../core/api/schema/Step.js';
import type { Address } from '../../core/base/Address.js';
import * as abi from '../values/abi.js';
import { accounts } from '../values/devAccounts.js';
import type { Chain, EvmToken, Token } from '../values/Market.js';
import * as Calldata from './Calldata.js';

export type Kind = 'eip3009' | 'eip2612';

/** Amounts in base units, times in Unix seconds. */
export type Permit =
  | { kind: 'eip3009'; from: Address; to: Address; value: bigint; validBefore: bigint; nonce: Hex }
  | { kind: 'eip2612'; owner: Address; spender: Address; value: bigint; deadline: bigint; nonce: bigint };

export type Request = {
  kind: Kind;
  user: Address;
  depository: Address;
  orderId: Hex;
  amount: bigint;
  /** Expiry of the signature in Unix seconds. */
  validUntil: bigint;
  /** The user's current EIP-2612 nonce. */
  permitNonce: bigint;
};

/** Value of `body.kind` for each kind. */
export const kindNames: Readonly<Record<Kind, string>> = { eip3009: 'eip3009', eip2612: 'permit' };

/** The authorization for the user to sign. */
export function from({ kind, user, depository, orderId, amount, validUntil, permitNonce }: Request): Permit {
  if (kind === 'eip3009')
    return { kind, from: user, to: depository, value: amount, validBefore: validUntil, nonce: orderId };
  return {
    kind,
    owner: user,
    spender: accounts.relayer.address,
    value: amount,
    deadline: validUntil,
    nonce: permitNonce,
  };
}

export type StepContext = {
  chain: Pick<Chain, 'id'>;
  token: Token;
  requestId: Hex;
  /** The symbol of the output. */
  output: string;
  api: 'bridge' | 'swap';
};

/** The only step of a quote that is paid by signature. */
export function toStep(permit: Permit, { chain, token, requestId, output, api }: StepContext): Step.Step {
  const { primaryType, fields, value } = typedDataOf(permit);
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
            types: { [primaryType]: fields },
            primaryType,
            value,
          },
          post: {
            endpoint: '/execute/permits',
            method: 'POST',
            body: { kind: kindNames[permit.kind], requestId, api },
          },
        },
        check: { endpoint: `/intents/status/v3?requestId=${requestId}`, method: 'GET' },
      },
    ],
    requestId,
  };
}

export type Payment = { token: EvmToken; depository: Address; orderId: Hex };

/**
 * The calls with which the relayer uses the signature to pay for the order.
 *
 * @throws an error if the signature is malformed
 */
export function toCalls(permit: Permit, signature: Hex, { token, depository, orderId }: Payment): Calldata.Call[] {
  const { r, s, yParity } = parseSignature(signature);
  const v = 27 + yParity;
  if (permit.kind === 'eip3009') {
    const { from, to, value, validBefore, nonce } = permit;
    const args = [from, to, value, 0n, validBefore, nonce, v, r, s] as const;
    const data = encodeFunctionData({ abi: abi.usdCoin, functionName: 'transferWithAuthorization', args });
    return [{ to: token.address, data, value: 0n }];
  }
  const { owner, spender, value, deadline } = permit;
  const permitData = encodeFunctionData({
    abi: abi.usdCoin,
    functionName: 'permit',
    args: [owner, spender, value, deadline, v, r, s],
  });
  const takeData = encodeFunctionData({
    abi: abi.token,
    functionName: 'transferFrom',
    args: [owner, spender, value],
  });
  return [
    { to: token.address, data: permitData, value: 0n },
    { to: token.address, data: takeData, value: 0n },
    Calldata.approve(token, depository, value),
    Calldata.deposit({ depository, depositor: owner, token, amount: value, orderId }),
  ];
}

/** EIP-712 domain of USDC. */
const domain = { name: 'USD Coin', version: '2' };

type TypedData = { primaryType: string; fields: { name: string; type: string }[]; value: Record<string, string> };

function typedDataOf(permit: Permit): TypedData {
  if (permit.kind === 'eip3009') {
    const { from, to, value, validBefore, nonce } = permit;
    return {
      primaryType: 'TransferWithAuthorization',
      fields: fields('address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce'),
      value: {
        from,
        to: to.toLowerCase(),
        value: value.toString(),
        validAfter: '0',
        validBefore: validBefore.toString(),
        nonce,
      },
    };
  }
  const { owner, spender, value, deadline, nonce } = permit;
  return {
    primaryType: 'Permit',
    fields: fields('address owner,address spender,uint256 value,uint256 nonce,uint256 deadline'),
    value: {
      owner,
      spender: spender.toLowerCase(),
      value: value.toString(),
      nonce: nonce.toString(),
      deadline: deadline.toString(),
    },
  };
}

function fields(text: string): TypedData['fields'] {
  return text.split(',').map((field) => {
    const [type = '', name = ''] = field.split(' ');
    return { name, type };
  });
}
