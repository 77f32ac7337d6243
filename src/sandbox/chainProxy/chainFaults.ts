/** Applies faults of the kind `chain` to JSON-RPC calls and to the chain itself. */

import { setTimeout as sleep } from 'node:timers/promises';
import {
  isHex,
  keccak256,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
  zeroAddress,
} from 'viem';
import { type Address, isEqual } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import type { ChainKeeper } from '../chain/chainKeeper.js';
import { createKeyedMutex } from '../chain/keyedMutex.js';
import * as nodeRpc from '../chain/nodeRpc.js';
import type { ChainFault, Fault, Faults, Subject } from '../http/faults.js';
import { type Answer, accountIn, type Call, hashIn } from './RpcRequest.js';

/** A transaction that was submitted through the gate, whether or not it reached the chain. */
type Broadcast = {
  hash: Hex;
  from: Address;
  to: Address | null;
  nonce: number;
  gas: bigint;
  /** `0x2` for EIP-1559. */
  type: Hex;
};

type ResumeMining = () => Promise<void>;

type PendingTransaction = Readonly<Record<string, unknown>>;

type Action = {
  afterMs: number | undefined;
  work?: () => Promise<void>;
  /** Cleanup that runs even if the action is canceled. */
  settle?: () => Promise<void>;
};

/** A chain, the faults that strike it, and what they have begun. */
type FaultyChain = {
  rpcUrl: string;
  faults: Faults;
  keeper: ChainKeeper | undefined;
  mining: ReturnType<typeof createMining>;
  /** The latest broadcasts, by hash. */
  seen: Map<string, Broadcast>;
  halts: Set<{ fault: string; resumeMining: ResumeMining }>;
  scheduled: Map<Promise<void>, { fault: string; abort: AbortController }>;
  held: { fault: string; broadcast: Broadcast }[];
};

export function createChainFaults(rpcUrl: string, faults: Faults, keeper?: ChainKeeper) {
  const chain: FaultyChain = {
    ...{ rpcUrl, faults, keeper, mining: createMining(rpcUrl), seen: new Map() },
    ...{ halts: new Set(), scheduled: new Map(), held: [] },
  };
  const { halts, scheduled } = chain;
  return {
    /** The attributes of a call that faults are matched against, including the sender of its transaction. */
    subjectOf: (call: Call) => subjectOf(chain, call),
    /** Answers a call subject to the faults; `ask` forwards a call to the node. */
    async answer(call: Call, ask: (call: Call) => Promise<Answer>): Promise<Answer> {
      if (call.method === 'eth_sendRawTransaction') return await sendRaw(chain, call, ask);
      if (call.method === 'eth_getTransactionCount') return await readNonce(chain, call, ask);
      return call.method === 'eth_getTransactionReceipt' ? await readReceipt(chain, call, ask) : await ask(call);
    },
    /** Applies a fault at once if it does not wait for a call. */
    async applyNow(fault: Fault): Promise<void> {
      if (fault.kind !== 'chain' || fault.after > 0 || Object.keys(fault.match).length > 0) return;
      if (fault.does !== 'halt' && fault.does !== 'skew') return;
      await applyBefore(
        chain,
        faults.strikeChain({}, ({ id }) => id === fault.id),
      );
    },
    /** Cancels pending actions of cleared faults and resumes mining that they halted. */
    release: () => release(chain, (fault) => !faults.isActive(fault)),
    isBusy: () => scheduled.size > 0,
    /** Cancels all scheduled actions and resumes mining. */
    async stop(): Promise<void> {
      while (scheduled.size > 0 || halts.size > 0) await release(chain, () => true);
    },
  };
}

/** Has it written that the work changes the chain. */
async function changing<Result>({ keeper }: FaultyChain, what: string, work: () => Promise<Result>): Promise<Result> {
  const done = keeper?.willChange(what);
  return await work().finally(done);
}

/** Schedules an action. Without a delay, the action has run when this resolves. */
async function schedule(
  chain: FaultyChain,
  { id }: ChainFault,
  { afterMs = 0, work = nothing, settle = nothing }: Action,
): Promise<void> {
  const { scheduled } = chain;
  const abort = new AbortController();
  const act = async (): Promise<void> => {
    try {
      if (afterMs > 0) await sleep(afterMs, undefined, { signal: abort.signal });
      await work();
    } finally {
      await settle();
    }
  };
  if (afterMs === 0) return await act();
  const done = act()
    .catch(() => undefined)
    .finally(() => scheduled.delete(done));
  scheduled.set(done, { fault: id, abort });
}

async function release(chain: FaultyChain, isOver: (fault: string) => boolean): Promise<void> {
  const { halts, scheduled } = chain;
  const over = [...scheduled].filter(([, { fault }]) => isOver(fault));
  for (const [, { abort }] of over) abort.abort();
  await Promise.all(over.map(([done]) => done));
  for (const halted of [...halts].filter(({ fault }) => isOver(fault))) {
    halts.delete(halted);
    await halted.resumeMining();
  }
}

