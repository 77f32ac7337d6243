/** Applies faults of the kind `chain` to JSON-RPC calls and to the chain itself. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from '../../core/base/Hex.js';
import type { ChainKeeper } from '../chain/chainKeeper.js';
import * as nodeRpc from '../chain/nodeRpc.js';
import type { ChainFault, Fault, Faults, Subject } from '../http/faults.js';
import { type Broadcast, type Broadcasts, createBroadcasts } from './broadcasts.js';
import { createMining, type Mining, type ResumeMining } from './mining.js';
import { type Answer, accountIn, type Call, hashIn } from './RpcRequest.js';
import { reorganize } from './reorg.js';

export type ChainFaults = {
  /** The attributes of a call that faults are matched against, including the sender of its transaction. */
  subjectOf(call: Call): Promise<Subject>;
  /** Answers a call subject to the faults; `ask` forwards a call to the node. */
  answer(call: Call, ask: (call: Call) => Promise<Answer>): Promise<Answer>;
  /** Applies a fault at once if it does not wait for a call. */
  applyNow(fault: Fault): Promise<void>;
  /** Cancels pending actions of cleared faults and resumes mining that they halted. */
  release(): Promise<void>;
  /** Whether an action is scheduled. */
  isBusy(): boolean;
  /** Cancels all scheduled actions and resumes mining. */
  stop(): Promise<void>;
};

/** A pending transaction as returned by the node. */
type PendingTransaction = Readonly<Record<string, unknown>>;

/** A scheduled action of a fault. */
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
  mining: Mining;
  broadcasts: Broadcasts;
  halts: Set<{ fault: string; resumeMining: ResumeMining }>;
  scheduled: Map<Promise<void>, { fault: string; abort: AbortController }>;
  held: { fault: string; broadcast: Broadcast }[];
};

export function createChainFaults(rpcUrl: string, faults: Faults, keeper?: ChainKeeper): ChainFaults {
  const chain: FaultyChain = {
    ...{ rpcUrl, faults, keeper, mining: createMining(rpcUrl), broadcasts: createBroadcasts(rpcUrl) },
    ...{ halts: new Set(), scheduled: new Map(), held: [] },
  };
  const { halts, scheduled } = chain;
  return {
    subjectOf: (call) => subjectOf(chain, call),
    async answer(call, ask) {
      if (call.method === 'eth_sendRawTransaction') return await sendRaw(chain, call, ask);
      if (call.method === 'eth_getTransactionCount') return await readNonce(chain, call, ask);
      return call.method === 'eth_getTransactionReceipt' ? await readReceipt(chain, call, ask) : await ask(call);
    },
    async applyNow(fault) {
      if (fault.kind !== 'chain' || fault.after > 0 || Object.keys(fault.match).length > 0) return;
      if (fault.does !== 'halt' && fault.does !== 'skew') return;
      await applyBefore(
        chain,
        faults.strikeChain({}, ({ id }) => id === fault.id),
      );
    },
    release: () => release(chain, (fault) => !faults.isActive(fault)),
    isBusy: () => scheduled.size > 0,
    async stop() {
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
  const { faults, mining, broadcasts } = chain;
  const broadcast = await broadcasts.read(call.params[0]);
  if (!broadcast) return await ask(call);
  const subject = await subjectOf(chain, call);
  await applyBefore(
    chain,
    faults.strikeChain(subject, ({ does }) => does === 'skew'),
  );
  await applyBefore(
    chain,
    faults.strikeChain(subject, ({ does }) => does === 'halt'),
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
  const { rpcUrl, faults, broadcasts } = chain;
  const answer = await ask(call);
  const hash = hashIn(call);
  if (hash === undefined || answer.error) return answer;
  const subject = await subjectOf(chain, call);
  if (answer.result === null) {
    const status = nowHeld(chain).some((each) => each.hash === hash.toLowerCase()) ? 'reverted' : 'success';
    if (status === 'success' && !faults.strikeChain(subject, ({ does }) => does === 'forge')) return answer;
    const block = (await nodeRpc.call(rpcUrl, 'eth_getBlockByNumber', 'latest', false)) as ForgedBlock;
    return { ...answer, result: forgedReceipt(hash, await broadcasts.find(hash), block, status) };
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
  const { rpcUrl, mining } = chain;
  const raw = await changing(chain, 'a reorganization', () => reorganize(rpcUrl, mining, hash));
  if (raw === undefined || fault.backAfterMs === undefined) return;
  const resubmit = async (): Promise<void> => {
    // The sender may have resubmitted it in the meantime.
    const send = (): Promise<unknown> => nodeRpc.call(rpcUrl, 'eth_sendRawTransaction', raw);
    await changing(chain, 'a transaction', send).catch(() => undefined);
  };
  await schedule(chain, fault, { afterMs: fault.backAfterMs, settle: resubmit });
}

async function subjectOf(chain: FaultyChain, call: Call): Promise<Subject> {
  const { broadcasts } = chain;
  const hash = hashIn(call);
  const broadcast =
    call.method === 'eth_sendRawTransaction'
      ? await broadcasts.read(call.params[0])
      : hash === undefined
        ? undefined
        : await broadcasts.find(hash);
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

const zeroAddress = `0x${'00'.repeat(20)}`;
