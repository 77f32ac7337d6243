import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { native as nativeAddress } from '../../../src/core/base/Address.js';
import { BaseError } from '../../../src/core/base/Errors.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { addFault, clearFaults } from '../../support/faults.js';
import { at, type Ended, ferry, once, type Surroundings, soon, temporaryFolder } from '../../support/ferry.js';
import { journalIn } from '../../support/journals.js';
import { ask, balanceAt, nonceAt } from '../../support/node.js';
import { usdcAt, useSandbox } from '../../support/sandbox.js';

const { sandbox } = useSandbox();

afterEach(() => mining(true));

const { address: dev0 } = accounts.dev0;
const held = (): Promise<bigint> => usdcAt(sandbox, dev0);
const native = (): Promise<bigint> => balanceAt(sandbox.rpcUrls.alpha, nativeAddress, dev0);
const rpc = (method: string, ...params: unknown[]): Promise<unknown> => ask(sandbox.rpcUrls.alpha, method, ...params);

async function mining(on: boolean): Promise<void> {
  await rpc('evm_setAutomine', on);
  if (on) await rpc('evm_mine');
}

/** A run whose last transaction waits in the pool of a chain that mines nothing. */
async function stuck(amount: string, from = 'alpha/eth', to = 'beta/eth', ...more: string[]) {
  const stateDir = temporaryFolder();
  const env = { ...at(sandbox), FERRY_STATE_DIR: stateDir };
  await mining(false);
  const run = (argv: readonly string[], how: Surroundings = {}) => ferry([...argv, '--yes', '--json'], { ...how, env });
  const late = (...argv: string[]) => run([...argv, ...soon.args], { pace: soon.pace });
  const ended = await late('execute', amount, from, to, ...more);
  expect(ended.json().error).toMatchObject({ code: 'track.unfinished' });
  const { run: id, txHash }: { run: string; txHash: string } = ended.json().error;
  return {
    ...{ run: id, env, txHash },
    ferry: (...argv: string[]) => run(argv),
    /** The same until a deadline ends it. */
    late,
    /** The same, and the chain mines once something was sent. */
    async mined(...argv: string[]) {
      const isSent = once('"type":"sent"');
      const running = run(argv, { heard: isSent.heard });
      await Promise.race([isSent.happened.then(() => mining(true)), running]);
      return running;
    },
    types: journalIn(stateDir).types,
  };
}

const mined = async (hash: string): Promise<boolean> => (await rpc('eth_getTransactionReceipt', hash)) !== null;

describe('runs speed-up', () => {
  test('default: the same transaction is mined once, for more, and the transfer is delivered', async () => {
    const before = await native();
    const there = await stuck('1');
    const ended = await there.mined('runs', 'speed-up', there.run);
    expect(ended.json().error).toBeUndefined();
    const { data } = ended.json();
    expect(data).toMatchObject({ status: 'success', run: there.run, funds: 'delivered' });
    const [{ txHash }] = data.transactions;
    expect(txHash).not.toBe(there.txHash);
    expect([await mined(txHash), await mined(there.txHash)]).toEqual([true, false]);
    const spent = before - (await native());
    expect([spent > 10n ** 18n, spent < 10n ** 18n + 10n ** 16n]).toEqual([true, true]);
    expect(there.types()).toContain('replacement');
  });

  test('behavior: twice in a row, each for more than the one before', async () => {
    const there = await stuck('0.5');
    const first = await there.late('runs', 'speed-up', there.run);
    expect(first.json().error).toMatchObject({ code: 'track.unfinished', next: `ferry resume ${there.run}` });
    const second = await there.mined('runs', 'speed-up', there.run);
    expect(second.json().data.status).toBe('success');
    const hashes = (await there.ferry('runs', 'show', there.run)).json().data.txHashes;
    expect(new Set(hashes).size).toBe(3);
    expect(await Promise.all(hashes.map(mined))).toEqual([false, false, true]);
  });

  test('behavior: killed off after it was replaced, the run is resumed by the hash that was mined', async () => {
    const there = await stuck('0.25');
    await there.late('runs', 'speed-up', there.run);
    await mining(true);
    const resumed = await there.ferry('resume', there.run);
    expect(resumed.json().data).toMatchObject({ status: 'success', run: there.run });
    expect(there.types().filter((type) => type === 'signed')).toHaveLength(1);
  });

  test('error: what is mined, and a run that there is not', async () => {
    const there = await stuck('0.125');
    await mining(true);
    const ended = await there.ferry('runs', 'speed-up', there.run);
    expect(ended.json().error).toMatchObject({ code: 'run.settled', next: `ferry resume ${there.run}` });
    expect(ended.code).toBe(2);
    expect((await there.ferry('runs', 'speed-up', 'ffff')).json().error.code).toBe('run.unknown');
    expect((await there.ferry('resume', there.run)).code).toBe(0);
  });

  test('error: nobody to ask, and nothing is signed', async () => {
    const there = await stuck('0.1');
    const unasked = await ferry(['runs', 'speed-up', there.run, '--json'], { env: there.env });
    expect(unasked.json().error.code).toBe('usage.confirmation');
    expect(there.types()).not.toContain('replacement');
    await there.late('runs', 'cancel', there.run);
  });
});

