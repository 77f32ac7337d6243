/**
 * Workers of two versions on one store, as during an upgrade: this one beside the commit before it, which was there first.
 *
 * Beside another revision: VERSIONS=<revision> npx vitest run --config test/vitest.config.ts test/process/storeVersions.test.ts
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltFerry, buildFerry } from '../support/builtFerry.js';
import { buildEarlier, earlierRevision } from '../support/earlierFerry.js';
import { held, submitted, until } from '../support/fleet.js';
import { type Postgres, programs, startPostgres } from '../support/postgres.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';

const isAsked = process.env.WORKERS === 'all' || process.env.VERSIONS !== undefined;
const revision = programs && isAsked && earlierRevision('src/commands/worker.ts');
if (programs && isAsked && !revision)
  process.stderr.write('skipped: workers of two versions: there is no earlier revision with a store here\n');

let built: BuiltFerry;
let earlier: BuiltFerry;
let sandbox: TestSandbox;
let postgres: Postgres;

beforeAll(async () => {
  if (!revision) return;
  [built, sandbox, postgres] = await Promise.all([buildFerry(), startSandbox(), startPostgres()]);
  earlier = await buildEarlier(revision);
}, 60_000);
afterAll(async () => {
  earlier?.remove();
  built?.remove();
  await Promise.all([sandbox?.stop(), postgres?.stop()]);
});

describe.skipIf(!revision)('workers of two versions on one store', () => {
  test('behavior: both pay lines of one batch, and go on with each other’s runs', async () => {
    const before = await held(sandbox);
    const batch = await submitted({ built, sandbox, postgres, by: earlier }, 24);
    await batch.run(['store', 'migrate', '--yes']);
    await batch.run(['batch', 'pause', 'many']);
    const one = ['--concurrency', '1'];
    const workers = { old: batch.start('one', one, earlier), new: batch.start('two', one) };
    await until(async () => (await batch.sql('select count(*) from ferry.worker')) === '2', 'both workers');
    await batch.run(['batch', 'resume', 'many'], earlier);
    await until(async () => (await batch.done()) >= 6, 'some lines');
    workers.old.child.kill('SIGKILL');
    await workers.old.ended;
    const again = batch.start('three', one, earlier);
    await until(async () => (await batch.done()) >= 12, 'lines after a kill');
    workers.new.child.kill('SIGKILL');
    await workers.new.ended;
    await until(async () => (await batch.done()) === 24, 'all lines');
    again.child.kill('SIGTERM');
    expect((await again.ended).code).toBe(0);
    for (const ferry of [built, earlier])
      expect(await batch.run(['batch', 'status', 'many'], ferry)).toMatchObject([{ data: { states: { done: 24 } } }]);
    await batch.assertOnce(before);
  }, 120_000);
});
