/** EIP-7702 delegated accounts and their signed batches, on the sandbox's chains. */
import { type Address, encodeAbiParameters, type Hex, type SignedAuthorization, type TransactionReceipt } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Chain } from '../../src/sandbox/chain/startChains.js';
import * as abi from '../../src/sandbox/values/abi.js';
import { type Account, accounts } from '../../src/sandbox/values/devAccounts.js';
import { batchTypes } from './batchTypes.js';
import type { Call } from './chains.js';
import { connect, connectAs } from './nodeClients.js';

const zero = '0x0000000000000000000000000000000000000000';

export type BatchedCall = {
  calls: readonly { to: Address; value: bigint; data: Hex }[];
  revertOnFailure: boolean;
};

export type Batch = {
  batchedCall: BatchedCall;
  nonce: bigint;
  keyHash: Hex;
  executor: Address;
  deadline: bigint;
};

/** A batch that anyone may submit at any time, and that reverts as a whole. */
export function batch(calls: BatchedCall['calls'], rest: Partial<Batch & BatchedCall> = {}): Batch {
  const { revertOnFailure = true, nonce = 0n, executor = zero, deadline = 0n } = rest;
  const { keyHash = `0x${'00'.repeat(32)}` } = rest;
  return { batchedCall: { calls, revertOnFailure }, nonce, keyHash, executor, deadline };
}

/** The domain of an account's batches on a chain. */
export function domain(chain: Chain, account: Address) {
  const salt: Hex = '0x000000000000000000000000000000009b1d0af20d8c6d0a44e162d11f9b8f00';
  return { name: 'Calibur', version: '1.0.0', chainId: chain.id, verifyingContract: account, salt } as const;
}

/** The signature of a batch for an account, by that account's key unless another is given. */
export async function signBatch(chain: Chain, account: Account, message: Batch, key = account.privateKey) {
  return await privateKeyToAccount(key).signTypedData({
    domain: domain(chain, account.address),
    types: batchTypes,
    primaryType: 'SignedBatchedCall',
    message,
  });
}

/** The call that submits a batch to its account. */
export function submission(account: Account, message: Batch, signature: Hex): Call {
  const wrapped = encodeAbiParameters([{ type: 'bytes' }, { type: 'bytes' }], [signature, '0x']);
  return { address: account.address, abi: abi.batchExecutor, functionName: 'execute', args: [message, wrapped] };
}

/** The call that submits what the account has signed itself. */
export async function signed(chain: Chain, account: Account, message: Batch): Promise<Call> {
  return submission(account, message, await signBatch(chain, account, message));
}

/** The account's EIP-7702 authorization for the code on the chain; the zero address removes its delegation. */
export async function authorize(chain: Chain, account: Account, code: Address): Promise<SignedAuthorization> {
  const nonce = await connect(chain).getTransactionCount({ address: account.address });
  return await privateKeyToAccount(account.privateKey).signAuthorization({ chainId: chain.id, address: code, nonce });
}

/** Has the relayer submit an authorization. */
async function relay(chain: Chain, authorization: SignedAuthorization): Promise<TransactionReceipt> {
  const client = connectAs(chain, accounts.relayer);
  const hash = await client.sendTransaction({ to: zero, authorizationList: [authorization] });
  return await client.waitForTransactionReceipt({ hash });
}

/** Delegates an account to the batch executor. */
export async function delegate(chain: Chain, account: Account): Promise<void> {
  await relay(chain, await authorize(chain, account, chain.batchExecutor));
}

/** The next nonce for a key of a delegated account. */
export async function nextNonce(chain: Chain, account: Account, key = 0n): Promise<bigint> {
  const call = { address: account.address, abi: abi.batchExecutor, functionName: 'getSeq', args: [key] } as const;
  return (key << 64n) | (await connect(chain).readContract(call));
}
