import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { native as nativeAddress } from '../../../src/core/base/Address.js';
import { BaseError } from '../../../src/core/base/Errors.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { addFault, clearFaults } from '../../support/faults.js';
import { type Ended, once, temporaryFolder } from '../../support/ferry.js';
import { ask, balanceAt, miningAt, nonceAt } from '../../support/node.js';
import { usdcAt, useSandbox } from '../../support/sandbox.js';

const { sandbox, user } = useSandbox();

afterEach(() => mining(true));

const { address: dev0 } = accounts.dev0;
const held = (): Promise<bigint> => usdcAt(sandbox, dev0);
const native = (): Promise<bigint> => balanceAt(sandbox.rpcUrls.alpha, nativeAddress, dev0);
const rpc = (method: string, ...params: unknown[]): Promise<unknown> => ask(sandbox.rpcUrls.alpha, method, ...params);

const mining = (isOn: boolean): Promise<void> => miningAt(sandbox.rpcUrls.alpha, isOn);

/** A run whose last transaction waits in the pool of a chain that mines nothing. */
async function stuck(amount: string, from = 'alpha/eth', to = 'beta/eth', ...more: string[]) {
  const there = user();
  await mining(false);
  const ended = await there.late('execute', amount, from, to, ...more);
  expect(ended.json().error).toMatchObject({ code: 'track.unfinished' });
  const { run: id, txHash }: { run: string; txHash: string } = ended.json().error;
  return {
    ...{ ...there, id, txHash },
    /** Runs a command, and the chain mines once something was sent. */
    async mined(...argv: string[]) {
      const isSent = once('"type":"sent"');
      const running = there.ask([...argv, '--yes'], { heard: isSent.heard });
      await Promise.race([isSent.happened.then(() => mining(true)), running]);
      return running;
    },
  };
}

const mined = async (hash: string): Promise<boolean> => (await rpc('eth_getTransactionReceipt', hash)) !== null;

describe('runs speed-up', () => {
  test('default: the same transaction is mined once, for more, and the transfer is delivered', async () => {
    const before = await native();
    const there = await stuck('1');
    const ended = await there.mined('runs', 'speed-up', there.id);
    const { data } = ended.json();
    expect(data).toMatchObject({ status: 'success', run: there.id, funds: 'delivered' });
    const [{ txHash }] = data.transactions;
    expect(txHash).not.toBe(there.txHash);
    expect([await mined(txHash), await mined(there.txHash)]).toEqual([true, false]);
    const spent = before - (await native());
    expect([spent > 10n ** 18n, spent < 10n ** 18n + 10n ** 16n]).toEqual([true, true]);
    expect(there.types()).toContain('replacement');
  });

  test('behavior: twice in a row, each for more than the one before', async () => {
    const there = await stuck('0.5');
    const first = await there.late('runs', 'speed-up', there.id);
    expect(first.json().error).toMatchObject({ code: 'track.unfinished', next: `ferry resume ${there.id}` });
    const second = await there.mined('runs', 'speed-up', there.id);
    expect(second.json().data.status).toBe('success');
    const hashes = (await there.run('runs', 'show', there.id)).json().data.txHashes;
    expect(new Set(hashes).size).toBe(3);
    expect(await Promise.all(hashes.map(mined))).toEqual([false, false, true]);
  });

  test('behavior: killed off after it was replaced, the run is resumed by the hash that was mined', async () => {
    const there = await stuck('0.25');
    await there.late('runs', 'speed-up', there.id);
    await mining(true);
    const resumed = await there.run('resume', there.id);
    expect(resumed.json().data).toMatchObject({ status: 'success', run: there.id });
    expect(there.types().filter((type) => type === 'signed')).toHaveLength(1);
  });

  test('error: what is mined, and a run that there is not', async () => {
    const there = await stuck('0.125');
    await mining(true);
    const ended = await there.run('runs', 'speed-up', there.id);
    expect(ended.json().error).toMatchObject({ code: 'run.settled', next: `ferry resume ${there.id}` });
    expect((await there.run('runs', 'speed-up', 'ffff')).json().error.code).toBe('run.unknown');
    expect((await there.run('resume', there.id)).code).toBe(0);
  });

  test('error: nobody to ask, and nothing is signed', async () => {
    const there = await stuck('0.1');
    const unasked = await there.ask(['runs', 'speed-up', there.id]);
    expect(unasked.json().error.code).toBe('usage.confirmation');
    expect(there.types()).not.toContain('replacement');
    await there.late('runs', 'cancel', there.id);
  });
});

