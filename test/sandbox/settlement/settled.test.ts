import { encodeFunctionData, parseEther } from 'viem';
import { describe, expect, test } from 'vitest';
import { native } from '../../../src/core/base/Address.js';
import type { Instance } from '../../../src/sandbox/settlement/instance.js';
import * as sendFill from '../../../src/sandbox/settlement/sendFill.js';
import * as settled from '../../../src/sandbox/settlement/settled.js';
import { type Submission, sendAndWait } from '../../../src/sandbox/settlement/settled.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { useChains } from '../../support/chains.js';
import { bridgeOn, instanceOn, ordered } from '../../support/instances.js';

const chains = useChains();
const never = new AbortController().signal;
const receiver = `0x${'c'.repeat(40)}` as const;
const venueId = 3586256;
const memo = `0x${'5f'.repeat(32)}` as const;

const instance = (): Instance => instanceOn(chains.current);

describe('waitFor', () => {
  test("default: a venue transfer in the ledger's format", async () => {
    const one = instance();
    const hash = await one.venue.pay({ to: 106, amount: 5_000_000n, memo }, () => {});
    expect(await settled.read(one, { chainId: venueId, hash })).toBe('pending');
    const done = await settled.waitFor(one, { chainId: venueId, hash }, never);
    expect(settled.isSuccess(done)).toBe(true);
    expect(settled.toTransaction(done)).toMatchObject({
      hash,
      chainId: venueId,
      block: 1,
      // The activation fee counts toward the swap.
      fee: 0n,
      feeUsd: 0n,
      status: 'success',
    });
  });

  test('behavior: a failed venue transfer with its intended effect', async () => {
    const one = instance();
    const hash = await one.venue.pay({ to: 100, amount: 5_000_000n, memo, shouldFail: true }, () => {});
    const done = await settled.waitFor(one, { chainId: venueId, hash }, never);
    expect(settled.isSuccess(done)).toBe(false);
    expect(settled.toFailedTx(done)).toEqual({
      hash,
      block: 1,
      call: { from: '7', to: '100', data: memo, value: 5_000_000n },
    });
    expect(one.venue.account(100)?.usdc).toBe(10_000_000_000n);
  });

  test('error: aborted', async () => {
    const one = instance();
    const asked = settled.waitFor(one, { chainId: venueId, hash: '00'.repeat(40) }, AbortSignal.timeout(20));
    await expect(asked).rejects.toThrow('timeout');
  });
});

describe('read', () => {
  test('behavior: unknown', async () => {
    const one = instance();
    const { alpha } = chains.current;
    expect(await settled.read(one, { chainId: venueId, hash: '00'.repeat(40) })).toBeUndefined();
    expect(await settled.read(one, { chainId: alpha.id, hash: `0x${'12'.repeat(32)}` })).toBeUndefined();
  });
});

describe('delivered', () => {
  test('behavior: native currency: the estimate if there is no trace', async () => {
    const one = instance();
    const { beta } = chains.current;
    const change = { recipient: receiver, originCurrency: native, destinationCurrency: native } as const;
    const amount = parseEther('0.5').toString();
    const entry = await ordered(one, bridgeOn(chains.current, { ...change, tradeType: 'EXACT_OUTPUT', amount }));
    const sent = await sendFill.send(one, entry, { onSent: () => undefined, signal: never });
    if ('failReason' in sent) throw new Error(sent.failReason);
    const done = await settled.waitFor(one, { chainId: beta.id, hash: sent.hash }, never);
    expect(await settled.delivered(done, entry.order, 0n)).toBe(parseEther('0.5'));
    if (done.on !== 'chain') throw new Error('not on a chain');
    const forgotten = { ...done, mined: { ...done.mined, hash: `0x${'12'.repeat(32)}` as const } };
    expect(await settled.delivered(forgotten, entry.order, 7n)).toBe(7n);
  });
});

const { address } = accounts.relayer;

function submission(change: Partial<Submission['transaction']> = {}): Submission {
  const { alpha } = chains.current;
  const data = encodeFunctionData({ abi: abi.reverter, functionName: 'succeed', args: [1n] });
  const transaction = { to: alpha.reverter, data, value: 0n, gas: 200_000n, authorizations: [], ...change };
  return { chainId: alpha.id, transaction, sent: undefined };
}

describe('sendAndWait', () => {
  test('default: reports the hash before broadcasting', async () => {
    const seen: string[] = [];
    const mined = await sendAndWait(instance(), submission(), never, (hash) => seen.push(hash));
    expect(mined).toMatchObject({ hash: seen[0], from: address.toLowerCase(), isSuccess: true });
    expect(seen).toHaveLength(1);
  });

  test('behavior: does not resend a transaction that the chain knows', async () => {
    const at = instance();
    const { hash: sent } = await sendAndWait(at, submission(), never, () => {});
    const again = await sendAndWait(at, { ...submission(), sent }, never, () => {
      throw new Error('it was sent again');
    });
    expect(again.hash).toBe(sent);
  });

  test('behavior: resends a transaction that never reached the chain', async () => {
    const sent = `0x${'17'.repeat(32)}` as const;
    const mined = await sendAndWait(instance(), { ...submission(), sent }, never, () => {});
    expect(mined.hash).not.toBe(sent);
    expect(mined.isSuccess).toBe(true);
  });

  test('behavior: returns a reverted transaction as such', async () => {
    const data = encodeFunctionData({ abi: abi.reverter, functionName: 'empty' });
    expect(await sendAndWait(instance(), submission({ data }), never, () => {})).toMatchObject({ isSuccess: false });
  });
});
