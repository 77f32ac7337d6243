/** Applies faults of the kind `chain` to JSON-RPC calls and to the chain itself. */
import { setTimeout as sleep } from 'node:timers/promises';
import * as nodeRpc from '../chain/nodeRpc.js';
import type { ChainFault, Fault, Faults, Subject } from '../http/faults.js';
import { type Broadcast, createBroadcasts } from './broadcasts.js';
import * as ForgedReceipt from './ForgedReceipt.js';
import { createMining, type LetGo } from './mining.js';
import { type Answer, accountIn, type Call, hashIn } from './RpcRequest.js';
import { reorganise } from './reorg.js';

export type ChainFaults = {
  /** The attributes of a call that faults are matched against, including the sender of its transaction. */
  subjectOf(call: Call): Promise<Subject>;
  /** Answers a call subject to the faults; `ask` forwards a call to the node. */
  answer(call: Call, ask: (call: Call) => Promise<Answer>): Promise<Answer>;
  /** Applies a fault at once if it does not wait for a call. */
  begin(fault: Fault): Promise<void>;
  /** Cancels pending actions of cleared faults and resumes mining that they halted. */
  release(): Promise<void>;
  /** Whether an action is scheduled. */
  isBusy(): boolean;
  /** Cancels all scheduled actions and resumes mining. */
  stop(): Promise<void>;
};

/** A pending transaction as returned by the node. */
type Waiting = Readonly<Record<string, unknown>>;

/** A scheduled action of a fault. */
type Act = {
  afterMs: number | undefined;
  work?: () => Promise<void>;
  /** Cleanup that runs even if the action is canceled. */
  settle?: () => Promise<void>;
};

