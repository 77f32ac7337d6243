/** What becomes of a request, and what is tried again, without a chain to ask. */
import { encodeAbiParameters, toEventSelector } from 'viem';
import { describe, expect, test } from 'vitest';
import type { Deposit } from '../../../src/sandbox/ledger/Deposit.js';
import type { Entry } from '../../../src/sandbox/ledger/ledger.js';
import type { Mined } from '../../../src/sandbox/ledger/minedTransactions.js';
import { createInstance, type Instance } from '../../../src/sandbox/settlement/instance.js';
import { ofMined, type Settled } from '../../../src/sandbox/settlement/settled.js';
import { recordAfterFill, recordFill, recordRefund } from '../../../src/sandbox/settlement/solver.js';
import { createTasks } from '../../../src/sandbox/settlement/tasks.js';
import { deployments } from '../../../src/sandbox/values/deployment.js';
import { add, deposited, ledgerAt, type Told } from '../../support/entries.js';
import * as market from '../../support/market.js';

const usdc = market.token(market.beta, 'USDC').address;

/** An instance whose chains are not queried. */
function unreachable(nowMs: number): Instance {
  const chains = [deployments.alpha, deployments.beta].map((chain) => ({ ...chain, rpcUrl: 'http://127.0.0.1:1' }));
  return createInstance({ chains, seed: 's', instance: 'i', clock: () => nowMs });
}

/** An order with a deposit. */
async function ordered(told: Told = {}): Promise<{ instance: Instance; entry: Entry; deposit: Deposit }> {
  const instance = unreachable(5_000);
  const entry = await add(instance.ledger, told);
  const paid = instance.ledger.update(entry.order.requestId, deposited(entry));
  const [deposit] = paid.deposits;
  if (!deposit) throw new Error('no deposit');
  return { instance, entry: paid, deposit };
}

/** A transaction that transferred an amount of USDC to the user. */
function mined(amount: bigint, change: Partial<Mined> = {}): Settled {
  const topic = (address: string) => encodeAbiParameters([{ type: 'address' }], [address as `0x${string}`]);
  const hash = `0x${'f'.repeat(64)}` as const;
  const transfer = {
    address: usdc,
    topics: [toEventSelector('Transfer(address,address,uint256)'), topic(market.solver), topic(market.user)],
    data: encodeAbiParameters([{ type: 'uint256' }], [amount]),
    logIndex: 0,
    hash,
  };
  const one: Mined = {
    hash,
    from: market.solver,
    to: usdc,
    data: '0x12',
    value: 0n,
    isSuccess: true,
    block: 9,
    timestamp: 1_790_000_002,
    fee: 4n * 10n ** 11n,
    logs: [transfer],
    ...change,
  };
  return ofMined({ ...deployments.beta, rpcUrl: 'http://127.0.0.1:1' }, one);
}

function now({ instance, entry }: { instance: Instance; entry: Entry }): Entry {
  return instance.ledger.byRequestId(entry.order.requestId) as Entry;
}

describe("recordFill, of the relayer's transaction", () => {
  const transaction = { to: market.other, data: '0x', value: 0n, gas: 1n, authorizations: [] } as const;
  const afterFill = { chainId: 313372, transaction, state: 'waiting' } as const;
  const relay = { by: 'call', digest: '0x', chainId: 313371, transaction, state: 'mined' } as const;

  test.each([
    [true, 'mined', undefined],
    [false, 'reverted', 'The calls on the destination chain reverted'],
  ] as const)('behavior: calls after the fill complete the request, success: %s', async (isSuccess, state, details) => {
    const { instance, entry: asked } = await ordered({ request: { originGasOverhead: 80_000 } });
    const at = { instance, entry: instance.ledger.update(asked.order.requestId, { relay: { ...relay, afterFill } }) };
    await recordFill(at.instance.ledger, at.entry.order.requestId, mined(99_000_000n), 1n);
    expect(now(at)).toMatchObject({ status: 'submitted', delivered: 99_000_000n });
    recordAfterFill(
      at.instance.ledger,
      at.entry.order.requestId,
      mined(0n, { isSuccess, hash: `0x${'d'.repeat(64)}` }),
    );
    expect(now(at)).toMatchObject({
      status: 'success',
      relay: { afterFill: { state } },
      outTxs: [{ status: 'success' }, { status: isSuccess ? 'success' : 'failure' }],
      actualFees: { execution: { usd: -24_500n } },
    });
    expect(now(at).details).toBe(details);
    expect(now(at).failedTx?.hash).toBe(isSuccess ? undefined : `0x${'d'.repeat(64)}`);
  });
});

describe('recordRefund', () => {
  test('behavior: reverted', async () => {
    const { deposit, ...at } = await ordered();
    const refund = { deposit, amount: 1n, failReason: 'SLIPPAGE' };
    recordRefund(at.instance.ledger, at.entry.order.requestId, mined(1n, { isSuccess: false }), refund);
    expect(now(at)).toMatchObject({
      status: 'failure',
      failReason: 'SLIPPAGE',
      refundFailReason: 'MANUAL_REFUND_REQUIRED',
      refundTxs: [],
    });
  });
});

describe('createTasks', () => {
  test('default: work that fails is tried again, and says why', async () => {
    const ledger = ledgerAt(0);
    const { requestId } = (await add(ledger)).order;
    const tasks = createTasks(ledger, 'Could not pay');
    const told: (string | undefined)[] = [];
    tasks.run(requestId, async () => {
      told.push(ledger.byRequestId(requestId)?.details);
      if (told.length === 1) throw new Error('no node');
    });
    expect(tasks.isBusy()).toBe(true);
    await expect.poll(() => tasks.isBusy()).toBe(false);
    expect(told).toEqual([undefined, 'Could not pay (will retry): no node']);
  });
});

describe('createInstance: faults', () => {
  test("behavior: skew shifts the service's clock, not the venue's", () => {
    const skewed = unreachable(7);
    const { id } = skewed.faults.add({ kind: 'skew', skewMs: 1_000 });
    expect(skewed.clock()).toBe(1_007);
    skewed.faults.clear(id);
    expect(skewed.clock()).toBe(7);
  });
});
