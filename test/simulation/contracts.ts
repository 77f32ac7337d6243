/**
 * What the contracts of the model's chains do, by the calldata that was really signed: tokens, the depository, the approval
 * proxy of permits and swaps, the router, the aggregator of swaps and the executor of batches.
 */

import type { Abi } from 'viem';
import {
  decodeAbiParameters,
  decodeFunctionData,
  encodeAbiParameters,
  hashTypedData,
  keccak256,
  stringToBytes,
} from 'viem/utils';
import type { Hex } from '../../src/core/base/Hex.js';
import { transferTopic } from '../../src/core/execution/ReceivedAmount.js';
import type { Log } from '../../src/core/ports/Ports.js';
import { depositAddress } from '../../src/sandbox/quote/Quote.js';
import * as abi from '../../src/sandbox/values/abi.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { batchTypes } from '../support/batchTypes.js';
import { witnessHash } from '../support/routerCalldata.js';
import { keys, type Ledger } from './ledger.js';

/** The addresses of a chain's contracts, in lower case, and its tokens. */
export type Contracts = {
  chainId: number;
  depository: string;
  router: string;
  approvalProxy: string;
  aggregator: string;
  batchExecutor: string;
  depositFactory: string;
  depositImplementation: string;
  tokens: ReadonlySet<string>;
};

export type Call = { from: string; to: string; data: Hex; value: bigint };

/** Where a call runs. */
export type Place = {
  ledger: Ledger;
  contracts: Contracts;
  timestamp: bigint;
  /** Whether the depository lets no deposit pass for the moment. */
  isPaused: boolean;
};

/** What a call has done: the units of gas that it took, and its events. */
export type Effect = { gas: bigint; logs: Log[] };

/** A call that fails, and undoes nothing by itself. */
export class RevertedError extends Error {}

/** Gas besides that of calls. */
const plainGas = 21_000n;

/** @throws RevertedError */
export function run(call: Call, place: Place): Effect {
  const logs: Log[] = [];
  const gas = plainGas + callInto(call, place, logs);
  return { gas, logs };
}

function callInto({ from, to, data, value }: Call, place: Place, logs: Log[]): bigint {
  const { ledger, contracts } = place;
  pay(ledger, keys.native(from), keys.native(to), value, 'the sender has too little');
  if (contracts.tokens.has(to)) return token({ from, to, data, value }, place, logs);
  if (to === contracts.depository) return deposit({ from, to, data, value }, place, logs);
  if (to === contracts.approvalProxy) return proxied({ from, to, data, value }, place, logs);
  if (to === contracts.router) return cleanup({ from, to, data, value }, place, logs);
  if (to === contracts.depositFactory) return sweep({ from, to, data, value }, place, logs);
  if (to === contracts.aggregator) return swap({ from, to, data, value }, place, logs);
  if (data !== '0x' && ledger.get(keys.delegate(to)) === BigInt(contracts.batchExecutor))
    return batch({ from, to, data, value }, place, logs);
  return 0n;
}

/** USDC's, which the other tokens do not have all of. */
const tokenAbi = [...abi.token, ...abi.usdCoin];

function token({ from, to, data }: Call, { ledger, contracts }: Place, logs: Log[]): bigint {
  const { functionName, args } = decoded(tokenAbi, data);
  switch (functionName) {
    case 'approve': {
      const [spender, amount] = args as [string, bigint];
      ledger.set(keys.allowance(to, from, spender.toLowerCase()), amount);
      logs.push(eventOf(to, approvalTopic, [from, spender], amount));
      return 25_000n;
    }
    case 'transfer': {
      const [receiver, amount] = args as [string, bigint];
      move(to, from, receiver.toLowerCase(), amount, ledger, logs);
      return 30_000n;
    }
    case 'cancelAuthorization': {
      const [authorizer, nonce, v, r, s] = args as [Hex, Hex, number, Hex, Hex];
      const owner = authorizer.toLowerCase();
      const used = keys.authorization(to, owner, nonce);
      if (ledger.get(used) !== 0n) throw new RevertedError('the authorization is used');
      const domain = domainOf(to, contracts);
      const message = { authorizer, nonce };
      const hash = hashTypedData({ domain, types: authorizationTypes, primaryType: 'CancelAuthorization', message });
      assertSigned(owner, hash, signatureOf({ v, r, s }));
      ledger.set(used, 1n);
      return 40_000n;
    }
    default:
      throw new RevertedError(`the token does not know ${functionName}`);
  }
}