async function halt(chain: FaultyChain, fault: ChainFault): Promise<void> {
  const { mining, halts } = chain;
  const resumeMining = await mining.pause();
  if (fault.delayMs) await schedule(chain, fault, { afterMs: fault.delayMs, settle: resumeMining });
  else halts.add({ fault: fault.id, resumeMining });
}

async function skew(chain: FaultyChain, { skewMs = 0 }: ChainFault): Promise<void> {
  const { rpcUrl } = chain;
  await nodeRpc.call(rpcUrl, 'evm_increaseTime', Math.ceil(skewMs / 1000));
  // Mine a block to make the new time visible; without automine the next block shows it.
  if (await nodeRpc.call(rpcUrl, 'anvil_getAutomine')) await nodeRpc.call(rpcUrl, 'anvil_mine', '0x1');
}

/** Applies a fault before the transaction it strikes is forwarded. */
async function applyBefore(chain: FaultyChain, fault: ChainFault | undefined): Promise<void> {
  if (fault?.does === 'skew') await skew(chain, fault);
  if (fault?.does === 'halt') await halt(chain, fault);
}

async function sendRaw(chain: FaultyChain, call: Call, ask: (call: Call) => Promise<Answer>): Promise<Answer> {
  const { faults, mining } = chain;
  const broadcast = await readBroadcast(chain, call.params[0]);
  if (!broadcast) return await ask(call);
  const subject = await subjectOf(chain, call);
  for (const what of ['skew', 'halt'] as const)
    await applyBefore(
      chain,
      faults.strikeChain(subject, ({ does }) => does === what),
    );
  const fault = faults.strikeChain(subject, ({ does }) =>
    ['swallow', 'hold', 'evict', 'replace', 'cancel'].includes(does),
  );
  if (!fault) return await ask(call);
  if (fault.does === 'hold') chain.held.push({ fault: fault.id, broadcast });
  if (fault.does === 'swallow' || fault.does === 'hold') return { jsonrpc: '2.0', id: call.id, result: broadcast.hash };

  const resumeMining = await mining.pause();
  const answer = await ask(call).catch(async (error: unknown) => {
    await resumeMining();
    throw error;
  });
  if (answer.error) await resumeMining();
  else
    await schedule(chain, fault, {
      afterMs: fault.delayMs,
      work: () => changing(chain, 'a fault', () => replacePending(chain, broadcast, fault.does)),
      settle: resumeMining,
    });
  return answer;
}

/** Drops a transaction from the pool and replaces it if the fault says so. */
async function replacePending(chain: FaultyChain, { hash, from }: Broadcast, does: ChainFault['does']): Promise<void> {
  const { rpcUrl } = chain;
  const waiting = await nodeRpc.call(rpcUrl, 'eth_getTransactionByHash', hash);
  // The sender may have replaced it in the meantime.
  if (waiting === null) return;
  await nodeRpc.call(rpcUrl, 'anvil_dropTransaction', hash);
  if (does === 'evict') return;
  const { to, input, value, accessList, authorizationList, nonce, gas, ...rest } = waiting as PendingTransaction;
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = rest;
  const price = maxFeePerGas === undefined ? { gasPrice } : { maxFeePerGas, maxPriorityFeePerGas };
  const content = does === 'cancel' ? { to: from } : { to, input, value, accessList, authorizationList };
  await nodeRpc.call(rpcUrl, 'anvil_impersonateAccount', from);
  try {
    await nodeRpc.call(rpcUrl, 'eth_sendTransaction', { from, nonce, gas, ...price, ...content });
  } finally {
    await nodeRpc.call(rpcUrl, 'anvil_stopImpersonatingAccount', from);
  }
}

async function readReceipt(chain: FaultyChain, call: Call, ask: (call: Call) => Promise<Answer>): Promise<Answer> {
  const { rpcUrl, faults } = chain;
  const answer = await ask(call);
  const hash = hashIn(call);
  if (hash === undefined || answer.error) return answer;
  const subject = await subjectOf(chain, call);
  if (answer.result === null) {
    const status = nowHeld(chain).some((each) => each.hash === hash.toLowerCase()) ? 'reverted' : 'success';
    if (status === 'success' && !faults.strikeChain(subject, ({ does }) => does === 'forge')) return answer;
    const block = (await nodeRpc.call(rpcUrl, 'eth_getBlockByNumber', 'latest', false)) as ForgedBlock;
    return { ...answer, result: forgedReceipt(hash, await findBroadcast(chain, hash), block, status) };
  }
  const fault = faults.strikeChain(subject, ({ does }) => does === 'reorg');
  if (fault) await schedule(chain, fault, { afterMs: fault.delayMs, work: () => dropByReorg(chain, hash, fault) });
  return answer;
}

