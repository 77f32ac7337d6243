/** A node of the model: it answers what an honest node would before anything is signed, from a ledger. */

import { BaseError } from '../../../src/core/base/Errors.js';
import type { Chain, Simulation } from '../../../src/core/ports/Ports.js';
import * as Ledger from './modelLedger.js';
import { chainId, contracts, feedAnswer } from './modelTokens.js';

/** @param seconds the model's time, Unix seconds */
export function createNode(ledger: Ledger.Ledger, seconds: bigint): Chain {
  const known = contracts(ledger.chain);
  const simulate = (...[calls, { balances, allowances }]: Parameters<Chain['simulate']>): Simulation => {
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
  const node: Partial<Chain> = {
    isOwn: async () => true,
    chainId: async () => chainId(ledger.chain),
    tip: async () => ({ number: 1_000n, timestamp: seconds }),
    blockTime: async () => seconds,
    balance: async (owner, of) => Ledger.balance(ledger, owner, of),
    allowance: async (of, owner, spender) => Ledger.allowance(ledger, of, owner, spender),
    round: async (feed) => ({ answer: feedAnswer(feed), startedAt: seconds, updatedAt: seconds }),
    code: async (address) =>
      Object.values(known).some((each) => each?.toLowerCase() === address.toLowerCase()) ? '0x60' : '0x',
    read: async () => `0x${'0'.repeat(64)}`,
    nonce: async () => 0,
    gasPrice: async () => ({
      ...{ maxFeePerGas: 3_000_000n, maxPriorityFeePerGas: 1_000_000n, baseFeePerGas: 1_000_000n },
      timestamp: 0n,
    }),
    estimateGas: async (call) => {
      const [found] = simulate([call], { balances: [], allowances: [] }).calls;
      if (found?.status === 'reverted') throw new BaseError('submit.simulation', found.reason);
      return 60_000n;
    },
    simulate: async (...asked) => simulate(...asked),
  };
  return node as Chain;
}