function deposit({ from, to, data, value }: Call, { ledger, isPaused }: Place, logs: Log[]): bigint {
  if (isPaused) throw new RevertedError('the depository is paused');
  const { functionName, args } = decoded(abi.depository, data);
  if (functionName === 'depositNative') {
    const [depositor, id] = args as [Hex, Hex];
    logs.push(depositEvent(to, nativeDeposit, [depositor, value, id]));
    return 10_000n;
  }
  if (functionName !== 'depositErc20') throw new RevertedError('no deposit');
  const [depositor, of] = args as [Hex, Hex];
  const id = args.at(-1) as Hex;
  // Without an amount it is the whole allowance.
  const allowed = ledger.get(keys.allowance(of.toLowerCase(), from, to));
  const amount = args.length === 4 ? (args[2] as bigint) : allowed;
  spend(of, { owner: from, spender: to, to, amount }, ledger, logs);
  logs.push(depositEvent(to, tokenDeposit, [depositor, of, amount, id]));
  return 50_000n;
}

/** Deposits all that lies at the address of an order, and creates the contract of the address. */
function sweep({ data }: Call, { ledger, contracts, isPaused }: Place, logs: Log[]): bigint {
  if (isPaused) throw new RevertedError('the depository is paused');
  const { functionName, args } = decoded(abi.depositFactory, data);
  if (functionName !== 'sweep') throw new RevertedError('no sweep');
  const [id, depositor, [of]] = args as [Hex, Hex, [Hex]];
  const token = of.toLowerCase();
  const address = addressOf(id, depositor, contracts).toLowerCase();
  const amount = ledger.get(keys.token(token, address));
  if (amount === 0n) throw new RevertedError('nothing lies there');
  ledger.set(keys.created(address), 1n);
  move(token, address, contracts.depository, amount, ledger, logs);
  logs.push(depositEvent(contracts.depository, tokenDeposit, [depositor, of, amount, id]));
  return 120_000n;
}

/** The deposit address of an order. */
export function addressOf(id: Hex, depositor: Hex, contracts: Contracts): Hex {
  return depositAddress(contracts as Parameters<typeof depositAddress>[0], id, depositor);
}

/** Takes tokens with the account's permit, or with its allowance for the calls that the router then makes. */
function proxied(call: Call, place: Place, logs: Log[]): bigint {
  const { from, to, data } = call;
  const { functionName, args } = decoded(abi.approvalProxy, data);
  if (functionName !== 'transferAndMulticall') return permit(call, place, logs);
  const { router } = place.contracts;
  const [[token], [amount], calls] = args as unknown as [[Hex], [bigint], readonly RouterCall[]];
  spend(token, { owner: from, spender: to, to: router, amount }, place.ledger, logs);
  let gas = 50_000n;
  for (const { target, callData, value } of calls)
    gas += callInto({ from: router, to: target.toLowerCase(), data: callData, value }, place, logs);
  return gas;
}

type RouterCall = { target: Hex; allowFailure: boolean; value: bigint; callData: Hex };

/** Approves all that the router has of a token to a contract, and calls it. */
function cleanup({ to: router, data }: Call, place: Place, logs: Log[]): bigint {
  const { functionName, args } = decoded(abi.router, data);
  if (functionName !== 'cleanupErc20sViaCall') throw new RevertedError('no cleanup');
  const [[token], [to], [callData]] = args as unknown as [[Hex], [Hex], [Hex]];
  const [of, spender] = [token.toLowerCase(), to.toLowerCase()];
  const { ledger } = place;
  ledger.set(keys.allowance(of, router, spender), ledger.get(keys.token(of, router)));
  return 40_000n + callInto({ from: router, to: spender, data: callData, value: 0n }, place, logs);
}

/** Swaps at the worst rate that is allowed. */
function swap({ from, to, data }: Call, { ledger }: Place, logs: Log[]): bigint {
  const [{ desc }] = decoded(abi.aggregationRouter, data).args as unknown as [{ desc: SwapTerms }];
  const { srcToken, dstToken, dstReceiver, amount, minReturnAmount } = desc;
  spend(srcToken, { owner: from, spender: to, to, amount }, ledger, logs);
  move(dstToken.toLowerCase(), to, dstReceiver.toLowerCase(), minReturnAmount, ledger, logs);
  return 120_000n;
}

type SwapTerms = { srcToken: Hex; dstToken: Hex; dstReceiver: Hex; amount: bigint; minReturnAmount: bigint };

