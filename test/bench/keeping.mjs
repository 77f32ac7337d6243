/**
 * What the sandbox keeps, and what that costs: many quotes, some of them paid, then a stop and a start. Prints memory,
 * throughput and times, each with its bound, and looks for every request afterwards. Ends with 1 if a bound is missed.
 * On two cores, 200,000 quotes and 5,000 paid ones ended at 169 MiB, stopped in 0.4 s with 134 MiB on disk and started in 2.1 s.
 *
 * `node test/bench/keeping.mjs`, or `node test/bench/keeping.mjs --quotes 20000 --executes 500` for a short one.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mnemonicToAccount } from 'viem/accounts';
import { bareEnvironment, conclude, ferry, median, report, residentMib } from './measure.mjs';

/** @typedef {{ instance: string, pid: number, baseUrl: string, rpcUrls: { alpha: string, beta: string } }} Started */
/** @typedef {{ to: `0x${string}`, data: `0x${string}`, value: string, chainId: number }} Payment */
/** @typedef {{ steps: { requestId: string, items: { data: Payment }[] }[] }} Quote */
/** @typedef {{ requests: unknown[], total: number }} Page */

const { values } = parseArgs({
  options: {
    quotes: { type: 'string', default: '200000' },
    executes: { type: 'string', default: '5000' },
    workers: { type: 'string', default: '8' },
  },
});
const quotes = Number(values.quotes);
const executes = Number(values.executes);
const workers = Number(values.workers);
/** After so many quotes memory is flat, and a sandbox is warm. */
const settled = Math.min(20_000, Math.round(quotes / 2));
const warm = Math.min(5_000, settled);
/** The quotes of one turn, and how often the full sandbox and the new one take turns. */
const round = Math.min(1_000, warm);
const turns = 11;
const bounds = { seconds: 3, throughput: 0.9, growth: 1.1 };
const folder = mkdtempSync(join(tmpdir(), 'ferry-keeping-'));
const env = { ...bareEnvironment(), FERRY_STATE_DIR: join(folder, 'state') };
const envOfNew = { ...env, FERRY_STATE_DIR: join(folder, 'new') };
const mnemonic = 'test test test test test test test test test test test junk';

try {
  await measure();
} finally {
  for (const its of [env, envOfNew]) run(['sandbox', 'stop', '--json'], its);
  rmSync(folder, { recursive: true, force: true });
}
conclude();

async function measure() {
  const at = start().data;
  /** @type {string[]} */
  const ids = [];
  /** @type {string[]} */
  const paid = [];
  /** Resident memory in MiB after every 100 quotes. @type {number[]} */
  const memory = [];
  let made = 0;
  let next = 0;
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      const account = mnemonicToAccount(mnemonic, { addressIndex: worker });
      for (let nonce = 0; next < quotes; ) {
        const number = next++;
        const isPaid = Math.floor(((number + 1) * executes) / quotes) > Math.floor((number * executes) / quotes);
        const quote = await ask(at, account.address);
        const [step] = quote.steps;
        if (!step?.items[0]) throw new Error('The quote has no step.');
        ids.push(step.requestId);
        if (isPaid) {
          const { to, data, value, chainId } = step.items[0].data;
          const raw = await account.signTransaction({
            ...{ to, data, chainId, nonce: nonce++, type: 'eip1559', gas: 300_000n, value: BigInt(value) },
            ...{ maxFeePerGas: 20_000_000n, maxPriorityFeePerGas: 10_000_000n },
          });
          await rpc(at.rpcUrls.alpha, 'eth_sendRawTransaction', [raw]);
          paid.push(step.requestId);
        }
        made += 1;
        if (made % 100 === 0) memory.push(residentMib(at.pid));
        if (made % Math.ceil(quotes / 10) === 0) tell(at, made);
      }
    }),
  );
  for (const id of paid) await until(at, id);
  // Resident memory goes up and down with each collection.
  const atFirst = median(memory.slice((settled - settled / 4) / 100, settled / 100));
  const atLast = median(memory.slice(-settled / 4 / 100));
  bound('memory at the end, MiB', atLast, atFirst * bounds.growth, `${atFirst.toFixed(0)} after ${settled}`);
  const { share, note } = await throughput(at);
  bound('time for a quote, of that of a new sandbox', 1 / share, 1 / bounds.throughput, note);
  bound(
    'stop, seconds',
    seconds(() => run(['sandbox', 'stop', '--json'])),
    bounds.seconds,
    sizes(),
  );
  const { ms, data: again } = start();
  bound('start, seconds', ms / 1000, bounds.seconds, `memory then ${residentMib(again.pid).toFixed(0)} MiB`);
  if (again.instance !== at.instance) throw new Error('It is another instance.');
  await look(again, ids, new Set(paid));
}

/**
 * The throughput of the full sandbox, of that of a new one that is warm. They take turns, so that whatever else the machine
 * does meets both.
 *
 * @param {Started} full
 */
