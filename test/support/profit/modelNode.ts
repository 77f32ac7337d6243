/** A node of the model: it answers what an honest node would, from a ledger. */
import { type Hex, keccak256, parseTransaction } from 'viem';
import type { Address } from '../../../src/core/base/Address.js';
import { BaseError } from '../../../src/core/base/Errors.js';
import type { Call, Chain, Receipt, SentTransaction, Simulation } from '../../../src/core/ports/Ports.js';
import * as Ledger from './modelLedger.js';
import { chainId, contracts, feedAnswer } from './modelTokens.js';

/** A chain of the model with its mined transactions. */
export type ModelNode = {
  ledger: Ledger.Ledger;
  node: Chain;
  /** Mines something that is no transaction of the user's. */
  mine(from: Address, act: (ledger: Ledger.Ledger) => Sent): Hex;
  /** The nonces of authorizations that were used. */
  usedNonces: Set<string>;
};

type Sent = { to: Address; value: bigint };

/** @param nowMs the model's time, Unix milliseconds */
export function createNode(ledger: Ledger.Ledger, user: Address, nowMs: () => number): ModelNode {
  const mined = new Map<string, { receipt: Receipt; sent: SentTransaction }>();
  const known = contracts(ledger.chain);
  const usedNonces = new Set<string>();
  let [block, nonce, serial] = [1_000n, 0, 0n];
  const seconds = (): bigint => BigInt(Math.floor(nowMs() / 1000));
  const include = (hash: Hex, sent: SentTransaction, status: Receipt['status'], logs: Receipt['logs']): Hex => {
    block += 1n;
    const gas = { gasUsed: 100_000n, effectiveGasPrice: 1_500_000n, fee: 0n };
    const receipt = { hash, from: sent.from, status, blockNumber: block, ...gas, logs, witnesses: ['one', 'another'] };
    mined.set(hash, { receipt, sent });
    return hash;
  };
  const simulate = (calls: readonly Call[], { balances, allowances }: Parameters<Chain['simulate']>[1]): Simulation => {
    const trial = Ledger.copy(ledger);
    trial.isSimulated = true;
    const read = () => ({
      balances: balances.map(({ owner, token: of }) => Ledger.balance(trial, owner, of)),
      allowances: allowances.map((each) => Ledger.allowance(trial, each.token, each.owner, each.spender)),
    });
    const before = read();
    const results = calls.map((call): Simulation['calls'][number] => {
      try {
        return { status: 'success', gasUsed: 60_000n, logs: Ledger.transact(trial, call) };
      } catch (error) {
        if (!(error instanceof Ledger.Reverted)) throw error;
        return { status: 'reverted', gasUsed: 60_000n, reason: error.message };
      }
    });
    const after = read();
    return {
      calls: results,
      balances: balances.map((each, index) => ({
        ...each,
        ...{ before: before.balances[index], after: after.balances[index] },
      })),
      allowances: allowances.map((each, index) => ({
        ...each,
        ...{ before: before.allowances[index], after: after.allowances[index] },
      })),
    };
  };
  const read = ({ data }: { data: Hex }): Hex => {
    const isUsed = usedNonces.has(data.slice(-64));
    return `0x${(isUsed ? '1' : '').padStart(64, '0')}`;
  };
  const node: Chain = {
    isOwn: async () => true,
    chainId: async () => chainId(ledger.chain),
    tip: async () => ({ number: block, timestamp: seconds() }),
    blockTime: async () => seconds(),
    balance: async (owner, of) => Ledger.balance(ledger, owner, of),
    allowance: async (of, owner, spender) => Ledger.allowance(ledger, of, owner, spender),
    token: () => unasked('token'),
    round: async (feed) => ({ answer: feedAnswer(feed), startedAt: seconds(), updatedAt: seconds() }),
    code: async (address) =>
      Object.values(known).some((each) => each?.toLowerCase() === address.toLowerCase()) ? '0x60' : '0x',
    batchSequence: () => unasked('batchSequence'),
    finalizedSequence: () => unasked('finalizedSequence'),
    read: async (call) => read(call),
    finalizedRead: async (call) => ({ result: read(call), timestamp: seconds(), witnesses: ['one', 'another'] }),
    nonce: async () => nonce,
    minedNonce: async () => nonce,
    knows: async (hash) => mined.has(hash),
    transaction: async (hash) => mined.get(hash)?.sent,
    usedNonce: async (_, of) => ({ state: of < nonce ? 'used' : 'free' }),
    gasPrice: async () => ({ maxFeePerGas: 3_000_000n, maxPriorityFeePerGas: 1_000_000n, baseFeePerGas: 1_000_000n }),
    estimateGas: async (call) => {
      const [found] = simulate([call], { balances: [], allowances: [] }).calls;
      if (found?.status === 'reverted') throw new BaseError('submit.simulation', found.reason);
      return 60_000n;
    },
    broadcast: async (bytes) => {
      const { to, data = '0x', value = 0n } = parseTransaction(bytes);
      const sent = { from: user, to: to ?? undefined, data, value };
      nonce += 1;
      try {
        const logs = Ledger.transact(ledger, { from: user, to: to as Address, data, value });
        return include(keccak256(bytes), sent, 'success', logs);
      } catch (error) {
        if (!(error instanceof Ledger.Reverted)) throw error;
        return include(keccak256(bytes), sent, 'reverted', []);
      }
    },
    receipt: async (hash) => mined.get(hash)?.receipt,
    simulate: async (calls, reads) => simulate(calls, reads),
    trace: async () => undefined,
    traceCall: async () => undefined,
  };
  return {
    ledger,
    node,
    usedNonces,
    mine(from, act) {
      const noted = Ledger.copy(ledger);
      const { to, value } = act(noted);
      Object.assign(ledger, { balances: noted.balances, allowances: noted.allowances, deposits: noted.deposits });
      serial += 1n;
      const hash = keccak256(`0x${ledger.chain === 'alpha' ? 'a' : 'b'}${serial.toString(16).padStart(63, '0')}`);
      return include(hash, { from, to, data: '0x', value }, 'success', noted.logs);
    },
  };
}

/** What the transfers of the grammar never ask. */
function unasked(what: string): never {
  throw new Error(`the model has no ${what}`);
}
