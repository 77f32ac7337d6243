/**
 * Several API keys in several processes on one store: each key's limit holds over all of them, as the service counts it.
 *
 * That looks at a real clock, for whole minutes and with 8 processes, so the suite does not:
 * RATES=all npx vitest run --config test/vitest.config.ts test/process/apiKeys.test.ts
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { type BuiltFerry, buildFerry, type Ended } from '../support/builtFerry.js';
import { at } from '../support/ferry.js';
import { forward, json, loopback } from '../support/loopback.js';
import { type Postgres, programs, startPostgres } from '../support/postgres.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';
import { ndjson, transfer } from '../support/transferBatches.js';

const all = process.env.RATES === 'all';

let built: BuiltFerry;
let sandbox: TestSandbox;
let postgres: Postgres;

beforeAll(async () => {
  if (!programs) return;
  [built, sandbox, postgres] = await Promise.all([buildFerry(), startSandbox(), startPostgres()]);
});
afterAll(async () => {
  built?.remove();
  await Promise.all([sandbox?.stop(), postgres?.stop()]);
});

const keys = ['sandbox-key', 'sandbox-key-2', 'sandbox-key-3'];

/** A service that notes when each key arrived, and knows all keys but a revoked one. */
async function counting() {
  const arrivals: { key: string; ms: number; path: string }[] = [];
  const { url } = await loopback((response, request) => {
    const key = String(request.headers['x-api-key']);
    arrivals.push({ key, ms: performance.now(), path: request.path });
    if (key === 'revoked') return json({ message: 'Unauthorized: Check API Key' }, 401)(response, request);
    forward(`${sandbox.baseUrl}${request.path}`, request)
      .then(({ status, text }) => json(JSON.parse(text), status)(response, request))
      .catch(() => response.destroy());
  });
  return { url, arrivals, of: (key: string) => arrivals.filter((each) => each.key === key).map(({ ms }) => ms) };
}

/** Machines of a store whose service is another's. */
async function machines(serviceUrl: string, names: readonly string[], env: Readonly<Record<string, string>>) {
  const store = await postgres.database();
  const folder = mkdtempSync(join(built.stateDir, '..', 'keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const envOf = (machine: string) => ({
    ...at(sandbox),
    FERRY_BASE_URL: serviceUrl,
    FERRY_STORE: store,
    FERRY_STATE_DIR: join(folder, machine),
    ...env,
  });
  for (const machine of names) {
    mkdirSync(join(folder, machine), { mode: 0o700 });
    writeFileSync(join(folder, machine, 'secret'), `${'5e'.repeat(32)}\n`, { mode: 0o600 });
  }
  const run = (machine: string, args: readonly string[]): Promise<Ended> => built.run(args, envOf(machine));
  expect((await run(names[0] ?? '', ['store', 'init', '--yes'])).stderr).toBe('');
  return { folder, run };
}

/** The most arrivals in any span of so many milliseconds. */
function most(times: readonly number[], spanMs: number): number {
  return Math.max(0, ...times.map((start) => times.filter((ms) => ms >= start && ms < start + spanMs).length));
}

describe.skipIf(!programs)('several API keys', () => {
  test.runIf(all)(
    'behavior: each key keeps to its limit over all processes, and all are used up',
    async () => {
      const [processes, lines, perMinute] = [8, 100, 60];
      const service = await counting();
      const names = Array.from({ length: processes }, (_, index) => `machine-${index}`);
      const env = {
        FERRY_API_KEY: keys[0] ?? '',
        FERRY_API_KEYS: keys.slice(1).join(','),
        FERRY_RATE_LIMIT: String(perMinute),
      };
      const { folder, run } = await machines(service.url, names, env);
      const file = join(folder, 'quotes.ndjson');
      writeFileSync(file, ndjson(Array.from({ length: lines }, (_, index) => transfer(`line-${index}`))));
      const startMs = performance.now();
      const ended = await Promise.all(
        names.map((name) => run(name, ['quote', '--batch', file, '--out', join(folder, `${name}.out`), '--json'])),
      );
      const tookMs = performance.now() - startMs;
      expect(ended.map(({ code }) => code)).toEqual(names.map(() => 0));
      const counts = keys.map((key) => service.of(key).length);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(processes * lines);
      // A fifth of a minute's requests at once, and then one every 1.3 s: what a key may send in such a time.
      const paceMs = 62_000 / (perMinute - perMinute / 5 + 1);
      for (const [index, key] of keys.entries()) {
        const times = service.of(key);
        expect(most(times, 60_000)).toBeLessThanOrEqual(perMinute);
        expect(most(times, 5_000)).toBeLessThanOrEqual(perMinute / 5 + Math.ceil(5_000 / paceMs) + 1);
        // None is left unused while another waits.
        expect(counts[index]).toBeGreaterThan(Math.max(...counts) / 2);
      }
      // One key alone would have taken longer.
      expect(tookMs).toBeLessThan((processes * lines - perMinute / 5) * paceMs);
    },
    900_000,
  );

  test('behavior: a worker pays with all of its keys, and without one that is revoked, which it tells', async () => {
    const service = await counting();
    const env = { FERRY_API_KEY: keys[0] ?? '', FERRY_API_KEYS: ['revoked', ...keys.slice(1)].join(',') };
    const { folder, run } = await machines(service.url, ['desk', 'one'], env);
    const file = join(folder, 'batch.ndjson');
    writeFileSync(
      file,
      ndjson(Array.from({ length: 4 }, (_, index) => transfer(`line-${index}`, { account: 'dev1' }))),
    );
    expect((await run('desk', ['batch', 'submit', file, '--name', 'keys', '--yes', '--json'])).stderr).toBe('');
    const worker = await run('one', ['worker', '--once', '--accounts', 'dev1', '--submitters', accounts.dev0.address]);
    expect(worker.code).toBe(0);
    expect(worker.stderr.match(/refused API key 2 of 4/g)).toHaveLength(1);
    for (const key of keys) expect(service.of(key).length).toBeGreaterThan(1);
    expect(service.of('revoked')).toHaveLength(1);
    const status = await run('desk', ['batch', 'status', 'keys', '--json']);
    expect(JSON.parse(status.stdout).data).toMatchObject({ states: { done: 4, failed: 0 } });
    expect(worker.stdout + worker.stderr + status.stdout).not.toMatch(/revoked|sandbox-key/);
  });
});
