/** A user without gas: signs authorizations, batches and permits as wallets do, with viem alone. */

import { encodeAbiParameters, encodeFunctionData, type Hex, pad } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type * as Execute from '../../src/core/api/Execute.js';
import type * as Wire from '../../src/core/api/schema/Authorization.js';
import * as SignatureItem from '../../src/core/api/schema/SignatureItem.js';
import * as Step from '../../src/core/api/schema/Step.js';
import type { Address } from '../../src/core/base/Address.js';
import type { Chain } from '../../src/sandbox/chain/startChains.js';
import type * as QuoteAnswer from '../../src/sandbox/quote/QuoteAnswer.js';
import * as abi from '../../src/sandbox/values/abi.js';
import { type Account, accounts, type Name } from '../../src/sandbox/values/devAccounts.js';
import { batchTypes } from './batchTypes.js';
import { connect } from './nodeClients.js';

export type Call = { to: Address; value: bigint; data: Hex };

export type BatchOptions = {
  /** Unix seconds; ten minutes from now by default. */
  deadline?: bigint;
  executor?: Address;
  nonce?: bigint;
  /** The signer, if not the account itself. */
  signer?: Name;
};

const zero = '0x0000000000000000000000000000000000000000';

/** An authorization for the batch executor, at the account's nonce. */
export async function authorize(
  chain: Chain,
  account: Name,
  change: { chainId?: number; nonce?: number; address?: Address } = {},
): Promise<Wire.Authorization> {
  const signer = privateKeyToAccount(accounts[account].privateKey);
  const { chainId, address, nonce, yParity, r, s } = await signer.signAuthorization({
    chainId: change.chainId ?? chain.id,
    contractAddress: change.address ?? chain.batchExecutor,
    nonce: change.nonce ?? (await connect(chain).getTransactionCount({ address: signer.address })),
  });
  return { chainId, address, nonce, yParity: yParity ?? 0, r, s };
}

/** The calls of a quote's transactions. */
export function callsOf(quote: QuoteAnswer.Response): Call[] {
  return quote.steps
    .flatMap((step) => step.items)
    .map(({ data }) => {
      const { to, data: calldata, value } = Step.evmTransaction.parse(data);
      return { to, data: calldata, value: BigInt(value) };
    });
}

/** Calldata for the account itself: calls as one signed batch. */
export async function batch(chain: Chain, account: Name, calls: readonly Call[], options: BatchOptions = {}) {
  const { address } = accounts[account];
  const { privateKey } = accounts[options.signer ?? account];
  const message = {
    batchedCall: { calls: [...calls], revertOnFailure: true },
    nonce: options.nonce ?? (await sequence(chain, address)),
    keyHash: pad('0x', { size: 32 }),
    executor: options.executor ?? zero,
    deadline: options.deadline ?? BigInt(Math.floor(Date.now() / 1000) + 600),
  } as const;
  const wrapped = wrap(await signBatch(chain, { address, privateKey }, message));
  return encodeFunctionData({ abi: abi.batchExecutor, functionName: 'execute', args: [message, wrapped] });
}

export type Batch = {
  batchedCall: { calls: readonly Call[]; revertOnFailure: boolean };
  nonce: bigint;
  keyHash: Hex;
  executor: Hex;
  deadline: bigint;
};

/** The signature of a batch for the account at an address, by a key. */
export async function signBatch(chain: Chain, { address, privateKey }: Account, message: Batch): Promise<Hex> {
  return await privateKeyToAccount(privateKey).signTypedData({
    domain: {
      name: 'Calibur',
      version: '1.0.0',
      chainId: chain.id,
      verifyingContract: address,
      salt: pad(chain.batchExecutor, { size: 32 }),
    },
    types: batchTypes,
    primaryType: 'SignedBatchedCall',
    message,
  });
}

/** A signature as the executor takes it. */
export function wrap(signature: Hex): Hex {
  return encodeAbiParameters([{ type: 'bytes' }, { type: 'bytes' }], [signature, '0x']);
}

/** The body of a sponsored call. */
export function sponsored(chain: Chain, to: Address, data: Hex, more: Partial<Execute.Request> = {}): Execute.Request {
  return {
    executionKind: 'rawCalls',
    data: { chainId: chain.id, to, data, value: '0' },
    executionOptions: { referrer: 'sandbox-referrer', subsidizeFees: true },
    ...more,
  };
}

/** The body that executes a quote by a signed batch, with an authorization if the account has no code yet. */
export async function bodyOf(
  chain: Chain,
  account: Name,
  quote: QuoteAnswer.Response & { requestId: string },
  options: BatchOptions = {},
): Promise<Execute.Request> {
  const { address } = accounts[account];
  const isDelegated = (await connect(chain).getCode({ address })) !== undefined;
  const data = await batch(chain, account, callsOf(quote), options);
  return {
    executionKind: 'rawCalls',
    data: {
      chainId: chain.id,
      to: address,
      data,
      value: '0',
      ...(!isDelegated && { authorizationList: [await authorize(chain, account)] }),
    },
    executionOptions: { referrer: 'sandbox-referrer', subsidizeFees: false },
    requestId: quote.requestId,
  };
}

export type SignedPermit = { path: string; body: Record<string, unknown>; signature: Hex };

/** Signs the one signature step of a quote. */
export async function signPermit(quote: QuoteAnswer.Response, account: Name): Promise<SignedPermit> {
  const [step] = quote.steps;
  const { sign, post } = SignatureItem.schema.parse(step?.items[0]?.data);
  if (sign.signatureKind !== 'eip712' || !post?.body) throw new Error('The quote asks for no permit.');
  const { domain, types: typesToSign, primaryType, value } = sign;
  const signature = await privateKeyToAccount(accounts[account].privateKey).signTypedData({
    domain: { ...domain, chainId: Number(domain.chainId), verifyingContract: domain.verifyingContract as Address },
    types: typesToSign,
    primaryType,
    message: value,
  } as Parameters<ReturnType<typeof privateKeyToAccount>['signTypedData']>[0]);
  return { path: `${post.endpoint}?signature=${signature}`, body: post.body, signature };
}

async function sequence(chain: Chain, account: Address): Promise<bigint> {
  const client = connect(chain);
  if ((await client.getCode({ address: account })) === undefined) return 0n;
  return await client.readContract({ address: account, abi: abi.batchExecutor, functionName: 'getSeq', args: [0n] });
}
