/** A chain: transactions that wait, blocks that hold them, and the state that they lead to. Blocks can be taken back. */

import type { Hex } from '../../src/core/base/Hex.js';
import type { Log } from '../../src/core/ports/Ports.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import * as contracts from './contracts.js';
import type { Kernel } from './kernel.js';
import { create as createLedger, keys, type Ledger } from './ledger.js';
import type { Random } from './random.js';
import type { Trouble } from './trouble.js';

/** A transaction as it was signed. Addresses in lower case. */
export type Transaction = contracts.Call & {
  hash: Hex;
  nonce: number;
  gas: bigint;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
  /** What is delegated by it (EIP-7702), signed by the account. */
  delegation?: { account: string; delegate: string; nonce: number } | undefined;
};

export type Mined = {
  transaction: Transaction;
  status: 'success' | 'reverted';
  blockNumber: bigint;
  gasUsed: bigint;
  effectiveGasPrice: bigint;
  logs: readonly Log[];
};

export type Block = {
  number: bigint;
  timestamp: bigint;
  baseFee: bigint;
  mined: readonly Mined[];
  /** The ledger after it. */
  after: number;
};

export type Blockchain = {
  name: string;
  contracts: contracts.Contracts;
  ledger: Ledger;
  blocks: readonly Block[];
  tip(): Block;
  /** The last block that is never taken back. */
  finalized(): Block;
  /** Adds a transaction to those that wait, unless it can never be mined. */
  submit(transaction: Transaction): boolean;
  /** Gives a transaction to those alone who make another branch, on which it is mined if blocks are taken back. */
  submitElsewhere(transaction: Transaction): void;
  pending(): readonly Transaction[];
  mined(hash: Hex): Mined | undefined;
  /** When a transaction was in a block for the first time, in Unix milliseconds. */
  firstMinedMs(hash: Hex): number | undefined;
  /** Whether a transaction stood in a block between two times and had not reverted, whatever was taken back since. */
  hadWorked(hash: Hex, fromMs: number, untilMs: number): boolean;
  /** The highest base fee of any block so far, those that were taken back among them, in wei. */
  greatestBaseFee(): bigint;
  /** Forgets a transaction that waits. */
  drop(hash: Hex): void;
  /** Takes the last blocks back. What they held waits again. */
  reorganize(depth: number): void;
  /** Runs calls on the latest state and undoes them. */
  rehearse<T>(run: (place: contracts.Place) => T): T;
  /** Calls this after every change of the chain. */
  watch(look: () => void): void;
};

type Surroundings = {
  kernel: Kernel;
  random: Random;
  blockMs: number;
  trouble: Trouble;
  /** Gives accounts what they have in the first block. */
  fund(ledger: Ledger): void;
};

/** Blocks above one that is final. */
const finalDepth = 6;

/** Of a branch that is longer than this nobody has kept anything: what has two blocks above it comes again with its block. */
const contestedDepth = 2;

/** The tip that nodes ask for, in wei. */
export const lowTip = 100_000_000n;

const payer = accounts.dev0.address.toLowerCase();

/** Base fees in wei, the first of them at first. */
const baseFees: readonly bigint[] = [100_000_000n, 90_000_000n, 110_000_000n, 150_000_000n];

