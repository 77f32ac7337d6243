/**
 * What commands cost with a long history: each with 100 journals and with 100,000, as a ratio, and its memory.
 *
 * `node test/bench/history.mjs`, or `node test/bench/history.mjs --journals 20000 --turns 15`. Ends with 1 if a bound is
 * missed.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, linkSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { conclude, ferry, median, report } from './measure.mjs';

const { values } = parseArgs({
  options: { turns: { type: 'string', default: '9' }, journals: { type: 'string', default: '100000' } },
});
const few = 100;
const many = Number(values.journals);
const turns = Number(values.turns);
const folder = mkdtempSync(join(tmpdir(), 'ferry-history-'));
const bounds = { ratio: 1.5, mib: 120 };

/** Prints the peak memory of a process on its third stream. */
const meter = `process.on('exit', () => process.getBuiltinModule('fs').writeSync(3, String(process.resourceUsage().maxRSS)));`;

const execute = ['execute', '1', 'alpha/usdc', 'beta/usdc', '--yes', '--json'];

/** @type {Readonly<Record<string, { args: string[], status: number }>>} */
const commands = {
  'runs list': { args: ['runs', 'list', '--json'], status: 0 },
  'runs list --unfinished': { args: ['runs', 'list', '--unfinished', '--json'], status: 0 },
  'resume, with nothing to resume': { args: ['resume', '--json'], status: 2 },
  'execute, which creates a run': { args: execute, status: 0 },
  doctor: { args: ['doctor', '--json'], status: 0 },
};

const server = environment('server');
try {
  const { baseUrl, rpcUrls } = JSON.parse(run(['sandbox', 'start', '--json'], 0, server).stdout).data;
  const at = { FERRY_BASE_URL: baseUrl, FERRY_RPC_URL_ALPHA: rpcUrls.alpha, FERRY_RPC_URL_BETA: rpcUrls.beta };
  const states = [few, many].map((count) => ({ count, env: { ...environment(String(count)), ...at } }));
  for (const { count, env } of states) fill(env, count);
  for (const { count, env } of states) {
    const { ms, mib } = run(['runs', 'list', '--unfinished', '--json'], 0, env);
    const figures = `in ${(ms / 1000).toFixed(2)} s, ${mib.toFixed(0)} MiB`;
    report(`the index of ${count} journals is built`, mib <= bounds.mib, figures);
  }
  for (const [name, { args, status }] of Object.entries(commands)) compare(name, args, status, states);
} finally {
  run(['sandbox', 'stop', '--json'], 0, server);
  rmSync(folder, { recursive: true, force: true });
}
conclude();

/**
 * @param {string} name
 * @param {string[]} args
 * @param {number} status
 * @param {{ count: number, env: NodeJS.ProcessEnv }[]} states
 */
function compare(name, args, status, states) {
  const found = states.map(({ count, env }) => ({ count, env, ms: /** @type {number[]} */ ([]), mib: 0 }));
  for (let turn = 0; turn <= turns; turn++)
    for (const each of found) {
      const { ms, mib } = run(args, status, each.env);
      if (turn > 0) each.ms.push(ms);
      each.mib = Math.max(each.mib, mib);
    }
  const [a, b] = found.map(({ ms }) => median(ms));
  const ratio = (b ?? 0) / (a ?? 1);
  const mib = found[1]?.mib ?? 0;
  const isMet = ratio <= bounds.ratio && mib <= bounds.mib;
  const figures = `${ratio.toFixed(2)} × (${a?.toFixed(0)} and ${b?.toFixed(0)} ms), ${mib.toFixed(0)} MiB`;
  report(name, isMet, `${figures}; at most ${bounds.ratio} × and ${bounds.mib} MiB`);
}

/**
 * Fills a state directory with journals of a real run, under many names.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {number} count
 */
function fill(env, count) {
  run(execute, 0, env);
  const runs = join(env.FERRY_STATE_DIR ?? '', 'runs');
  const real = join(runs, readdirSync(runs).find((name) => name.endsWith('.jsonl')) ?? '');
  // A file can have only so many names.
  const perCopy = 10_000;
  for (let n = 0; n < count; n++) {
    const copy = join(runs, `20250101-000000-${(n - (n % perCopy)).toString(16).padStart(6, '0')}.jsonl`);
    if (n % perCopy === 0) copyFileSync(real, copy);
    else linkSync(copy, join(runs, `20250101-000000-${n.toString(16).padStart(6, '0')}.jsonl`));
  }
}

/**
 * @param {string[]} args
 * @param {number} expected
 * @param {NodeJS.ProcessEnv} env
 */
function run(args, expected, env) {
  const started = process.hrtime.bigint();
  const { status, stdout, stderr, output } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(meter)}`, ferry, ...args],
    { env, encoding: 'utf8', timeout: 600_000, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] },
  );
  const ms = Number(process.hrtime.bigint() - started) / 1e6;
  if (status !== expected) throw new Error(`${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return { ms, stdout, mib: Number(output[3]) / 1024 };
}

/**
 * @param {string} name
 * @returns {NodeJS.ProcessEnv}
 */
function environment(name) {
  const { PATH } = process.env;
  return { PATH, HOME: join(folder, name), FERRY_STATE_DIR: join(folder, name, 'state') };
}