/** The transactions that the node shows as mined, though it holds them back. */
function nowHeld({ held, faults }: FaultyChain): Broadcast[] {
  return held.filter(({ fault }) => faults.isActive(fault)).map(({ broadcast }) => broadcast);
}

async function readNonce(chain: FaultyChain, call: Call, ask: (call: Call) => Promise<Answer>): Promise<Answer> {
  const answer = await ask(call);
  const account = String(call.params[0]).toLowerCase();
  const used = nowHeld(chain).filter(({ from }) => from.toLowerCase() === account);
  if (answer.error || used.length === 0) return answer;
  const next = Math.max(Number(answer.result), ...used.map(({ nonce }) => nonce + 1));
  return { ...answer, result: `0x${next.toString(16)}` };
}

async function dropByReorg(chain: FaultyChain, hash: string, fault: ChainFault): Promise<void> {
  const raw = await changing(chain, 'a reorganization', () => reorganize(chain, hash));
  if (raw === undefined || fault.backAfterMs === undefined) return;
  const resubmit = async (): Promise<void> => {
    // The sender may have resubmitted it in the meantime.
    const send = (): Promise<unknown> => nodeRpc.call(chain.rpcUrl, 'eth_sendRawTransaction', raw);
    await changing(chain, 'a transaction', send).catch(() => undefined);
  };
  await schedule(chain, fault, { afterMs: fault.backAfterMs, settle: resubmit });
}

async function subjectOf(chain: FaultyChain, call: Call): Promise<Subject> {
  const hash = hashIn(call);
  const broadcast =
    call.method === 'eth_sendRawTransaction'
      ? await readBroadcast(chain, call.params[0])
      : hash === undefined
        ? undefined
        : await findBroadcast(chain, hash);
  return { method: 'POST', path: '/', rpc: call.method, user: broadcast?.from ?? accountIn(call) };
}

async function nothing(): Promise<void> {}

type ForgedBlock = { hash: Hex; number: Hex; baseFeePerGas: Hex };

/** A receipt as if the transaction were the first in an existing block. */
function forgedReceipt(
  hash: string,
  transaction: Broadcast | undefined,
  block: ForgedBlock,
  status: 'success' | 'reverted',
): Readonly<Record<string, unknown>> {
  const gas: Hex = `0x${(transaction?.gas ?? 21_000n).toString(16)}`;
  return {
    type: transaction?.type ?? '0x2',
    status: status === 'success' ? '0x1' : '0x0',
    cumulativeGasUsed: gas,
    logs: [],
    logsBloom: `0x${'00'.repeat(256)}`,
    transactionHash: hash,
    transactionIndex: '0x0',
    blockHash: block.hash,
    blockNumber: block.number,
    gasUsed: gas,
    effectiveGasPrice: block.baseFeePerGas,
    from: transaction?.from ?? zeroAddress,
    to: transaction ? transaction.to : zeroAddress,
    contractAddress: null,
  };
}

/** Of more, the oldest are forgotten: faults strike what was sent just now. */
const mostSeen = 1_000;

/** Decodes and remembers a signed transaction; undefined if the bytes are not one. */
async function readBroadcast({ seen }: FaultyChain, raw: unknown): Promise<Broadcast | undefined> {
  if (!isHex(raw)) return undefined;
  const hash = keccak256(raw);
  const known = seen.get(hash);
  if (known) return known;
  try {
    const { to, nonce = 0, gas = 0n, type } = parseTransaction(raw);
    const from = await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized });
    const broadcast = { hash, from, to: to ?? null, nonce, gas, type: types[type ?? 'eip1559'] };
    seen.set(hash, broadcast);
    const [oldest = hash] = seen.keys();
    if (seen.size > mostSeen) seen.delete(oldest);
    return broadcast;
  } catch {
    return undefined;
  }
}

const types = { legacy: '0x0', eip2930: '0x1', eip1559: '0x2', eip4844: '0x3', eip7702: '0x4' } as const;

/** The transaction with a hash, as submitted to the gate or as known to the chain. */
async function findBroadcast({ seen, rpcUrl }: FaultyChain, hash: string): Promise<Broadcast | undefined> {
  const known = seen.get(hash.toLowerCase());
  if (known) return known;
  const found = await nodeRpc.call(rpcUrl, 'eth_getTransactionByHash', hash).catch(() => null);
  if (found === null) return undefined;
  const { from, to, nonce, gas, type } = found as Omit<Broadcast, 'nonce' | 'gas'> & { nonce: Hex; gas: Hex };
  return { hash: hash.toLowerCase() as Hex, from, to, nonce: Number(nonce), gas: BigInt(gas), type };
}