export function create(
  name: string,
  of: contracts.Contracts,
  { kernel, random, blockMs, trouble, fund }: Surroundings,
): Blockchain {
  const ledger = createLedger();
  fund(ledger);
  const waiting: Transaction[] = [];
  /** What those have who make another branch: what was replaced here, or never came here. */
  const elsewhere: Transaction[] = [];
  const found = new Map<Hex, Mined>();
  /** When each stood in a block: more than once if it was taken back. */
  const stood = new Map<Hex, { fromMs: number; untilMs: number; status: Mined['status'] }[]>();
  const watchers: (() => void)[] = [];
  const seconds = (): bigint => BigInt(Math.floor(kernel.now() / 1000));
  let level = baseFees[0] ?? 0n;
  const baseFeeNow = (): bigint => level * BigInt(trouble.during(name, 'has dear gas')?.size ?? 1);
  const genesis: Block = {
    number: 100n,
    timestamp: seconds(),
    baseFee: baseFeeNow(),
    mined: [],
    after: ledger.mark(),
  };
  const blocks: Block[] = [genesis];
  let greatestBaseFee = genesis.baseFee;
  const placeAt = (timestamp: bigint): contracts.Place => {
    const isPaused = trouble.during(name, 'lets no deposit pass') !== undefined;
    return { ledger, contracts: of, timestamp, isPaused };
  };
  const tip = (): Block => blocks.at(-1) ?? genesis;

  const mine = (isFull: boolean): void => {
    const before = tip();
    const now = seconds();
    const timestamp = now > before.timestamp ? now : before.timestamp + 1n;
    // Few levels, so that the same bytes are signed in many runs.
    if (!random.chance(0.97)) level = random.pick(baseFees);
    const baseFee = baseFeeNow();
    if (baseFee > greatestBaseFee) greatestBaseFee = baseFee;
    const number = before.number + 1n;
    const mined: Mined[] = [];
    const offered = isFull ? waiting.filter(({ maxPriorityFeePerGas }) => maxPriorityFeePerGas > lowTip) : waiting;
    for (const transaction of offered.length === 0 ? [] : ready(offered, baseFee, ledger)) {
      // What was delegated before it in the block may have used its nonce.
      if (isPast(transaction, ledger)) continue;
      const done = execute(transaction, { number, timestamp, baseFee });
      waiting.splice(waiting.indexOf(transaction), 1);
      mined.push(done);
      found.set(transaction.hash, done);
      const earlier = stood.get(transaction.hash) ?? [];
      const now = { fromMs: kernel.now(), untilMs: Number.POSITIVE_INFINITY, status: done.status };
      stood.set(transaction.hash, [...earlier, now]);
      kernel.note(name, () => `block ${number}: ${transaction.hash.slice(0, 10)} ${done.status}`);
    }
    // Whatever has a nonce that is used now can never be mined.
    for (const transaction of [...waiting])
      if (isPast(transaction, ledger)) waiting.splice(waiting.indexOf(transaction), 1);
    blocks.push({ number, timestamp, baseFee, mined, after: ledger.mark() });
    for (const look of watchers) look();
  };

  const execute = (transaction: Transaction, { number, timestamp, baseFee }: Omit<Block, 'mined' | 'after'>): Mined => {
    const tipOf = least(transaction.maxPriorityFeePerGas, transaction.maxFeePerGas - baseFee);
    const effectiveGasPrice = baseFee + tipOf;
    const { from, delegation } = transaction;
    ledger.add(keys.nonce(from), 1n);
    delegate(delegation, ledger);
    const start = ledger.mark();
    const { gas, logs } = outcome(transaction, placeAt(timestamp));
    if (!logs) ledger.undo(start);
    ledger.add(keys.native(from), -gas * effectiveGasPrice);
    const status = logs ? 'success' : 'reverted';
    return { transaction, status, blockNumber: number, gasUsed: gas, effectiveGasPrice, logs: logs ?? [] };
  };

  const beat = (): void => {
    mine(trouble.during(name, 'has no room for low tips') !== undefined);
    kernel.beat(blockMs, beat);
  };
  kernel.beat(random.between(1, blockMs), beat);

  return {
    name,
    contracts: of,
    ledger,
    blocks,
    tip,
    finalized: () => blocks.at(Math.max(0, blocks.length - 1 - finalDepth)) ?? genesis,
    submit(transaction) {
      if (found.has(transaction.hash) || isPast(transaction, ledger)) return found.has(transaction.hash);
      if (waiting.some(({ hash }) => hash === transaction.hash)) return true;
      const rival = waiting.find(({ from, nonce }) => from === transaction.from && nonce === transaction.nonce);
      if (rival && rival.maxFeePerGas >= transaction.maxFeePerGas) return false;
      if (rival) elsewhere.push(...waiting.splice(waiting.indexOf(rival), 1));
      waiting.push(transaction);
      return true;
    },
    submitElsewhere: (transaction) => void elsewhere.push(transaction),
    pending: () => waiting,
    mined: (hash) => found.get(hash),
    firstMinedMs: (hash) => stood.get(hash)?.[0]?.fromMs,
    hadWorked: (hash, fromMs, untilMs) =>
      (stood.get(hash) ?? []).some(
        (each) => each.status === 'success' && each.fromMs <= untilMs && fromMs < each.untilMs,
      ),
    greatestBaseFee: () => greatestBaseFee,
    drop(hash) {
      const index = waiting.findIndex((each) => each.hash === hash);
      if (index >= 0) waiting.splice(index, 1);
    },
    reorganize(depth) {
      const deepest = Math.min(depth, finalDepth - 1, blocks.length - 1);
      const gone = blocks.splice(blocks.length - deepest, deepest);
      ledger.undo(tip().after);
      const taken = gone.flatMap(({ mined }) => mined.map(({ transaction }) => transaction));
      for (const { hash } of taken) {
        found.delete(hash);
        const last = stood.get(hash)?.at(-1);
        if (last) last.untilMs = kernel.now();
      }
      const contestable = gone
        .slice(-contestedDepth)
        .flatMap(({ mined }) => mined.map(({ transaction }) => transaction.hash));
      // The service has its own transactions still.
      const isLost = ({ from, hash }: Transaction): boolean =>
        from === payer &&
        contestable.includes(hash) &&
        trouble.during(name, 'forgets what it takes back') !== undefined;
      waiting.unshift(...taken.filter((each) => !isLost(each)));
      // The other branch is the longer one, and has none of the transactions yet.
      const held = waiting.splice(0, waiting.length);
      const contested = elsewhere.splice(0, elsewhere.length);
      if (deepest <= contestedDepth) waiting.push(...contested);
      for (let made = 0; made <= deepest; made++) mine(false);
      elsewhere.push(...waiting.splice(0, waiting.length));
      waiting.push(...held.filter((transaction) => !isPast(transaction, ledger)));
    },
    rehearse(run) {
      const start = ledger.mark();
      try {
        return run(placeAt(tip().timestamp + 1n));
      } finally {
        ledger.undo(start);
      }
    },
    watch: (look) => void watchers.push(look),
  };
}

