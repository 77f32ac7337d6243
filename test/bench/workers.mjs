/**
 * What a store and its workers bear: lines a second with 1, 2 and 4 workers, how long a long batch takes to submit, to look
 * at, to cancel and to read, and how much memory a worker takes that pays others beside it. On two cores with other work on
 * both, 1,000,000 lines took 55 s to submit, 32 s to cancel and 9 to 12 s to read; a worker beside them had at most 121 MiB.
 *
 * `npm run build`, then `node test/bench/workers.mjs --store postgres://ferry@127.0.0.1/empty`, an empty database. More:
 * `--lines 240 --long 1000000 --beside 200`; `--lines 0` and `--beside 0` pay nothing.
 */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { ferry, residentMib } from './measure.mjs';

const { values } = parseArgs({
  options: {
    store: { type: 'string' },
    lines: { type: 'string', default: '80' },
    long: { type: 'string', default: '100000' },
    beside: { type: 'string', default: '200' },
  },
});
if (values.store === undefined) throw new Error('Name an empty database: --store postgres://…');
const folder = mkdtempSync(join(tmpdir(), 'ferry-workers-'));
const payers = ['dev1', 'dev2', 'dev3', 'dev4', 'dev5', 'dev6', 'dev7', 'dev8'];
const env = {
  ...process.env,
  FERRY_STORE: values.store,
  FERRY_STATE_DIR: join(folder, 'state'),
  FERRY_RATE_LIMIT: '0',
};
mkdirSync(env.FERRY_STATE_DIR, { mode: 0o700 });
writeFileSync(join(env.FERRY_STATE_DIR, 'secret'), `${'5e'.repeat(32)}\n`, { mode: 0o600 });

try {
  const { baseUrl, rpcUrls } = run('sandbox', 'start');
  Object.assign(env, { FERRY_BASE_URL: baseUrl, FERRY_RPC_URL_ALPHA: rpcUrls.alpha, FERRY_RPC_URL_BETA: rpcUrls.beta });
  run('store', 'init');
  const submitter = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
  /** @param {number} workers @param {string} lines @param {string} name */
  const pay = async (workers, lines, name) => {
    run('batch', 'submit', batch(Number(lines), name), '--name', name, '--yes');
    const args = ['worker', '--once', '--accounts', payers.join(), '--submitters', submitter, '--json'];
    const concurrency = ['--concurrency', String(payers.length / workers)];
    const startedAt = performance.now();
    const ended = await Promise.all(Array.from({ length: workers }, () => finished([...args, ...concurrency])));
    const seconds = (performance.now() - startedAt) / 1000;
    const rate = (Number(lines) / seconds).toFixed(1);
    const done = ended.map((each) => each.done).join(' + ');
    const most = Math.max(...ended.map(({ mib }) => mib)).toFixed(0);
    return `${lines} lines in ${seconds.toFixed(1)} s, ${rate} a second (${done}), at most ${most} MiB resident`;
  };
  if (Number(values.lines) > 0)
    for (const workers of [1, 2, 4])
      console.log(`${workers} workers: ${await pay(workers, values.lines, `by-${workers}`)}`);
  const file = batch(Number(values.long), 'long');
  // Of somebody whose batches the worker does not take.
  const other = ['--account', 'dev9'];
  timed('submitted', () => run('batch', 'submit', file, '--name', 'long', '--yes', ...other));
  timed('status at once', () => run('batch', 'status', 'long'));
  if (Number(values.beside) > 0) console.log(`1 worker beside them: ${await pay(1, values.beside, 'beside')}`);
  timed('the same again', () => run('batch', 'submit', file, '--name', 'long', '--yes', ...other));
  await vacuumed();
  timed('status', () => run('batch', 'status', 'long'));
  timed('canceled', () => run('batch', 'cancel', 'long', '--yes'));
  const out = join(folder, 'results.ndjson');
  timed('results', () => run('batch', 'results', 'long', '-o', out));
  console.log(`results are ${(statSync(out).size / 2 ** 20).toFixed(0)} MiB`);
} finally {
  spawnSync(process.execPath, [ferry, 'sandbox', 'stop', '--json'], { env });
  rmSync(folder, { recursive: true, force: true });
}

/** @param {number} lines @param {string} name */
function batch(lines, name) {
  const path = join(folder, `${name}.ndjson`);
  const output = openSync(path, 'w');
  for (let at = 0; at < lines; at += 1_000) {
    const some = Array.from({ length: Math.min(1_000, lines - at) }, (_, index) => ({
      id: `line-${at + index}`,
      amount: '1',
      from: 'alpha/usdc',
      to: 'beta/usdc',
      account: payers[index % payers.length],
    }));
    writeSync(output, some.map((each) => `${JSON.stringify(each)}\n`).join(''));
  }
  closeSync(output);
  return path;
}

/** @param {string} what @param {() => unknown} act */
function timed(what, act) {
  const startedAt = performance.now();
  act();
  console.log(`${values.long} lines, ${what}: ${((performance.now() - startedAt) / 1000).toFixed(2)} s`);
}

/** @param {string[]} args */
function run(...args) {
  const { stdout, stderr } = spawnSync(process.execPath, [ferry, ...args, '--json'], { env, maxBuffer: 2 ** 28 });
  const last = JSON.parse(String(stdout).trimEnd().split('\n').at(-1) ?? '');
  if (!last.ok) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
  return last.data;
}

/**
 * Runs a worker to its end, and resolves to the number of lines that it has paid and the most memory that it had.
 *
 * @param {string[]} args @returns {Promise<{ done: number, mib: number }>}
 */
function finished(args) {
  const child = spawn(process.execPath, [ferry, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  let mib = 0;
  child.stdout.on('data', (part) => {
    text = (text + part).slice(-20_000);
  });
  const looking = setInterval(() => {
    mib = Math.max(mib, residentMib(child.pid));
  }, 50);
  return new Promise((resolve) =>
    child.once('close', () => {
      clearInterval(looking);
      resolve({ done: JSON.parse(text.trimEnd().split('\n').at(-1) ?? '').data.done, mib });
    }),
  );
}

/** Waits for the vacuum that the server makes by itself after many new lines: an index is read alone from then on. */
async function vacuumed() {
  const client = new pg.Client(values.store);
  await client.connect();
  for (let seconds = 0; seconds < 120; seconds++) {
    const { rows } = await client.query(
      `select relallvisible >= relpages * 0.9 as done from pg_class where oid = 'ferry.line'::regclass`,
    );
    if (rows[0].done) break;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  await client.end();
}
