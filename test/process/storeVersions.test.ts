/**
 * Workers of two versions on one store, as during an upgrade: this one beside the commit before it, which was there first.
 *
 * Beside another revision: VERSIONS=<revision> npx vitest run --config test/vitest.config.ts test/process/storeVersions.test.ts
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltFerry, buildFerry } from '../support/builtFerry.js';
import { held, submitted, until } from '../support/fleet.js';
import { type Postgres, programs, startPostgres } from '../support/postgres.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The commit before this one, or the one that the variable names; undefined without a history, or if that commit lacks a
 * file.
 */
function earlierRevision(having: string, named = process.env.VERSIONS): string | undefined {
  const args = ['rev-parse', '--verify', '--quiet', `${named ?? 'HEAD~1'}^{commit}`];
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  const revision = status === 0 ? stdout.trim() : undefined;
  if (revision && spawnSync('git', ['cat-file', '-e', `${revision}:${having}`], { cwd: root }).status === 0)
    return revision;
  if (named !== undefined) throw new Error(`There is no revision ${named} that has ${having}.`);
  return undefined;
}

/** The program alone, without its types and its manual. */
const bundling = `
  import { mkdirSync, writeFileSync } from 'node:fs';
  import { basename } from 'node:path';
  const { bundle } = await import(process.cwd() + '/test/build/build.mjs');
  mkdirSync('dist');
  for (const { path, contents } of (await bundle()).outputFiles) writeFileSync('dist/' + basename(path), contents);`;

/** The ferry of a revision, built with the packages that are installed here. */
async function buildEarlier(revision: string): Promise<BuiltFerry> {
  const folder = mkdtempSync(join(tmpdir(), 'ferry-earlier-'));
  const own = join(folder, 'ferry');
  mkdirSync(own);
  const archive = execFileSync('git', ['archive', '--format=tar', revision], { cwd: root, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x', '-C', own], { input: archive });
  symlinkSync(join(root, 'node_modules'), join(own, 'node_modules'));
  execFileSync(process.execPath, ['--input-type=module', '--eval', bundling], { cwd: own });
  const ferry = await buildFerry(own);
  const remove = (): void => {
    ferry.remove();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...ferry, remove };
}

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
