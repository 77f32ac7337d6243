/**
 * A transfer whose gas the service pays: the plan's calls as one signed batch. The service's relayer submits it to the
 * account, which is delegated to the batch executor by EIP-7702. The executor's interface and typed data are those that
 * the service documents (Calibur).
 */

import { encodeAbiParameters, encodeFunctionData, hexToBigInt, numberToHex, parseAbi, slice } from 'viem/utils';
import type * as Execute from '../api/Execute.js';
import * as Address from '../base/Address.js';
import type { Hex } from '../base/Hex.js';
import type * as Plan from '../execution/Plan.js';
import type { Authorization, TypedData } from '../ports/Ports.js';

/**
 * How long a signed batch can be submitted by default. It is ample for a relayer, and a user who was refused has to
 * wait that long to know that nothing happened. It is longer than ferry follows a transfer by default, so ferry says
 * what is open instead of waiting for the deadline and a finalized block after it.
 */
export const defaultValidForMs = 6 * 60_000;

export type Batch = {
  calls: readonly { to: Address.Address; value: bigint; data: Hex }[];
  /** The account's sequence in the executor, under key 0. */
  nonce: bigint;
  /** The only address that can submit it; the zero address allows any. */
  executor: Address.Address;
  /** Unix time in seconds; never 0, which would mean no deadline. */
  deadline: bigint;
};

const abi = parseAbi([
  'struct Call { address to; uint256 value; bytes data; }',
  'struct BatchedCall { Call[] calls; bool revertOnFailure; }',
  'struct SignedBatchedCall { BatchedCall batchedCall; uint256 nonce; bytes32 keyHash; address executor; uint256 deadline; }',
  'function execute(SignedBatchedCall signedBatchedCall, bytes wrappedSignature) payable',
]);

const types = {
  Call: [
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
  ],
  BatchedCall: [
    { name: 'calls', type: 'Call[]' },
    { name: 'revertOnFailure', type: 'bool' },
  ],
  SignedBatchedCall: [
    { name: 'batchedCall', type: 'BatchedCall' },
    { name: 'nonce', type: 'uint256' },
    { name: 'keyHash', type: 'bytes32' },
    { name: 'executor', type: 'address' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const;

/** The account's own key. */
const ownKey: Hex = `0x${'0'.repeat(64)}`;

/**
 * The batch of a proved plan: exactly its calls, in order, and its guard.
 *
 * @param validity `guard`: the call at the end that reverts the batch if too little has arrived
 */
export function from(
  plan: Plan.Plan,
  { nonce, executor }: Pick<Batch, 'nonce' | 'executor'>,
  {
    nowMs,
    validForMs = defaultValidForMs,
    guard,
  }: { nowMs: number; validForMs?: number | undefined; guard?: Batch['calls'][number] | undefined },
): Batch {
  return {
    calls: [...plan.actions.map(({ to, value, data }) => ({ to, value, data })), ...(guard ? [guard] : [])],
    nonce,
    executor,
    deadline: BigInt(Math.floor((nowMs + validForMs) / 1000)),
  };
}

/** The typed data that the account signs. The domain's salt is the executor's address, padded to 32 bytes. */
export function typedData(
  batch: Batch,
  account: Address.Address,
  chainId: number,
  batchExecutor: Address.Address,
): TypedData {
  return {
    domain: {
      name: 'Calibur',
      version: '1.0.0',
      chainId,
      verifyingContract: account,
      salt: numberToHex(hexToBigInt(batchExecutor), { size: 32 }),
    },
    types,
    primaryType: 'SignedBatchedCall',
    message: message(batch),
  };
}

/** The calldata that the relayer submits to the account. */
export function callData(batch: Batch, signature: Hex): Hex {
  const wrapped = encodeAbiParameters([{ type: 'bytes' }, { type: 'bytes' }], [signature, '0x']);
  return encodeFunctionData({ abi, functionName: 'execute', args: [message(batch), wrapped] });
}

/** The request body of `POST /execute`, spec 2.1. */
export function toRequest(
  plan: Plan.Plan,
  data: Hex,
  {
    account,
    authorization,
    referrer,
  }: { account: Address.Address; authorization: Authorization | undefined; referrer: string | undefined },
): Execute.Request {
  return {
    executionKind: 'rawCalls',
    data: {
      chainId: plan.intent.origin.chain.id,
      to: account,
      data,
      value: '0',
      ...(authorization ? { authorizationList: [authorization] } : {}),
    },
    executionOptions: {
      ...(referrer === undefined ? {} : { referrer }),
      subsidizeFees: plan.intent.sponsor !== undefined,
    },
    requestId: plan.requestId,
  };
}

/** The delegate in an account's code: its address, undefined for no code, or `contract` for any other code. */
export function delegateOf(code: Hex): Address.Address | 'contract' | undefined {
  if (code === '0x') return undefined;
  if (/^0xef0100[0-9a-fA-F]{40}$/.test(code)) return Address.from(slice(code, 3).toLowerCase());
  return 'contract';
}

function message({ calls, nonce, executor, deadline }: Batch) {
  return { batchedCall: { calls: [...calls], revertOnFailure: true }, nonce, keyHash: ownKey, executor, deadline };
}
