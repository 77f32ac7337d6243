import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { NonceCounter, Turn, Waiting } from '../../../src/core/ports/Ports.js';
import type { TakeOver } from '../../../src/io/locks/fileLock.js';
import * as processes from '../../../src/io/locks/processes.js';
import * as nonceLocks from '../../../src/io/state/nonceLocks.js';
import * as nonceRecord from '../../../src/io/state/nonceRecord.js';
import { host as realHost } from '../../../src/io/terminal/host.js';
import { failure } from '../../support/failures.js';
import { temporaryFolder } from '../../support/ferry.js';
import { lockElsewhere, lockOf } from '../../support/locks.js';

const counter: NonceCounter = { chainId: 1, chain: 'ethereum', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' };

type Options = { stateDir?: string; timeoutMs?: number; signal?: AbortSignal; onSleep?(): void; takeOver?: TakeOver };

/** Nonce locks in a new state directory, whose waits take no time. */
function turns(options: Options = {}) {
  const stateDir = options.stateDir ?? join(temporaryFolder(), 'state');
  const { signal = new AbortController().signal, timeoutMs = 60_000, onSleep = () => {} } = options;
  let now = 0;
  const told: Waiting[] = [];
  const host = {
    ...realHost(signal),
    env: { FERRY_STATE_DIR: stateDir },
    now: () => now,
    sleep: async (ms: number, abort?: AbortSignal) => {
      onSleep();
      abort?.throwIfAborted();
      now += ms;
    },
  };
  const made = nonceLocks.createNonces({ host, timeoutMs, takeOver: options.takeOver });
  const take = async (of: NonceCounter): Promise<Turn> => {
    const taking = made.take(of);
    let step = await taking.next();
    for (; !step.done; step = await taking.next()) told.push(step.value);
    return step.value;
  };
  return { take, told, host, folder: nonceLocks.folder(host), waitedMs: () => now };
}

/** A lock on the counter, held by another process. */
function heldBy(folder: string, lock: string): string {
  const path = join(folder, `1-${'address' in counter ? counter.address.toLowerCase() : ''}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, lock);
  return path;
}

describe('take', () => {
  test('behavior: what does not need the record is done as soon as the counter is held', async () => {
    const { folder, host } = turns();
    const made = nonceLocks.createNonces({ host, timeoutMs: 60_000 });
    let name = (_: string): void => {};
    const instance = new Promise<string>((resolve) => {
      name = resolve;
    });
    const taking = made.take(counter, async () => ({ ...counter, instance: await instance })).next();
    const lock = join(folder, `1-${'address' in counter ? counter.address.toLowerCase() : ''}`);
    await expect.poll(() => statSync(lock, { throwIfNoEntry: false })).toBeDefined();
    name('one');
    ((await taking).value as Turn).use(5n);
    const [other] = readdirSync(join(folder, '..', 'nonces'));
    expect(other).toMatch(/-one\.json$/);
  });

  test('error: a counter whose record cannot be named is free again', async () => {
    const { take, host } = turns();
    const made = nonceLocks.createNonces({ host, timeoutMs: 60_000 });
    const failed = made.take(counter, async () => Promise.reject(new Error('no instance'))).next();
    await expect(failed).rejects.toThrow('no instance');
    (await take(counter)).release();
  });

  test('default: one at a time, whatever the case of the address', async () => {
    const { take, folder } = turns();
    const first = await take(counter);
    const order: string[] = [];
    const second = take({ ...counter, address: counter.address.toLowerCase() as `0x${string}` }).then((turn) => {
      order.push('second');
      return turn;
    });
    order.push('first');
    first.release();
    (await second).release();
    expect(order).toEqual(['first', 'second']);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('behavior: other chains, accounts and API keys do not wait for each other', async () => {
    const { take, folder } = turns();
    const key = { signingChainId: 304, chain: 'lighter', accountIndex: 5, apiKeyIndex: 2 };
    const counters: NonceCounter[] = [counter, { ...counter, chainId: 10 }, key, { ...key, apiKeyIndex: 3 }];
    const taken = await Promise.all(counters.map(take));
    expect(readdirSync(folder).filter((name) => !name.startsWith('.'))).toHaveLength(4);
    for (const turn of taken) turn.release();
  });

  test('behavior: a second release does not affect the next holder', async () => {
    const { take, folder } = turns();
    const first = await take(counter);
    first.release();
    const second = await take(counter);
    first.release();
    expect(readdirSync(folder).filter((name) => !name.startsWith('.'))).toHaveLength(1);
    second.release();
  });

  test('error: reports the wait once after a second, and times out', async () => {
    const { take, folder, told, waitedMs } = turns();
    heldBy(folder, lockOf());
    const error = await failure(take(counter));
    expect(error).toMatchObject({ code: 'submit.busy', exit: 3, funds: 'untouched', retryable: true });
    expect(error.message).toMatch(/^After 60 s, another ferry process .* Nothing was signed\.$/);
    const address = 'address' in counter ? counter.address : '';
    const summary = `Waiting: another ferry process (${process.ppid}) is using ${address} on ethereum`;
    expect(told).toEqual([{ type: 'waiting', summary, pid: process.ppid }]);
    expect(waitedMs()).toBeLessThan(60_200);
  });

  test('behavior: a process on another machine keeps it, and is named', async () => {
    const { take, folder, told } = turns();
    heldBy(folder, lockElsewhere());
    const error = await failure(take(counter));
    expect(error.message).toContain(`another ferry process (${process.ppid} on web-2)`);
    expect(error.hint).toContain('--take-over');
    expect(told).toEqual([expect.objectContaining({ summary: expect.stringContaining('--take-over') })]);
  });

  test('behavior: it is taken over from another machine after asking', async () => {
    const { folder } = turns();
    const path = heldBy(folder, lockElsewhere());
    const asked: unknown[] = [];
    const { take } = turns({ stateDir: join(folder, '..'), takeOver: async (holder) => Boolean(asked.push(holder)) });
    const turn = await take(counter);
    expect(asked).toEqual([{ pid: process.ppid, host: 'web-2', isElsewhere: true }]);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject(processes.self());
    turn.release();
  });

  test('behavior: a lock that becomes free while the time runs out is taken', async () => {
    const { take, folder, host } = turns({
      takeOver: async () => {
        await host.sleep(60_000);
        rmSync(path);
        return false;
      },
    });
    const path = heldBy(folder, lockElsewhere());
    (await take(counter)).release();
  });

  test('error: Ctrl-C while waiting', async () => {
    const interrupt = new AbortController();
    const { take, folder } = turns({ signal: interrupt.signal, onSleep: () => interrupt.abort(new Error('stopped')) });
    heldBy(folder, lockOf());
    await expect(take(counter)).rejects.toThrow('stopped');
  });

  test('error: a state directory that is a file', async () => {
    const stateDir = join(temporaryFolder(), 'state');
    writeFileSync(stateDir, '');
    const error = await failure(turns({ stateDir }).take(counter));
    expect(error).toMatchObject({ code: 'config.unwritable', exit: 2, funds: 'untouched' });
    expect(Object.fromEntries(error.facts)).toMatchObject({ reason: 'part of the path is a file' });
    expect(error.hint).toContain('FERRY_STATE_DIR');
  });
});

describe('the record of a counter', () => {
  test('default: what was written; nothing of a file that is damaged', () => {
    const path = join(temporaryFolder(), 'nonces', 'a.json');
    expect(nonceRecord.read(path)).toEqual({});
    nonceRecord.write(path, { '': 7n, '0xabc': 2n });
    expect(nonceRecord.read(path)).toEqual({ '': 7n, '0xabc': 2n });
    for (const text of ['', 'null', '[1]', '{"":-1}', '{"":"1e3"}', '{"":7}']) {
      writeFileSync(path, text);
      expect([text, nonceRecord.read(path)]).toEqual([text, {}]);
    }
  });
});
