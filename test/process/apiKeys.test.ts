/**
 * Several API keys in several processes on one store: each is used, and one that is revoked is left out.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { type Ended, useFerry } from '../support/builtFerry.js';
import { at } from '../support/ferry.js';
import { forward, json, loopback } from '../support/loopback.js';
import { programs, usePostgres } from '../support/postgres.js';
import { useSandbox } from '../support/sandbox.js';
import { withSecret } from '../support/sharedBatches.js';
import { ndjson, transfer } from '../support/transferBatches.js';

const built = useFerry();
const { sandbox } = useSandbox();
const postgres = usePostgres();

const keys = ['sandbox-key', 'sandbox-key-2', 'sandbox-key-3'];

/** A service that notes which keys arrive, and knows all keys but a revoked one. */
async function counting() {
  const arrivals: string[] = [];
  const { url } = await loopback((response, request) => {
    const key = String(request.headers['x-api-key']);
    arrivals.push(key);
    if (key === 'revoked') return json({ message: 'Unauthorized: Check API Key' }, 401)(response, request);
    forward(`${sandbox.baseUrl}${request.path}`, request)
      .then(({ status, text }) => json(JSON.parse(text), status)(response, request))
      .catch(() => response.destroy());
  });
  return { url, of: (key: string) => arrivals.filter((each) => each === key) };
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
  for (const machine of names) withSecret(join(folder, machine));
  const run = (machine: string, args: readonly string[]): Promise<Ended> => built.run(args, envOf(machine));
  expect((await run(names[0] ?? '', ['store', 'init', '--yes'])).stderr).toBe('');
  return { folder, run };
}

describe.skipIf(!programs)('several API keys', () => {
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