/** What a transaction does; without events if it fails. */
export function outcome(
  call: contracts.Call & { gas?: bigint | undefined },
  place: contracts.Place,
): { gas: bigint; logs: Log[] | undefined; why?: string } {
  try {
    const { gas, logs } = contracts.run(call, place);
    if (call.gas !== undefined && gas > call.gas) return { gas: call.gas, logs: undefined, why: 'out of gas' };
    return { gas, logs };
  } catch (error) {
    if (!(error instanceof contracts.RevertedError)) throw error;
    return { gas: 30_000n, logs: undefined, why: error.message };
  }
}

/** Whether a transaction deposits: it may have done so in a block that was taken back, and no longer do so. */
export function isDeposit(mined: Mined | undefined): boolean {
  return mined !== undefined && contracts.depositIn(mined.logs) !== undefined;
}

/** Delegates an account, if it has signed that with its next nonce. */
function delegate(delegation: Transaction['delegation'], ledger: Ledger): void {
  if (!delegation || ledger.get(keys.nonce(delegation.account)) !== BigInt(delegation.nonce)) return;
  ledger.add(keys.nonce(delegation.account), 1n);
  ledger.set(keys.delegate(delegation.account), BigInt(delegation.delegate));
}

/** The transactions that the next block can have: each account's in the order of their nonces. */
function ready(waiting: readonly Transaction[], baseFee: bigint, ledger: Ledger): Transaction[] {
  const next = new Map<string, bigint>();
  const chosen: Transaction[] = [];
  for (const transaction of waiting.toSorted((a, b) => a.nonce - b.nonce)) {
    const { from, nonce, maxFeePerGas, gas, value } = transaction;
    const expected = next.get(from) ?? ledger.get(keys.nonce(from));
    const canPay = ledger.get(keys.native(from)) >= gas * maxFeePerGas + value;
    if (BigInt(nonce) !== expected || maxFeePerGas < baseFee || !canPay) continue;
    next.set(from, expected + 1n);
    chosen.push(transaction);
  }
  return chosen;
}

function isPast({ from, nonce }: Transaction, ledger: Ledger): boolean {
  return ledger.get(keys.nonce(from)) > BigInt(nonce);
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
