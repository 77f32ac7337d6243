import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as RateLimit from '../../../src/core/network/RateLimit.js';
import { createRateFile, type RateState } from '../../../src/io/http/rateLimitState.js';
import { client, intervalMs, start, times } from '../../support/budgeted.js';
import { bundle } from '../../support/bundle.js';
import { chance } from '../../support/chance.js';
import { temporaryFolder } from '../../support/ferry.js';
import { hostAt } from '../../support/hostAt.js';
import { lockOf } from '../../support/locks.js';
import * as Loopback from '../../support/loopback.js';

/** The path of a client's file, and its folder without it. */
async function place(): Promise<{ url: string; path: string; stateDir: string }> {
  const server = await Loopback.loopback(Loopback.json({}));
  const { fetch, folder: files, stateDir } = client(server.url);
  await fetch(server.url);
  const path = join(files, readdirSync(files)[0] ?? '');
  rmSync(path);
  return { url: server.url, path, stateDir };
}

test.each([
  ['is torn', (path: string) => writeFileSync(path, '{"sinceMs":1,"buck')],
  ['holds another type', (path: string) => writeFileSync(path, '[]')],
  ['is huge', (path: string) => writeFileSync(path, `{${' '.repeat(5_000_000)}}`)],
  ['is a folder', (path: string) => mkdirSync(join(path, 'x'), { recursive: true })],
  ['is a pipe without a writer', (path: string) => void execFileSync('mkfifo', [path])],
  ['is a symbolic link', (path: string) => symlinkSync('/dev/zero', path)],
  ['is an empty folder', (path: string) => mkdirSync(path)],
])('behavior: a file that %s neither stops nor speeds up requests', async (_, spoil) => {
  const { url, path, stateDir } = await place();
  spoil(path);
  const { fetch, pauses } = client(url, { stateDir });
  await times(12, fetch, url);
  expect(pauses.length).toBeGreaterThanOrEqual(2);
  expect(existsSync(`${path}.lock`)).toBe(false);
});

test('behavior: lets one request through at a time if torn before each', async () => {
  const { url, path, stateDir } = await place();
  const { fetch, pauses } = client(url, { stateDir });
  for (let made = 0; made < 5; made++) {
    writeFileSync(path, 'torn');
    await fetch(url);
  }
  expect(pauses).toHaveLength(4);
});

test('behavior: repeated deletion does not speed up this process', async () => {
  const { url, path, stateDir } = await place();
  const { fetch, pauses } = client(url, { stateDir });
  for (let made = 0; made < 13; made++) {
    rmSync(path, { force: true });
    await fetch(url);
  }
  expect(pauses).toEqual([intervalMs, intervalMs, intervalMs]);
});

test('behavior: keeps to the limits alone without a state directory', async () => {
  const server = await Loopback.loopback(Loopback.json({}));
  const stateDir = join(temporaryFolder(), 'occupied');
  writeFileSync(stateDir, '');
  const { fetch, pauses } = client(server.url, { stateDir });
  await times(4, fetch, server.url);
  expect(pauses).toEqual([intervalMs, intervalMs, intervalMs]);
});

test('behavior: a clock that is set back delays no request', async () => {
  const { url, stateDir } = await place();
  const ahead = client(url, { stateDir });
  ahead.clock.offsetMs = 86_400_000;
  await times(30, ahead.fetch, url);
  const { fetch, pauses } = client(url, { stateDir });
  await times(3, fetch, url);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(2 * intervalMs);
});

test.each([0, 5_000])('behavior: two machines %d ms apart keep to the limit together', async (apartMs) => {
  const stateDir = join(temporaryFolder(), 'state');
  let trueMs = start;
  const limits = { quote: 50 };
  const machines = [0, apartMs].map((skewMs) => {
    const host = hostAt(stateDir);
    const now = () => trueMs + skewMs;
    return createRateFile({ host: { ...host, now }, random: () => 0.5, limits, origin: 'x', apiKey: undefined });
  });
  const departures: number[] = [];
  const random = chance(apartMs);
  for (let made = 0; made < 400; made++) {
    trueMs += random() < 0.02 ? 20_000 * random() : 300 * random();
    const file = machines[random() < 0.5 ? 0 : 1] as RateState;
    const { waitMs, isGranted } = await file.change((state) =>
      RateLimit.take(state, { limits, path: '/quote/v2', nowMs: file.now() }, 3_000),
    );
    if (isGranted) departures.push(trueMs + waitMs);
  }
  departures.sort((a, b) => a - b);
  const busiest = Math.max(
    ...departures.map((from) => departures.filter((at) => at >= from && at < from + 60_000).length),
  );
  expect(departures.length).toBeGreaterThan(75);
  expect(busiest).toBeLessThanOrEqual(50);
});

test('behavior: a machine whose clock is an hour off uses that of the file system', async () => {
  const stateDir = join(temporaryFolder(), 'state');
  const script = join(temporaryFolder(), 'take.mjs');
  await bundle('test/support/rateTaker.ts', script);
  for (const hours of [1, -1]) {
    const shift = `const now = Date.now; Date.now = () => now() + ${hours * 3_600_000};`;
    const preload = `data:text/javascript,${encodeURIComponent(shift)}`;
    const from = Date.now();
    const env = { FERRY_STATE_DIR: stateDir };
    const told = execFileSync(process.execPath, ['--import', preload, script], { env, encoding: 'utf8' });
    expect(Number(told)).toBeGreaterThan(from - 300);
    expect(Number(told)).toBeLessThan(Date.now() + 300);
  }
});

test('behavior: a standstill while the lock is held does not change the clock', async () => {
  const { url, path, stateDir } = await place();
  writeFileSync(path, 'torn');
  let stillMs = 400;
  // Who finds the state torn looks at the time while it holds the lock.
  const now = () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stillMs);
    stillMs = 0;
    return start;
  };
  const host = { ...hostAt(stateDir), now };
  const file = createRateFile({ host, random: () => 0.5, limits: { all: 50 }, origin: url, apiKey: undefined });
  for (let made = 0; made < 2; made++) await file.change((state) => ({ state }));
  expect([stillMs, file.now()]).toEqual([0, start]);
});

test('behavior: does not wait forever for the lock of a suspended process', async () => {
  const { url, path, stateDir } = await place();
  writeFileSync(`${path}.lock`, lockOf());
  const { fetch, pauses } = client(url, { stateDir });
  await times(2, fetch, url);
  expect(pauses.at(-1)).toBeGreaterThan(1_000);
  rmSync(`${path}.lock`);
});
