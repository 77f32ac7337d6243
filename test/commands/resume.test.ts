import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { cast } from '../support/cast.js';
import { addFault, clearFaults } from '../support/faults.js';
import { at, type Ended, ferry, soonAfter } from '../support/ferry.js';
import { lockElsewhere } from '../support/locks.js';
import { json, nobody } from '../support/loopback.js';
import { ask, inFrontOf, miningAt, nonceAt, passOn } from '../support/node.js';
import { startSandbox, type User, usdcAt, useSandbox } from '../support/sandbox.js';
import { usdcOf } from '../support/venueBooks.js';

const { sandbox, user } = useSandbox();

const { address: dev0, privateKey } = accounts.dev0;
const held = (): Promise<bigint> => usdcAt(sandbox, dev0);
const nonce = (): Promise<number> => nonceAt(sandbox.rpcUrls.alpha, dev0);

const execute = ({ run }: User, amount = '2'): Promise<Ended> => run('execute', amount, 'alpha/usdc', 'beta/usdc');

describe('resume', () => {
  test('attack: a node that names a used nonce as the next one has nothing signed again and again', async () => {
    const { address } = accounts.dev6;
    const balance = (): Promise<bigint> => usdcAt(sandbox, address);
    let isLying = false;
    const { alpha } = sandbox.rpcUrls;
    const { url } = await inFrontOf(alpha, {
      eth_getTransactionCount: (response, request) => {
        const lies = isLying && request.body.includes('"pending"');
        (lies ? json({ jsonrpc: '2.0', id: 1, result: '0x0' }) : passOn(alpha))(response, request);
      },
    });
    const { run, env } = user({ FERRY_RPC_URL_ALPHA: url, FERRY_ACCOUNT: 'dev6' });
    // Its approval is the same as the one that will be signed with its nonce.
    expect((await run('execute', '2', 'alpha/usdc', 'beta/usdc')).code).toBe(0);
    const before = await balance();
    isLying = true;
    const { error } = (await run('execute', '2', 'alpha/usdc', 'beta/usdc', '--again')).json();
    const resumed = await run('resume', error.run);
    // One node alone says that others have used the nonces.
    expect(resumed.lines().filter(({ type }) => type === 'signed')).toEqual([]);
    expect([error.code, resumed.json().error.code]).toEqual(['submit.unknown', 'submit.unknown']);
    expect(await balance()).toBe(before);
    isLying = false;
    // A second node shows it too, and the deposit is signed anew.
    Object.assign(env, { FERRY_RPC_URLS_ALPHA: sandbox.rpcUrls.alpha });
    expect((await run('resume', error.run)).json().data?.funds).toBe('delivered');
    expect(before - (await balance())).toBe(2_000_000n);
  });

  test('default: a run whose journal ends anywhere is finished, paid once, with the document of the first run', async () => {
    const there = user();
    const before = await held();
    const { run, requestId } = (await execute(there)).json().data;
    const whole = there.lines();
    expect(whole.join('\n')).not.toContain(privateKey.slice(2));
    for (let count = whole.length; count >= 2; count--) {
      there.cut(count);
      const resumed = await there.run('resume', run);
      expect([count, resumed.code]).toEqual([count, 0]);
      expect(resumed.json().data).toMatchObject({ status: 'success', requestId, run });
      expect(before - (await held())).toBe(2_000_000n);
    }
    there.cut(1);
    expect((await there.run('resume', run)).json().error).toMatchObject({
      code: 'run.unsigned',
      next: 'ferry execute 2 alpha/usdc beta/usdc',
    });
  }, 60_000);

  test('behavior: cut off within a line it is the same; a damaged line is refused', async () => {
    const there = user();
    const before = await held();
    await execute(there, '3');
    const path = there.path();
    const whole = readFileSync(path);
    for (const part of [0.97, 0.9, 0.8, 0.6, 0.3]) {
      writeFileSync(path, whole.subarray(0, Math.floor(whole.length * part)));
      const { error } = (await there.run('resume', basename(path, '.jsonl'))).json();
      expect([undefined, 'run.unsigned']).toContain(error?.code);
      expect(before - (await held())).toBe(3_000_000n);
    }
    writeFileSync(path, whole.toString('utf8').replace('"requestId":"0x', '"requestId":"0y'));
    for (const named of [[basename(path, '.jsonl')], []])
      expect((await there.run('resume', ...named)).json().error).toMatchObject({
        code: 'run.unreadable',
        funds: 'unknown',
      });
  });

  test('behavior: a transfer that stays pending is refused a second time, and resumed to its end', async () => {
    const there = user();
    await addFault(sandbox, 'service', { kind: 'solver', does: 'stuck' });
    const { args, ...seen } = soonAfter('"status":"pending"');
    const { error } = (await there.ask(['execute', '4', 'alpha/usdc', 'beta/usdc', ...args, '--yes'], seen)).json();
    const next = `ferry resume ${error.run}`;
    expect(error).toMatchObject({ code: 'track.unfinished', exit: 9, funds: 'in-flight', next });
    expect((await execute(there, '4')).json().error).toMatchObject({ code: 'run.unfinished', run: error.run });
    await clearFaults(sandbox);
    expect((await there.run('resume')).code).toBe(0);
    expect((await there.run('resume')).json().error).toMatchObject({ code: 'run.unknown' });
    expect((await execute(there, '4')).code).toBe(0);
  });

  test('behavior: Ctrl-C between approval and deposit moves nothing; resumed, the deposit is signed once', async () => {
    const there = user();
    const before = await held();
    await miningAt(sandbox.rpcUrls.alpha, false);
    const first = await there.late('execute', '5', 'alpha/usdc', 'beta/usdc', '--one-by-one');
    await miningAt(sandbox.rpcUrls.alpha, true);
    expect(first.json().error.code).toBe('track.unfinished');
    expect(there.types().filter((type) => type === 'signed')).toHaveLength(1);
    expect((await there.run('resume')).code).toBe(0);
    expect(there.types().filter((type) => type === 'signed')).toHaveLength(2);
    expect(before - (await held())).toBe(5_000_000n);
  });

  test('behavior: what is to be set right before a run goes on is the command to type next', async () => {
    const there = user();
    await miningAt(sandbox.rpcUrls.alpha, false);
    const first = await there.late('execute', '5', 'alpha/usdc', 'beta/usdc', '--one-by-one');
    await miningAt(sandbox.rpcUrls.alpha, true);
    const node = ['--private-key', privateKey, '--rpc-url', sandbox.rpcUrls.alpha];
    await cast('send', accounts.dev1.address, '--value', '1', ...node);
    const { error } = (await there.run('resume')).json();
    expect(error).toMatchObject({ code: 'run.foreign-nonce', run: first.json().error.run });
    expect(error.next).toBe('ferry runs reconcile alpha');
    expect((await there.run(...error.next.split(' ').slice(1))).code).toBe(0);
    expect((await there.run('resume')).code).toBe(0);
  }, 60_000);

  test('behavior: a transaction whose nonce another one took is signed anew once that one is allowed', async () => {
    const there = user();
    await miningAt(sandbox.rpcUrls.alpha, false);
    try {
      const before = await held();
      const to = ['--recipient', accounts.dev1.address];
      // What was allowed once was of the nonces of then.
      const allow = ['--allow', 'foreign-nonces'];
      const first = await there.late('execute', '1', 'alpha/usdc', 'alpha/usdc', ...to, ...allow);
      expect(first.json().error).toMatchObject({ code: 'track.unfinished' });
      const { txHash } = first.json().error;
      await ask(sandbox.rpcUrls.alpha, 'anvil_dropTransaction', txHash);
      await ask(sandbox.rpcUrls.alpha, 'evm_setAutomine', true);
      const taken = await nonce();
      const node = ['--private-key', privateKey, '--rpc-url', sandbox.rpcUrls.alpha];
      const { transactionHash: by } = JSON.parse(
        await cast('send', accounts.dev1.address, '--value', '1', ...node, '--json'),
      );
      expect(await nonce()).toBe(taken + 1);
      // It may be the same payment, of a run that this machine has lost.
      const used = { code: 'run.foreign-nonce', funds: 'untouched', facts: { 'used by': by } };
      for (const _ of ['found', 'known']) expect((await there.run('resume')).json().error).toMatchObject(used);
      expect(there.types()).toContain('impossible');
      expect((await there.run('resume', ...allow)).code).toBe(0);
      expect(before - (await held())).toBe(1_000_000n);
    } finally {
      await ask(sandbox.rpcUrls.alpha, 'evm_setAutomine', true);
    }
  }, 60_000);

  test('behavior: a transaction that the mempool lost is sent again as it was signed', async () => {
    const there = user();
    await miningAt(sandbox.rpcUrls.alpha, false);
    const before = await held();
    const first = await there.late('execute', '1', 'alpha/usdc', 'alpha/usdc', '--recipient', accounts.dev1.address);
    const { txHash } = first.json().error;
    await ask(sandbox.rpcUrls.alpha, 'anvil_dropTransaction', txHash);
    await ask(sandbox.rpcUrls.alpha, 'evm_setAutomine', true);
    const resumed = await there.run('resume');
    expect(resumed.json().data.transactions.map((each: { txHash: string }) => each.txHash)).toEqual([txHash]);
    expect(before - (await held())).toBe(1_000_000n);
  });

  test('behavior: a withdrawal and a deposit end with the account of the venue, as the commands do that began them', async () => {
    const there = user();
    await addFault(sandbox, 'venue', { kind: 'sequencer', does: 'stuck' });
    const first = await there.late('venue', 'withdraw', '10', 'alpha/usdc');
    expect(first.json().error.code).toBe('track.unfinished');
    await clearFaults(sandbox);
    const { data } = (await there.run('resume')).json();
    const after = String(await usdcOf(sandbox, 100));
    expect(data).toMatchObject({
      account: { index: 100, wallet: dev0, before: null, after: { amount: after } },
      venueFee: { amount: '3000000', formatted: '3' },
      signed: { txHash: first.json().error.txHash, accountIndex: 100 },
    });

    const sent = await there.run('venue', 'deposit', '10', 'alpha/usdc', '--no-wait');
    const credited = await ferry(['resume', sent.json().data.run, '--yes'], { env: there.env });
    expect(credited.stdout).toMatch(/Account +100 of wallet 0x\w+\n +After +[\d.]+ USDC\n$/);
    expect((await there.run('resume', sent.json().data.run)).json().data).toMatchObject({
      account: { index: 100, after: { amount: String(await usdcOf(sandbox, 100)) } },
      venueFee: null,
      signed: null,
    });
    const other = (await there.run('execute', '1', 'alpha/usdc', 'beta/usdc', '--no-wait')).json().data.run;
    const none = { account: null, venueFee: null, signed: null };
    expect((await there.run('resume', other)).json().data).toMatchObject(none);
  });

  test('error: a run of another network, or of a sandbox that was reset', async () => {
    const there = user();
    await execute(there, '6');
    there.cut(there.lines().length - 1);
    const id = basename(there.path(), '.jsonl');
    const other = await startSandbox();
    try {
      const how = { env: at(other) };
      expect((await there.ask(['resume', id], how)).json().error).toMatchObject({ code: 'run.elsewhere', run: id });
      expect((await there.ask(['resume'], how)).json().error).toMatchObject({
        code: 'run.unknown',
        hint: '1 unfinished run is of another network, or of a sandbox that has been reset since.',
      });
    } finally {
      await other.stop();
    }
  });

  test('error: a sandbox that does not answer is not one that was reset', async () => {
    const there = user();
    await execute(there, '6');
    there.cut(there.lines().length - 1);
    const id = basename(there.path(), '.jsonl');
    for (const line of [
      'resume',
      `resume ${id}`,
      'status',
      `status ${id}`,
      `runs speed-up ${id}`,
      `runs cancel ${id}`,
    ]) {
      const ended = await there.ask([...line.split(' '), '--yes'], { env: { FERRY_BASE_URL: nobody } });
      const { code, funds, run } = ended.json().error;
      expect([line, code, funds, run]).toEqual([line, 'service.unreachable', 'unknown', id]);
    }
    expect((await there.run('resume')).code).toBe(0);
  });

  test('behavior: a run that a process on another machine holds is taken over only after asking', async () => {
    const there = user();
    const { run } = (await execute(there)).json().data;
    writeFileSync(join(there.stateDir, 'locks', `run-${run}`), lockElsewhere());
    expect((await there.run('resume', run)).json().error).toMatchObject({ code: 'run.busy', funds: 'unknown' });
    for (let times = 0; times < 2; times++) {
      expect((await there.ask(['resume', run, '--take-over'])).json().error).toMatchObject({
        code: 'usage.confirmation',
        facts: { question: expect.stringMatching(/^Take over from process \d+ on web-2\?/) },
      });
    }
    expect((await there.run('resume', run, '--take-over')).json().data.status).toBe('success');
    expect((await there.run('resume', run)).json().data.status).toBe('success');
  });
});