/** Pauses a chain's mining while a fault needs its pool or its blocks unchanged. */
export function createMining(rpcUrl: string) {
  let pauses = 0;
  /** Automine before the first pause: the user may have turned it off. */
  let hadAutomine = true;
  const inTurn = createKeyedMutex();

  async function stop(): Promise<void> {
    hadAutomine = (await nodeRpc.call(rpcUrl, 'anvil_getAutomine')) === true;
    await nodeRpc.call(rpcUrl, 'evm_setAutomine', false);
    // A block already being built is still mined. The pool has its transactions until then; others may wait there, too.
    for (let last: unknown, looks = 0; looks < settledLooks; looks += 1) {
      const [pool, height] = await nodeRpc.callAll(rpcUrl, [['txpool_status'], ['eth_blockNumber']]);
      if (Number((pool as { pending: Hex }).pending) === 0) return;
      if (height !== last) looks = 0;
      last = height;
      await sleep(settleMs);
    }
  }

  return {
    /** Stops mining until every holder has resumed it. Resuming twice counts once. */
    async pause(): Promise<ResumeMining> {
      await inTurn(rpcUrl, async () => {
        if (pauses === 0) await stop();
        pauses += 1;
      });
      let isPaused = true;
      return () =>
        inTurn(rpcUrl, async () => {
          if (!isPaused) return;
          isPaused = false;
          pauses -= 1;
          if (pauses === 0 && hadAutomine) await nodeRpc.call(rpcUrl, 'evm_setAutomine', true);
        });
    },
  };
}

const settleMs = 10;
/** After so many looks at the same height, what is pending waits for something else than its block. */
const settledLooks = 30;

/**
 * Reorganizes a chain so that it loses a transaction: replaces its block and all later ones. Every other transaction
 * keeps its block, except later ones of the same sender, which the nonce gap invalidates. Returns the transaction's
 * signed bytes; undefined if the chain does not have it.
 */
async function reorganize({ rpcUrl, mining }: FaultyChain, hash: string): Promise<Hex | undefined> {
  const resumeMining = await mining.pause();
  try {
    const [lost, raw, height] = await nodeRpc.callAll(rpcUrl, [
      ['eth_getTransactionByHash', hash],
      ['eth_getRawTransactionByHash', hash],
      ['eth_blockNumber'],
    ]);
    const { blockNumber, from, nonce } = (lost ?? {}) as Partial<Transaction>;
    if (typeof blockNumber !== 'string' || from === undefined || nonce === undefined) return undefined;
    const depth = Number(height) - Number(blockNumber) + 1;
    const kept = (await blocksFrom(rpcUrl, Number(blockNumber), depth)).flatMap((transactions, index) =>
      transactions
        .filter((other) => !isEqual(other.from, from) || Number(other.nonce) < Number(nonce))
        .map((transaction) => ({ transaction, index })),
    );
    const owners = [
      ...new Set(kept.flatMap(({ transaction }) => (isImpersonated(transaction) ? transaction.from : []))),
    ];
    for (const owner of owners) await nodeRpc.call(rpcUrl, 'anvil_impersonateAccount', owner);
    const pairs = await Promise.all(
      kept.map(async ({ transaction, index }) => [await contentOf(rpcUrl, transaction), index]),
    );
    await nodeRpc.call(rpcUrl, 'anvil_reorg', depth, pairs);
    for (const owner of owners) await nodeRpc.call(rpcUrl, 'anvil_stopImpersonatingAccount', owner);
    return raw as Hex;
  } finally {
    await resumeMining();
  }
}

type Transaction = { hash: Hex; from: Hex; to: Hex | null; nonce: Hex; blockNumber: Hex; r: Hex; s: Hex; input: Hex };

async function blocksFrom(rpcUrl: string, first: number, count: number): Promise<readonly (readonly Transaction[])[]> {
  const blocks = await nodeRpc.callAll(
    rpcUrl,
    Array.from({ length: count }, (_, i) => ['eth_getBlockByNumber', numberToHex(first + i), true] as const),
  );
  return blocks.map((block) => (block as { transactions: readonly Transaction[] }).transactions);
}

/** Whether the transaction is unsigned, sent by impersonation. */
function isImpersonated({ r, s }: Transaction): boolean {
  return BigInt(r) === 0n && BigInt(s) === 0n;
}

/** A transaction in the form that `anvil_reorg` takes: signed bytes, or a transaction request. */
async function contentOf(rpcUrl: string, transaction: Transaction): Promise<unknown> {
  if (!isImpersonated(transaction)) return await nodeRpc.call(rpcUrl, 'eth_getRawTransactionByHash', transaction.hash);
  const { from, to, input } = transaction;
  const { value, gas, maxFeePerGas, maxPriorityFeePerGas } = transaction as unknown as Record<string, Hex>;
  return { from, to, input, value, gas, maxFeePerGas, maxPriorityFeePerGas };
}