describe('runs cancel', () => {
  test('default: nothing but gas is spent, and the run is over', async () => {
    const before = await held();
    const there = await stuck('3', 'alpha/usdc', 'alpha/usdc', '--recipient', accounts.dev1.address);
    expect(before).toBe(await held());
    const ended = await there.mined('runs', 'cancel', there.run);
    expect(ended.json().error).toBeUndefined();
    expect(ended.json().data).toMatchObject({ status: 'cancelled', funds: 'untouched', run: there.run });
    expect(ended.lines().find(({ type }) => type === 'resuming')?.summary).toMatch(/^Canceling: 3 USDC /);
    expect(BigInt(ended.json().data.gas.amount)).toBeGreaterThan(0n);
    expect(await mined(there.txHash)).toBe(false);
    expect(await held()).toBe(before);
    const shown = (await there.ferry('runs', 'show', there.run)).json().data;
    expect(shown).toMatchObject({ state: 'cancelled', funds: 'untouched', next: null });
    for (const flags of [[], ['--watch']]) {
      const status = await there.ferry('status', there.run, ...flags);
      expect([status.code, status.json().error]).toMatchObject([6, { code: 'submit.cancelled', funds: 'untouched' }]);
    }
    expect((await there.ferry('resume')).json().error.code).toBe('run.unknown');
    // Somebody else may have written that it was canceled.
    writeFileSync(join(there.env.FERRY_STATE_DIR ?? '', 'secret'), `${'5e'.repeat(32)}\n`, { mode: 0o600 });
    expect((await there.ferry('status', there.run)).code).toBe(9);
  });

  test('behavior: resumed while it is being taken back, the run ends as cancelled', async () => {
    const before = await native();
    const there = await stuck('1');
    const first = await there.late('runs', 'cancel', there.run);
    expect(first.json().error).toMatchObject({
      code: 'track.unfinished',
      message: 'The empty transaction that cancels the one to deposit 1 ETH on alpha was sent and is not mined yet.',
      hint: expect.stringContaining('ferry runs cancel raises the fees of the empty one'),
      next: `ferry resume ${there.run}`,
    });
    await mining(true);
    const resumed = await there.ferry('resume', there.run);
    expect(resumed.json().error).toMatchObject({ code: 'submit.cancelled', funds: 'untouched' });
    const { txHash } = first.json().error;
    const out = { action: 'cancel', summary: 'Cancel: deposit 1 ETH on alpha', txHash };
    expect(resumed.lines().filter(({ type }) => type === 'resent')).toMatchObject([out]);
    expect(resumed.json().warnings ?? []).toEqual([]);
    expect(resumed.stderr).not.toContain('warning');
    expect(resumed.code).toBe(6);
    expect(before - (await native())).toBeLessThan(10n ** 16n);
    expect((await there.ferry('runs', 'show', there.run)).json().data.state).toBe('cancelled');
  });

  test('behavior: where only the approval was mined, the run is given up and nothing is sent', async () => {
    const there = await stuck('9', 'alpha/usdc', 'beta/usdc', '--one-by-one');
    await mining(true);
    const before = await held();
    const ended = await there.ferry('runs', 'cancel', there.run);
    expect(ended.json().data).toMatchObject({ status: 'cancelled', funds: 'untouched', gas: { amount: '0' } });
    expect(ended.json().warnings).toEqual([
      expect.stringMatching(
        /^0x\w+ can still spend 9 USDC on alpha\. To revoke the allowance: ferry allowance revoke alpha\/usdc/,
      ),
    ]);
    expect(there.types()).not.toContain('replacement');
    expect(await held()).toBe(before);
    expect((await there.ferry('runs', 'cancel', there.run)).json().error.code).toBe('run.settled');
    const resumed = await there.ferry('resume', there.run);
    expect(resumed.json().error).toMatchObject({ code: 'run.settled', funds: 'untouched', txHash: there.txHash });
    expect(resumed.json().error.next).toMatch(/^ferry execute 9 alpha\/usdc beta\/usdc/);
    expect([there.types().at(-1), await held()]).toEqual(['outcome', before]);
  });

  test('behavior: a canceled line of a batch is paid only if it is retried', async () => {
    const before = await held();
    const folder = temporaryFolder();
    const [batch, ledger] = [join(folder, 'batch.ndjson'), join(folder, 'ledger.ndjson')];
    writeFileSync(batch, '{"id":"a","amount":"11","from":"alpha/usdc","to":"beta/usdc"}\n');
    const env = { ...at(sandbox), FERRY_STATE_DIR: join(folder, 'state') };
    const there = (argv: readonly string[], signal?: AbortSignal) =>
      ferry([...argv, '--yes', '--json'], { env, ...(signal && { signal }) });
    const execute = ['execute', '--batch', batch, '--out', ledger, '--one-by-one'];
    await mining(false);
    const interrupt = new AbortController();
    const running = there(execute, interrupt.signal);
    const pending = async () => (await there(['runs', 'list'])).json().data?.runs[0]?.txHashes?.length;
    await expect.poll(pending).toBe(1);
    interrupt.abort(new BaseError('run.stopped', 'Stopped by SIGTERM.'));
    expect((await running).json().error.code).toBe('run.stopped');
    await mining(true);
    const { run } = (await there(['runs', 'list'])).json().data.runs[0];
    const canceled = (await there(['runs', 'cancel', run])).json();
    expect(canceled.error).toBeUndefined();
    expect(canceled.data.status).toBe('cancelled');
    const line = (ended: Ended) => ended.lines().find(({ type }) => type === 'result');
    expect(line(await there(execute))).toMatchObject({ ok: false, error: { code: 'submit.cancelled' } });
    expect(await held()).toBe(before);
    expect(line(await there([...execute, '--retry-failed']))).toMatchObject({ ok: true });
    expect(before - (await held())).toBe(11_000_000n);
  });

  test('behavior: a nonce that the chain has lost is named, and the missing ones are filled to cancel the run', async () => {
    const before = await native();
    const stateDir = temporaryFolder();
    const there = (...argv: string[]) =>
      ferry([...argv, '--yes', '--json'], { env: { ...at(sandbox), FERRY_STATE_DIR: stateDir } });
    const nonce = await nonceAt(sandbox.rpcUrls.alpha, dev0);
    await addFault(sandbox, 'alpha', { kind: 'chain', does: 'swallow', times: 0 });
    const running = there('execute', '0.3', 'alpha/eth', 'beta/eth');
    const journals = (): string[] =>
      existsSync(join(stateDir, 'runs'))
        ? readdirSync(join(stateDir, 'runs')).filter((name) => name.endsWith('.jsonl'))
        : [];
    const isSent = (): boolean =>
      journals().some((name) => readFileSync(join(stateDir, 'runs', name), 'utf8').includes('"type":"broadcast"'));
    await expect.poll(isSent).toBe(true);
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
    const ended = await there('runs', 'cancel', error.run);
    expect(ended.json().data).toMatchObject({ status: 'cancelled', funds: 'untouched' });
    expect(await nonceAt(sandbox.rpcUrls.alpha, dev0)).toBe(nonce + 1);
    expect(await mined(error.txHash)).toBe(false);
    expect(before - (await native())).toBeLessThan(10n ** 16n);
  }, 30_000);
});