/** Takes what the owner has authorized (EIP-3009) and deposits it for the order that the authorization's nonce binds. */
function permit({ data }: Call, { ledger, contracts, timestamp, isPaused }: Place, logs: Log[]): bigint {
  if (isPaused) throw new RevertedError('the depository is paused');
  const { functionName, args } = decoded(abi.approvalProxy, data);
  if (functionName !== 'permit3009TransferAndMulticall') throw new RevertedError('no permit');
  type Signed = { from: Hex; value: bigint; validBefore: bigint; v: number; r: Hex; s: Hex };
  const [[signed], [of], calls, refundTo, nftRecipient, metadata] = args as unknown as [
    [Signed],
    [Hex],
    readonly RouterCall[],
    Hex,
    Hex,
    Hex,
  ];
  const owner = signed.from.toLowerCase();
  const token = of.toLowerCase();
  const nonce = witnessHash({ relayer: accounts.relayer.address, refundTo, nftRecipient, metadata, calls });
  const used = keys.authorization(token, owner, nonce);
  if (ledger.get(used) !== 0n) throw new RevertedError('the authorization is used');
  if (timestamp >= signed.validBefore) throw new RevertedError('the authorization has expired');
  const message = { ...signed, to: contracts.approvalProxy as Hex, validAfter: 0n, nonce };
  const domain = domainOf(token, contracts);
  const hash = hashTypedData({ domain, types: authorizationTypes, primaryType: 'ReceiveWithAuthorization', message });
  assertSigned(owner, hash, signatureOf(signed));
  ledger.set(used, 1n);
  const [{ callData }] = calls as [RouterCall];
  const cleanup = decoded(abi.router, callData);
  const [inner] = (cleanup.args as unknown as [Hex[], Hex[], Hex[]])[2] as [Hex];
  const [depositor, , id] = decoded(abi.depository, inner).args as unknown as [Hex, Hex, Hex];
  move(token, owner, contracts.depository, signed.value, ledger, logs);
  logs.push(depositEvent(contracts.depository, tokenDeposit, [depositor, of, signed.value, id]));
  return 180_000n;
}

/** Runs the calls of a batch that the account has signed, in its name. */
function batch({ from, to, data }: Call, place: Place, logs: Log[]): bigint {
  const { ledger, contracts, timestamp } = place;
  const [signed, wrapped] = decoded(abi.batchExecutor, data).args as unknown as [SignedBatch, Hex];
  if (signed.executor !== zero && signed.executor.toLowerCase() !== from) throw new RevertedError('another submitter');
  if (timestamp > signed.deadline) throw new RevertedError('the signature has expired');
  if (signed.nonce !== ledger.get(keys.sequence(to))) throw new RevertedError('another sequence');
  const salt = `0x${contracts.batchExecutor.slice(2).padStart(64, '0')}` as Hex;
  const domain = { name: 'Calibur', version: '1.0.0', chainId: contracts.chainId, verifyingContract: to as Hex, salt };
  const hash = hashTypedData({ domain, types: batchTypes, primaryType: 'SignedBatchedCall', message: signed });
  const [signature] = decodeAbiParameters([{ type: 'bytes' }, { type: 'bytes' }], wrapped);
  assertSigned(to, hash, signature);
  ledger.add(keys.sequence(to), 1n);
  let gas = 60_000n;
  for (const call of signed.batchedCall.calls)
    gas += callInto({ from: to, to: call.to.toLowerCase(), data: call.data, value: call.value }, place, logs);
  return gas;
}

type SignedBatch = {
  batchedCall: { calls: readonly { to: Hex; value: bigint; data: Hex }[]; revertOnFailure: boolean };
  nonce: bigint;
  keyHash: Hex;
  executor: Hex;
  deadline: bigint;
};

/** The signed batch in calldata. */
export function batchIn(data: Hex): SignedBatch {
  return decoded(abi.batchExecutor, data).args[0] as SignedBatch;
}

/** Whether somebody can submit a signed batch: the service, or whoever has it. */
export function isSubmittable(data: Hex): boolean {
  const { executor } = batchIn(data);
  return [zero, accounts.relayer.address.toLowerCase()].includes(executor.toLowerCase());
}

/** Who signed which hash, as the model's accounts have told it when they signed. */
const signers = new Map<string, string>();