export function createChainFaults(rpcUrl: string, faults: Faults): ChainFaults {
  const mining = createMining(rpcUrl);
  const broadcasts = createBroadcasts(rpcUrl);
  const halts = new Set<{ fault: string; letGo: LetGo }>();
  const underWay = new Map<Promise<void>, { fault: string; callOff: AbortController }>();

  /** Schedules an action. Without a delay, the action has run when this resolves. */
  async function later({ id }: ChainFault, { afterMs = 0, work = nothing, settle = nothing }: Act): Promise<void> {
    const callOff = new AbortController();
    const act = async (): Promise<void> => {
      try {
        if (afterMs > 0) await sleep(afterMs, undefined, { signal: callOff.signal });
        await work();
      } finally {
        await settle();
      }
    };
    if (afterMs === 0) return await act();
    const done = act()
      .catch(() => undefined)
      .finally(() => underWay.delete(done));
    underWay.set(done, { fault: id, callOff });
  }

  async function release(isOver: (fault: string) => boolean): Promise<void> {
    const over = [...underWay].filter(([, { fault }]) => isOver(fault));
    for (const [, { callOff }] of over) callOff.abort();
    await Promise.all(over.map(([done]) => done));
    for (const halted of [...halts].filter(({ fault }) => isOver(fault))) {
      halts.delete(halted);
      await halted.letGo();
    }
  }

  async function halt(fault: ChainFault): Promise<void> {
    const letGo = await mining.hold();
    if (fault.delayMs) await later(fault, { afterMs: fault.delayMs, settle: letGo });
    else halts.add({ fault: fault.id, letGo });
  }

  async function skew({ skewMs = 0 }: ChainFault): Promise<void> {
    await nodeRpc.call(rpcUrl, 'evm_increaseTime', Math.ceil(skewMs / 1000));
    // Mine a block to make the new time visible; without automine the next block shows it.
    if (await nodeRpc.call(rpcUrl, 'anvil_getAutomine')) await nodeRpc.call(rpcUrl, 'anvil_mine', '0x1');
  }

  /** Applies a fault before the transaction it strikes is forwarded. */
  async function prepare(fault: ChainFault | undefined): Promise<void> {
    if (fault?.does === 'skew') await skew(fault);
    if (fault?.does === 'halt') await halt(fault);
  }

  async function takeIn(call: Call, ask: (call: Call) => Promise<Answer>): Promise<Answer> {
    const broadcast = await broadcasts.read(call.params[0]);
    if (!broadcast) return await ask(call);
    const subject = await subjectOf(call);
    await prepare(faults.strikeChain(subject, ({ does }) => does === 'skew'));
    await prepare(faults.strikeChain(subject, ({ does }) => does === 'halt'));
    const fault = faults.strikeChain(subject, ({ does }) => ['swallow', 'evict', 'replace', 'cancel'].includes(does));
    if (!fault) return await ask(call);
    if (fault.does === 'swallow') return { jsonrpc: '2.0', id: call.id, result: broadcast.hash };

    const letGo = await mining.hold();
    const answer = await ask(call).catch(async (error: unknown) => {
      await letGo();
      throw error;
    });
    if (answer.error) await letGo();
    else await later(fault, { afterMs: fault.delayMs, work: () => takeBack(broadcast, fault.does), settle: letGo });
    return answer;
  }

  /** Drops a transaction from the pool and replaces it if the fault says so. */
  async function takeBack({ hash, from }: Broadcast, does: ChainFault['does']): Promise<void> {
    const waiting = await nodeRpc.call(rpcUrl, 'eth_getTransactionByHash', hash);
    // The sender may have replaced it in the meantime.
    if (waiting === null) return;
    await nodeRpc.call(rpcUrl, 'anvil_dropTransaction', hash);
    if (does === 'evict') return;
    const { to, input, value, accessList, authorizationList, nonce, gas, ...rest } = waiting as Waiting;
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

  async function lookUp(call: Call, ask: (call: Call) => Promise<Answer>): Promise<Answer> {
    const answer = await ask(call);
    const hash = hashIn(call);
    if (hash === undefined || answer.error) return answer;
    const subject = await subjectOf(call);
    if (answer.result === null) {
      if (!faults.strikeChain(subject, ({ does }) => does === 'forge')) return answer;
      const block = await nodeRpc.call(rpcUrl, 'eth_getBlockByNumber', 'latest', false);
      return { ...answer, result: ForgedReceipt.from(hash, await broadcasts.find(hash), block as ForgedReceipt.Block) };
    }
    const fault = faults.strikeChain(subject, ({ does }) => does === 'reorg');
    if (fault) await later(fault, { afterMs: fault.delayMs, work: () => undo(hash, fault) });
    return answer;
  }

  async function undo(hash: string, fault: ChainFault): Promise<void> {
    const raw = await reorganise(rpcUrl, mining, hash);
    if (raw === undefined || fault.backAfterMs === undefined) return;
    const comeBack = async (): Promise<void> => {
      // The sender may have resubmitted it in the meantime.
      await nodeRpc.call(rpcUrl, 'eth_sendRawTransaction', raw).catch(() => undefined);
    };
    await later(fault, { afterMs: fault.backAfterMs, settle: comeBack });
  }

  async function subjectOf(call: Call): Promise<Subject> {
    const hash = hashIn(call);
    const broadcast =
      call.method === 'eth_sendRawTransaction'
        ? await broadcasts.read(call.params[0])
        : hash === undefined
          ? undefined
          : await broadcasts.find(hash);
    return { method: 'POST', path: '/', rpc: call.method, user: broadcast?.from ?? accountIn(call) };
  }

  return {
    subjectOf,
    async answer(call, ask) {
      if (call.method === 'eth_sendRawTransaction') return await takeIn(call, ask);
      return call.method === 'eth_getTransactionReceipt' ? await lookUp(call, ask) : await ask(call);
    },
    async begin(fault) {
      if (fault.kind !== 'chain' || fault.after > 0 || Object.keys(fault.match).length > 0) return;
      if (fault.does !== 'halt' && fault.does !== 'skew') return;
      await prepare(faults.strikeChain({}, ({ id }) => id === fault.id));
    },
    release: () => release((fault) => !faults.isActive(fault)),
    isBusy: () => underWay.size > 0,
    async stop() {
      while (underWay.size > 0 || halts.size > 0) await release(() => true);
    },
  };
}

async function nothing(): Promise<void> {}