async function throughput(full) {
  const empty = start(envOfNew).data;
  await many(empty, warm);
  await many(full, round);
  const shares = [];
  for (let turn = 0; turn < turns; turn++) {
    const first = turn % 2 === 0 ? full : empty;
    const [a, b] = [await many(first, round), await many(first === full ? empty : full, round)];
    shares.push(first === full ? b / a : a / b);
  }
  const share = median(shares);
  const each = shares.map((value) => value.toFixed(2)).join(' ');
  return { share, note: `its throughput is ${share.toFixed(2)} × that of a new one: ${each}` };
}

/**
 * Asks for many quotes, and says how long that took.
 *
 * @param {Started} at
 * @param {number} count
 */
async function many(at, count) {
  const { address } = mnemonicToAccount(mnemonic);
  const started = performance.now();
  let left = count;
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (left-- > 0) await ask(at, address);
    }),
  );
  return performance.now() - started;
}

/**
 * Looks for every request, by its id, and counts the delivered ones by their status.
 *
 * @param {Started} at
 * @param {readonly string[]} ids
 * @param {ReadonlySet<string>} paid
 */
async function look(at, ids, paid) {
  const left = [...ids];
  let missing = 0;
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (let id = left.pop(); id; id = left.pop())
        if ((await statusOf(at, id)) !== (paid.has(id) ? 'success' : 'waiting')) missing++;
    }),
  );
  bound('requests that are not as they were', missing, 0, `of ${ids.length}`);
  const started = performance.now();
  const headers = { 'x-api-key': 'sandbox-key' };
  const page = /** @type {Page} */ (
    await json(`${at.baseUrl}/requests/v3?status=success&includeTotal=true&limit=20`, { headers })
  );
  bound(
    'delivered requests that are not listed',
    executes - page.total,
    0,
    `${(performance.now() - started).toFixed(0)} ms to count`,
  );
}

function start(its = env) {
  const started = performance.now();
  const { data } = JSON.parse(run(['sandbox', 'start', '--idle', '0', '--json'], its));
  return { ms: performance.now() - started, data: /** @type {Started} */ (data) };
}

/**
 * @param {Started} at
 * @param {string} user
 */
async function ask({ baseUrl }, user) {
  const native = `0x${'0'.repeat(40)}`;
  const body = {
    ...{ user, recipient: user, tradeType: 'EXACT_INPUT', amount: '1000000000000000' },
    ...{ originChainId: 313371, originCurrency: native, destinationChainId: 313372, destinationCurrency: native },
  };
  return /** @type {Quote} */ (await json(`${baseUrl}/quote/v2`, post(body)));
}

/**
 * @param {Started} at
 * @param {string} id
 */
async function statusOf({ baseUrl }, id) {
  const { status } = /** @type {{ status: string }} */ (await json(`${baseUrl}/intents/status/v3?requestId=${id}`));
  return status;
}

/**
 * @param {Started} at
 * @param {string} id
 */
async function until(at, id) {
  for (const deadline = Date.now() + 60_000; (await statusOf(at, id)) !== 'success'; ) {
    if (Date.now() > deadline) throw new Error(`${id} is still ${await statusOf(at, id)}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * @param {string} url
 * @param {string} method
 * @param {unknown[]} params
 */
async function rpc(url, method, params) {
  const answer = /** @type {{ error?: { message: string } }} */ (
    await json(url, post({ jsonrpc: '2.0', id: 1, method, params }))
  );
  if (answer.error) throw new Error(answer.error.message);
}

/** @param {unknown} body */
function post(body) {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/**
 * @param {string} url
 * @param {RequestInit} [init]
 * @returns {Promise<unknown>}
 */
async function json(url, init) {
  const response = await fetch(url, init).catch((error) => {
    // The server closed a kept connection just as it was used. A quote or a look can be asked for again.
    if (!/quote|status/.test(url)) throw error;
    return fetch(url, init);
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return await response.json();
}

/** @param {string[]} args */
function run(args, its = env) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [ferry, ...args], { env: its, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

/** @param {() => void} work */
function seconds(work) {
  const started = performance.now();
  work();
  return (performance.now() - started) / 1000;
}

/**
 * @param {Started} at
 * @param {number} count
 */
function tell({ pid }, count) {
  console.log(`      ${count} quotes: ${residentMib(pid).toFixed(0)} MiB`);
}

function sizes() {
  const state = join(folder, 'state', 'sandbox', 'state');
  const bytes = readdirSync(state).reduce((sum, file) => sum + statSync(join(state, file)).size, 0);
  return `${(bytes / 1024 / 1024).toFixed(0)} MiB on disk`;
}

/**
 * @param {string} name
 * @param {number} value
 * @param {number} most
 * @param {string} note
 */
function bound(name, value, most, note) {
  report(name, value <= most, `${value.toFixed(2)}, bound ${most.toFixed(2)} (${note})`);
}