describe('runs cancel', () => {
  test('default: nothing but gas is spent, and the run is over', async () => {
    const before = await held();
    const there = await stuck('3', 'alpha/usdc', 'alpha/usdc', '--recipient', accounts.dev1.address);
    expect(before).toBe(await held());
    const ended = await there.mined('runs', 'cancel', there.id);
    expect(ended.json().data).toMatchObject({ status: 'cancelled', funds: 'untouched', run: there.id });
    expect(ended.lines().find(({ type }) => type === 'resuming')?.summary).toMatch(/^Canceling: 3 USDC /);
    expect(BigInt(ended.json().data.gas.amount)).toBeGreaterThan(0n);
    expect(await mined(there.txHash)).toBe(false);
    expect(await held()).toBe(before);
    const shown = (await there.run('runs', 'show', there.id)).json().data;
    expect(shown).toMatchObject({ state: 'cancelled', funds: 'untouched', next: null });
    for (const flags of [[], ['--watch']]) {
      const status = await there.run('status', there.id, ...flags);
      expect([status.code, status.json().error]).toMatchObject([6, { code: 'submit.cancelled', funds: 'untouched' }]);
    }
    expect((await there.run('resume')).json().error.code).toBe('run.unknown');
    // Somebody else may have written that it was canceled.
    writeFileSync(join(there.stateDir, 'secret'), `${'5e'.repeat(32)}\n`, { mode: 0o600 });
    expect((await there.run('status', there.id)).code).toBe(9);
  });

  test('behavior: resumed while it is being taken back, the run ends as cancelled', async () => {
    const before = await native();
    const there = await stuck('1');
    const first = await there.late('runs', 'cancel', there.id);
    expect(first.json().error).toMatchObject({
      code: 'track.unfinished',
      message: 'The empty transaction that cancels the one to deposit 1 ETH on alpha was sent and is not mined yet.',
      hint: expect.stringContaining('ferry runs cancel raises the fees of the empty one'),
      next: `ferry resume ${there.id}`,
    });
    await mining(true);
    const resumed = await there.run('resume', there.id);
    expect(resumed.json().error).toMatchObject({ code: 'submit.cancelled', funds: 'untouched' });
    const { txHash } = first.json().error;
    const out = { action: 'cancel', summary: 'Cancel: deposit 1 ETH on alpha', txHash };
    expect(resumed.lines().filter(({ type }) => type === 'resent')).toMatchObject([out]);
    expect(resumed.json().warnings ?? []).toEqual([]);
    expect(resumed.stderr).not.toContain('warning');
    expect(resumed.code).toBe(6);
    expect(before - (await native())).toBeLessThan(10n ** 16n);
    expect((await there.run('runs', 'show', there.id)).json().data.state).toBe('cancelled');
  });

  test('behavior: what stops it before it signs leads back to it, for a payment that the chain has dropped', async () => {
    const before = await native();
    const there = await stuck('2');
    await rpc('anvil_dropTransaction', there.txHash);
    await addFault(sandbox, 'alpha', { kind: 'status', status: 500, times: 0, match: { rpc: 'eth_estimateGas' } });
    const stopped = await there.run('runs', 'cancel', there.id);
    await clearFaults(sandbox);
    expect(stopped.lines()[0]).toMatchObject({ type: 'run', next: `ferry runs cancel ${there.id}` });
    const { error } = stopped.json();
    expect(there.types()).not.toContain('replacement');
    expect(error).toMatchObject({ funds: 'in-flight', next: `ferry runs cancel ${there.id}` });
    const ended = await there.mined(...error.next.split(' ').slice(1));
    expect(ended.json().data).toMatchObject({ status: 'cancelled', funds: 'untouched' });
    expect(before - (await native())).toBeLessThan(10n ** 16n);
  });

  test('behavior: where only the approval was mined, the run is given up and nothing is sent', async () => {
    const there = await stuck('9', 'alpha/usdc', 'beta/usdc', '--one-by-one');
    await mining(true);
    const before = await held();
    const ended = await there.run('runs', 'cancel', there.id);
    expect(ended.json().data).toMatchObject({ status: 'cancelled', funds: 'untouched', gas: { amount: '0' } });
    expect(ended.json().warnings).toEqual([
      expect.stringMatching(
        /^0x\w+ can still spend 9 USDC on alpha\. To revoke the allowance: ferry allowance revoke alpha\/usdc/,
      ),
    ]);
    expect(there.types()).not.toContain('replacement');
    expect(await held()).toBe(before);
    expect((await there.run('runs', 'cancel', there.id)).json().error.code).toBe('run.settled');
    const resumed = await there.run('resume', there.id);
    expect(resumed.json().error).toMatchObject({ code: 'run.settled', funds: 'untouched', txHash: there.txHash });
    expect(resumed.json().error.next).toMatch(/^ferry execute 9 alpha\/usdc beta\/usdc/);
    expect([there.types().at(-1), await held()]).toEqual(['outcome', before]);
  });

  test('behavior: a canceled line of a batch is paid only if it is retried', async () => {
    const before = await held();
    const there = user();
    const [batch, ledger] = [join(temporaryFolder(), 'batch.ndjson'), join(temporaryFolder(), 'ledger.ndjson')];
    writeFileSync(batch, '{"id":"a","amount":"11","from":"alpha/usdc","to":"beta/usdc"}\n');
    const execute = ['execute', '--batch', batch, '--out', ledger, '--one-by-one'];
    await mining(false);
    const interrupt = new AbortController();
    const running = there.ask([...execute, '--yes'], { signal: interrupt.signal });
    const pending = async () => (await there.run('runs', 'list')).json().data?.runs[0]?.txHashes?.length;
    await expect.poll(pending).toBe(1);
    interrupt.abort(new BaseError('run.stopped', 'Stopped by SIGTERM.'));
    expect((await running).json().error.code).toBe('run.stopped');
    await mining(true);
    const { run } = (await there.run('runs', 'list')).json().data.runs[0];
    expect((await there.run('runs', 'cancel', run)).json().data?.status).toBe('cancelled');
    const line = (ended: Ended) => ended.lines().find(({ type }) => type === 'result');
    expect(line(await there.run(...execute))).toMatchObject({ ok: false, error: { code: 'submit.cancelled' } });
    expect(await held()).toBe(before);
    expect(line(await there.run(...execute, '--retry-failed'))).toMatchObject({ ok: true });
    expect(before - (await held())).toBe(11_000_000n);
  });

  test('behavior: a nonce that the chain has lost is named, and the missing ones are filled to cancel the run', async () => {
    const before = await native();
    const there = user();
    const nonce = await nonceAt(sandbox.rpcUrls.alpha, dev0);
    await addFault(sandbox, 'alpha', { kind: 'chain', does: 'swallow', times: 0 });
    const isSent = once('"type":"sent"');
    const running = there.ask(['execute', '0.3', 'alpha/eth', 'beta/eth', '--yes'], { heard: isSent.heard });
    await Promise.race([isSent.happened, running]);
    await rpc('anvil_setNonce', dev0, `0x${(nonce - 2).toString(16)}`);
    await clearFaults(sandbox);
    const { error } = (await running).json();
    expect(error).toMatchObject({
      code: 'submit.nonce-gap',
      exit: 9,
      funds: 'in-flight',
      facts: { 'its nonce': String(nonce), missing: `${nonce - 2} to ${nonce - 1}` },
      next: `ferry runs cancel ${error.run}`,
    });
    const ended = await there.run('runs', 'cancel', error.run);
    expect(ended.json().data).toMatchObject({ status: 'cancelled', funds: 'untouched' });
    expect(await nonceAt(sandbox.rpcUrls.alpha, dev0)).toBe(nonce + 1);
    expect(await mined(error.txHash)).toBe(false);
    expect(before - (await native())).toBeLessThan(10n ** 16n);
  }, 30_000);
});
