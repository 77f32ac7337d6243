import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { NonceCounter, Turn, Waiting } from '../../../src/core/ports/Ports.js';
import * as nonceLocks from '../../../src/io/state/nonceLocks.js';
import * as processes from '../../../src/io/state/processes.js';
import { host as realHost } from '../../../src/io/terminal/host.js';
import { failure } from '../../support/failures.js';
import { temporaryFolder } from '../../support/ferry.js';

const counter: NonceCounter = { chainId: 1, chain: 'ethereum', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' };
const parent = processes.identify(process.ppid) as processes.Identity;

/** Nonce locks in a new state directory, whose waits take no time. */
function turns(options: { stateDir?: string; timeoutMs?: number; signal?: AbortSignal; onSleep?: () => void } = {}) {
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
  const made = nonceLocks.createNonces({ host, timeoutMs });
  const take = async (of: NonceCounter): Promise<Turn> => {
    const taking = made.take(of);
    let step = await taking.next();
    for (; !step.done; step = await taking.next()) told.push(step.value);
    return step.value;
  };
  return { take, told, folder: nonceLocks.folder(host), waitedMs: () => now };
}

/** A lock on the counter, held by another process. */
function heldBy(folder: string, identity: processes.Identity): string {
  const path = join(folder, `1-${'address' in counter ? counter.address.toLowerCase() : ''}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, JSON.stringify(identity));
  return path;
}

describe('take', () => {
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
    const key = { signingChainId: 304, accountIndex: 5, apiKeyIndex: 2 };
    const counters: NonceCounter[] = [counter, { ...counter, chainId: 10 }, key, { ...key, apiKeyIndex: 3 }];
    const taken = await Promise.all(counters.map(take));
    expect(readdirSync(folder)).toHaveLength(4);
    for (const turn of taken) turn.release();
  });

  test('behavior: a second release does not affect the next holder', async () => {
    const { take, folder } = turns();
    const first = await take(counter);
    first.release();
    const second = await take(counter);
    first.release();
    expect(readdirSync(folder)).toHaveLength(1);
    second.release();
  });

  test('behavior: the lock of a dead process is free', async () => {
    const { take, folder, told } = turns();
    const path = heldBy(folder, { ...parent, startTime: '1' });
    const turn = await take(counter);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(processes.self());
    expect(told).toEqual([]);
    turn.release();
  });

  test('error: reports the wait once after a second, and times out', async () => {
    const { take, folder, told, waitedMs } = turns();
    heldBy(folder, parent);
    const error = await failure(take(counter));
    expect(error).toMatchObject({ code: 'submit.busy', exit: 3, funds: 'untouched', retryable: true });
    expect(error.message).toMatch(/^After 60 s, another ferry process .* Nothing was signed\.$/);
    const address = 'address' in counter ? counter.address : '';
    const summary = `Waiting: another ferry process (${process.ppid}) is using ${address} on ethereum`;
    expect(told).toEqual([{ type: 'waiting', summary, pid: process.ppid }]);
    expect(waitedMs()).toBeLessThan(60_200);
  });

  test('error: Ctrl-C while waiting', async () => {
    const interrupt = new AbortController();
    const { take, folder } = turns({ signal: interrupt.signal, onSleep: () => interrupt.abort(new Error('stopped')) });
    heldBy(folder, parent);
    await expect(take(counter)).rejects.toThrow('stopped');
  });

  test('error: a state directory that is a file', async () => {
    const stateDir = join(temporaryFolder(), 'state');
    writeFileSync(stateDir, '');
    const error = await failure(turns({ stateDir }).take(counter));
    expect(error).toMatchObject({ code: 'config.unwritable', exit: 2, funds: 'untouched' });
    expect(Object.fromEntries(error.facts)).toMatchObject({ cause: 'part of the path is a file' });
    expect(error.hint).toContain('FERRY_STATE_DIR');
  });

  test.skipIf(process.getuid?.() === 0)('error: a read-only state directory', async () => {
    const stateDir = join(temporaryFolder(), 'state');
    mkdirSync(stateDir);
    chmodSync(stateDir, 0o500);
    const error = await failure(turns({ stateDir }).take(counter));
    expect(Object.fromEntries(error.facts)).toMatchObject({ cause: 'permission denied' });
  });
});