/** Tells the model's contracts of a signature, which they would otherwise have to recover each time it is used. */
export function signed(signer: string, hash: Hex, signature: Hex): void {
  signers.set(`${hash} ${signature}`, signer.toLowerCase());
}

function assertSigned(owner: string, hash: Hex, signature: Hex): void {
  if (signers.get(`${hash} ${signature}`) !== owner) throw new RevertedError('the signature is of somebody else');
}

function signatureOf({ r, s, v }: { r: Hex; s: Hex; v: number }): Hex {
  return `${r}${s.slice(2)}${v.toString(16).padStart(2, '0')}`;
}

type Spending = { owner: string; spender: string; to: string; amount: bigint };

/** @throws RevertedError if less is allowed, or if the owner has less */
function spend(of: Hex, { owner, spender, to, amount }: Spending, ledger: Ledger, logs: Log[]): void {
  const token = of.toLowerCase();
  const allowance = keys.allowance(token, owner, spender);
  const allowed = ledger.get(allowance);
  if (allowed < amount) throw new RevertedError('the allowance is too low');
  ledger.set(allowance, allowed - amount);
  move(token, owner, to, amount, ledger, logs);
}

/** @throws RevertedError if the owner has less */
function move(token: string, from: string, to: string, amount: bigint, ledger: Ledger, logs: Log[]): void {
  pay(ledger, keys.token(token, from), keys.token(token, to), amount, 'the balance is too low');
  logs.push(eventOf(token, transferTopic, [from, to], amount));
}

function pay(ledger: Ledger, from: string, to: string, amount: bigint, why: string): void {
  if (amount === 0n) return;
  if (ledger.get(from) < amount) throw new RevertedError(why);
  ledger.add(from, -amount);
  ledger.add(to, amount);
}

/** An event with two indexed addresses and an amount. */
function eventOf(address: string, topic: string, parties: readonly string[], amount: bigint): Log {
  const topics = [topic, ...parties.map((party) => `0x${party.slice(2).toLowerCase().padStart(64, '0')}`)];
  return { address, topics, data: `0x${amount.toString(16).padStart(64, '0')}` };
}

function depositEvent(address: string, event: DepositEvent, values: readonly unknown[]): Log {
  return { address, topics: [event.topic], data: encodeAbiParameters(event.fields, values) };
}

type DepositEvent = { topic: Hex; fields: readonly { type: string }[] };

function eventForm(name: string, types: readonly string[]): DepositEvent {
  return { topic: topicOf(`${name}(${types.join(',')})`), fields: types.map((type) => ({ type })) };
}

function topicOf(signature: string): Hex {
  return keccak256(stringToBytes(signature));
}

const nativeDeposit = eventForm('RelayNativeDeposit', ['address', 'uint256', 'bytes32']);
const tokenDeposit = eventForm('RelayErc20Deposit', ['address', 'address', 'uint256', 'bytes32']);
const approvalTopic = topicOf('Approval(address,address,uint256)');

/** The order that a transaction's events show a deposit for. */
export function depositIn(logs: readonly Log[]): { id: Hex; from: string; amount: bigint } | undefined {
  for (const { topics, data } of logs) {
    const event = [nativeDeposit, tokenDeposit].find(({ topic }) => topic === topics[0]);
    if (!event) continue;
    const values = decodeAbiParameters(event.fields, data) as readonly unknown[];
    const [amount, id] = values.slice(-2) as [bigint, Hex];
    return { id, amount, from: String(values[0]).toLowerCase() };
  }
  return undefined;
}

type Decoded = { functionName: string; args: readonly unknown[] };

/** Calldata that was decoded before: a simulation and the real call have the same. */
const known = new Map<Hex, Decoded>();
const mostKnown = 2_000;

/** @throws RevertedError if the contract does not know the function */
function decoded(of: Abi, data: Hex): Decoded {
  const before = known.get(data);
  if (before) return before;
  if (known.size > mostKnown) known.clear();
  try {
    const { functionName, args = [] } = decodeFunctionData({ abi: of, data });
    const found = { functionName: String(functionName), args: args as readonly unknown[] };
    known.set(data, found);
    return found;
  } catch {
    throw new RevertedError('an unknown function');
  }
}

const zero = '0x0000000000000000000000000000000000000000';

/** The domain of what is signed for a token. */
function domainOf(token: string, { chainId }: Contracts) {
  return { name: 'USD Coin', version: '2', chainId, verifyingContract: token as Hex };
}

const authorizationTypes = {
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
  ReceiveWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;
