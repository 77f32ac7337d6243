/**
 * The bounds on time, each measured and printed with its bound. Ends with 1 where one is missed.
 *
 * `npm run bench`, or `npm run bench -- --turns 81 --lines 10000` for steadier figures, `--only far` for one part. With
 * `--once`, each part is done once and holds nothing to its bound: whether all of it runs.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { bareEnvironment, ferry, median, medians, run } from './measure.mjs';

/** @import { Timed } from './measure.mjs' */

/**
 * What the commands and scripts answer that are measured here, each with some of it.
 *
 * @typedef {object} Data
 * @property {string} baseUrl
 * @property {string} venueUrl
 * @property {{ alpha: string, beta: string }} rpcUrls
 * @property {number} seconds
 * @property {number} ms
 * @property {number} sign
 * @property {number} plain
 * @property {[Measured, Measured, Measured]} measured
 */

/** @typedef {{ size: number, seconds: number, bare: number, bytes: number }} Measured */

/** @typedef {{ chains: { id: number, erc20Currencies: { symbol: string, address: string }[] }[] }} Chains */

const { values } = parseArgs({
  options: {
    turns: { type: 'string', default: '31' },
    lines: { type: 'string', default: '2000' },
    only: { type: 'string' },
    once: { type: 'boolean', default: false },
  },
});
const { once: isOnce } = values;
const turns = isOnce ? 1 : Number(values.turns);
const lineCount = isOnce ? 8 : Number(values.lines);
const folder = mkdtempSync(join(tmpdir(), 'ferry-bench-'));
const env = environment(join(folder, 'state'));
const dev0 = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
/** It has tokens and cannot pay for gas. */
const dev9 = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720';
let missed = 0;

/** In this order: the first that asks the sandbox starts it. */
const parts = { startUp, quote, proof, execute, far, accounts, withdrawal, trace, venue, batch, sandbox };

try {
  for (const [name, part] of Object.entries(parts)) if (!values.only || values.only === name) await part();
} finally {
  stop(env);
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = missed && !isOnce ? 1 : 0;

/** The fast answers, against a process that does nothing. */
function startUp() {
  const empty = join(folder, 'empty.mjs');
  writeFileSync(empty, '');
  /** @satisfies {Readonly<Record<string, Timed>>} */
  const commands = {
    empty: { args: [empty] },
    '--version': { args: [ferry, '--version'], check: (text) => expect(/^\d+\.\d+\.\d+/.test(text), text) },
    '--help': { args: [ferry, '--help'], check: (text) => expect(text.includes('quote'), text) },
    words: { args: [ferry, '__complete', 'zsh', 'ferry', ''], check: (text) => expect(text.includes('quote\t'), text) },
    tokens: {
      args: [ferry, '__complete', 'bash', ' =', 'ferry quote --network mainnet 1 base/'],
      check: (text) => expect(text.includes('base/usdc\n'), text),
    },
  };
  const ms = medians(commands, { turns, env });
  console.log(`An empty .mjs takes ${ms.empty.toFixed(1)} ms.`);
  ratio('ferry --version', ms['--version'], ms.empty, 1.2);
  ratio('ferry --help', ms['--help'], ms.empty, 1.5);
  ratio('ferry __complete, a command', ms.words, ms.empty, 1.2);
  ratio('ferry __complete, a token of mainnet', ms.tokens, ms.empty, 1.2);
}

/**
 * A quote against a running sandbox, against a script that only sends the same request. What a quote still costs, by a
 * profile of Node 20, of 230 ms in it: 33 ms to load the compiled code, 27 ms for modules of Node's own, 18 ms of garbage
 * collection, 15 ms for undici, 13 ms to build schemas, 11 ms to recover the solver.
 */
async function quote() {
  const { baseUrl } = data(run({ args: [ferry, 'sandbox', 'start', '--json'], env }).stdout);
  const bare = await bundle('bare.mjs');
  const flagged = join(folder, 'flagged.mjs');
  writeFileSync(
    flagged,
    `import v8 from 'node:v8';v8.setFlagsFromString('--liftoff-only');await import('./bare.mjs');`,
  );
  const sent = [`${baseUrl}/quote/v2`, JSON.stringify(await body(baseUrl))];
  /** @satisfies {Readonly<Record<string, Timed>>} */
  const commands = {
    bare: { args: [bare, ...sent], check: (text) => expect('steps' in JSON.parse(text), text) },
    flagged: { args: [flagged, ...sent], check: (text) => expect('steps' in JSON.parse(text), text) },
    quote: {
      args: [ferry, 'quote', '100', 'alpha/usdc', 'beta/usdc', '--json'],
      check: (text) => expect(data(text), text),
    },
  };
  const ms = medians(commands, { turns, env });
  // On Node 20, ferry spares itself the optimising compilation of undici's WebAssembly: the script does, too.
  const like = process.version.startsWith('v20.') ? ms.flagged : ms.bare;
  console.log(
    `One POST with undici takes ${ms.bare.toFixed(0)} ms, with V8's --liftoff-only ${ms.flagged.toFixed(0)} ms.`,
  );
  ratio('ferry quote --json', ms.quote, like, 1.2);
}

/**
 * Many quotes, against a loop of undici that sends the same requests, eight at a time both: on this machine, where the sandbox
 * takes a core of its own and the proofs another, and with 100 ms before the service. Their sandbox keeps every one, so that
 * it is another one than the others' and thrown away each time.
 */
async function batch() {
  const its = environment(join(folder, 'batch'));
  const [file, out] = [join(folder, 'batch.ndjson'), join(folder, 'results.ndjson')];
  const transfer = { from: 'alpha/usdc', to: 'beta/usdc' };
  const amount = (/** @type {number} */ index) => `100.${String(index).padStart(6, '0')}`;
  const lines = Array.from({ length: lineCount }, (_, id) => JSON.stringify({ id, amount: amount(id), ...transfer }));
  writeFileSync(file, `${lines.join('\n')}\n`);
  const script = await bundle('bareBatch.mjs');
  const throughput = async (/** @type {string} */ near, url = near, at = its) => {
    const sent = [`${url}/quote/v2`, JSON.stringify(await body(near)), String(lineCount), '8'];
    rmSync(out, { force: true });
    const bare = data(run({ args: [script, ...sent], env: at }).stdout).seconds;
    const { stdout } = run({ args: [ferry, 'quote', '--batch', file, '--out', out], env: at });
    const [, seconds] = /^\d+ succeeded in ([\d.]+) s$/m.exec(stdout) ?? [];
    expect(seconds, stdout);
    return bare / Number(seconds);
  };
  const [close, far] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  for (let turn = 0; turn < (isOnce ? 1 : 3); turn++) {
    close.push(await throughput(data(run({ args: [ferry, 'sandbox', 'start', '--json'], env: its }).stdout).baseUrl));
    await behindLatency(async (away, { near, service }) => void far.push(await throughput(near, service, away)), its);
    run({ args: [ferry, 'sandbox', 'reset', '--yes', '--json'], env: its });
  }
  const bound = availableParallelism() > 2 ? 0.95 : 0.9;
  atLeast(`the throughput of ${lineCount} quotes, of bare undici`, median(close), bound);
  atLeast('the same, 100 ms away', median(far), 0.95);
}

/** One proof, without the simulation, in a process that has done a few hundred. */
async function proof() {
  const script = await bundle('proof.ts');
  const recorded = fileURLToPath(new URL('../recorded/quote-bridge.json', import.meta.url));
  const { ms } = data(run({ args: [script, recorded, isOnce ? '2' : '600'], env }).stdout);
  report('a proof, warm', `${ms.toFixed(2)} ms`, '2 ms', ms < 2);
}

/** A whole transfer, proved and simulated, against a bare viem script that sends the same without looking. */
async function execute() {
  const { baseUrl, rpcUrls } = data(run({ args: [ferry, 'sandbox', 'start', '--json'], env }).stdout);
  const sent = [baseUrl, rpcUrls.alpha, JSON.stringify(await body(baseUrl))];
  /** @satisfies {Readonly<Record<string, Timed>>} */
  const commands = {
    bare: { args: [await bundle('bareExecute.ts'), ...sent], check: data },
    ferry: { args: [ferry, 'execute', '100', 'alpha/usdc', 'beta/usdc', '--yes', '--json'], check: data },
  };
  const ms = medians(commands, { turns: Math.min(turns, 21), env });
  ratio('ferry execute, against bare viem', ms.ferry, ms.bare, 1.15);
}

/**
 * Runs with 100 ms before every server of the sandbox.
 *
 * @param {(away: NodeJS.ProcessEnv, servers: Readonly<Record<'near' | 'service' | 'venue' | 'alpha', string>>) => unknown} runs
 */
async function behindLatency(runs, at = env) {
  const { baseUrl, venueUrl, rpcUrls } = data(run({ args: [ferry, 'sandbox', 'start', '--json'], env: at }).stdout);
  const servers = [baseUrl, venueUrl, rpcUrls.alpha, rpcUrls.beta];
  const script = fileURLToPath(new URL('latency.mjs', import.meta.url));
  const latency = spawn(process.execPath, [script, '100', ...servers], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(latency.stdout, 'data');
    const [service = '', venue = '', alpha = '', beta] = /** @type {string[]} */ (JSON.parse(String(line)));
    const urls = { FERRY_BASE_URL: service, FERRY_VENUE_URL: venue };
    const away = { ...at, ...urls, FERRY_RPC_URL_ALPHA: alpha, FERRY_RPC_URL_BETA: beta };
    await runs(away, { near: baseUrl, service, venue, alpha });
  } finally {
    latency.kill();
  }
}

/** The same with 100 ms before every server, where round trips are what takes time. */
async function far() {
  await behindLatency(async (away, { near, service, venue: venueAt, alpha }) => {
    const sent = JSON.stringify(await body(near));
    const gasless = JSON.stringify({ ...(await body(near, dev9)), originGasOverhead: 80_000 });
    const leaving = JSON.stringify(await fromVenue(near));
    /** @satisfies {Readonly<Record<string, Timed>>} */
    const commands = {
      post: { args: [await bundle('bare.mjs'), `${service}/quote/v2`, sent] },
      quote: { args: [ferry, 'quote', '100', 'alpha/usdc', 'beta/usdc', '--json'], check: data },
      bare: { args: [await bundle('bareExecute.ts'), service, alpha, sent], check: data },
      execute: { args: [ferry, 'execute', '100', 'alpha/usdc', 'beta/usdc', '--yes', '--json'], check: data },
      gasless: {
        args: [ferry, 'execute', '100', 'alpha/usdc', 'beta/usdc', '--gasless', '--account', 'dev9', '--yes', '--json'],
        check: data,
      },
      bareGasless: { args: [await bundle('bareGasless.ts'), service, alpha, gasless], check: data },
      withdraw: { args: [ferry, 'venue', 'withdraw', '20', 'alpha/usdc', '--yes', '--json'], check: data },
      bareWithdrawal: { args: [await bundle('bareWithdrawal.ts'), service, venueAt, leaving], check: data },
    };
    const ms = medians(commands, { turns: Math.min(turns, 15), env: away });
    console.log(`With 100 ms before every server, one POST takes ${ms.post.toFixed(0)} ms.`);
    ratio('ferry quote --json, 100 ms away', ms.quote, ms.post, 1.1);
    ratio('ferry execute, 100 ms away, against bare viem', ms.execute, ms.bare, 0.9);
    ratio('ferry execute --gasless, 100 ms away, likewise', ms.gasless, ms.bareGasless, 1);
    ratio('ferry venue withdraw, 100 ms away, likewise', ms.withdraw, ms.bareWithdrawal, 1);
  });
}

/** Transfers of eight accounts in one batch, against as many of one account, with the same latency. */
async function accounts() {
  await behindLatency((away) => {
    const file = join(folder, 'accounts.ndjson');
    const transfers = isOnce ? 8 : 200;
    const msOf = (/** @type {number} */ count) => {
      const transfer = { from: 'alpha/usdc', to: 'beta/usdc' };
      const lines = Array.from({ length: transfers }, (_, id) =>
        JSON.stringify({ id, amount: '1', ...transfer, account: `dev${id % count}` }),
      );
      writeFileSync(file, `${lines.join('\n')}\n`);
      const out = `${file}.${count}.out`;
      const { ms, stdout } = run({ args: [ferry, 'execute', '--batch', file, '--out', out, '--yes'], env: away });
      expect(stdout.includes(`${transfers} succeeded`), stdout);
      return ms;
    };
    atLeast(`${transfers} transfers of 8 accounts, 100 ms away`, msOf(1) / msOf(8), 5);
  });
}

/** A withdrawal from the venue up to its signatures, against a quote. */
function withdrawal() {
  /** @satisfies {Readonly<Record<string, Timed>>} */
  const commands = {
    quote: { args: [ferry, 'quote', '100', 'alpha/usdc', 'beta/usdc', '--json'], check: data },
    sign: {
      args: [ferry, 'venue', 'withdraw', '100', 'alpha/usdc', '--sign-only', '--yes', '--json'],
      check: (text) => data(text),
    },
  };
  const ms = medians(commands, { turns, env });
  ratio('venue withdraw --sign-only, against a quote', ms.sign, ms.quote, 1.5);
}

/** Traces of growing size, read, decoded and rendered, against viem that only decodes; time and memory that grow with the calls. */
async function trace() {
  const { measured } = data(
    run({ args: ['--expose-gc', await bundle('trace.ts'), isOnce ? 'once' : 'all'], env }).stdout,
  );
  for (const { size, seconds: taken, bytes } of measured)
    console.log(`      a trace of ${size} calls: ${taken.toFixed(2)} s, ${(bytes / 2 ** 20).toFixed(1)} MiB`);
  const [, smaller, largest] = measured;
  ratio(`a trace of ${largest.size} calls, against viem`, largest.seconds * 1000, largest.bare * 1000, 1.5);
  const grows = (/** @type {'seconds' | 'bytes'} */ what) => largest[what] / smaller[what];
  report('its time, against a tenth of the calls', `${grows('seconds').toFixed(1)} ×`, '12 ×', grows('seconds') <= 12);
  report('its memory, against a tenth of the calls', `${grows('bytes').toFixed(1)} ×`, '12 ×', grows('bytes') <= 12);
}

/**
 * A signature for the venue with all that is verified before it is given away, against one multiplication of a point as the
 * tests have it, with plain bigints, in a process that has done some; and both as the first thing that a process does.
 */
async function venue() {
  const script = await bundle('venue.ts');
  const { sign, plain } = data(run({ args: [script], env }).stdout);
  console.log(`One plain multiplication of a point takes ${plain.toFixed(1)} ms.`);
  const bound = 0.9;
  report(
    'a signature for the venue, warm',
    `${(sign / plain).toFixed(2)} × (${sign.toFixed(1)} ms)`,
    `${bound} ×`,
    sign / plain <= bound,
  );
  const cold = (/** @type {string} */ name) =>
    median(Array.from({ length: isOnce ? 1 : 9 }, () => data(run({ args: [script, name], env }).stdout).ms));
  const [first, against] = [cold('cold-sign'), cold('cold-plain')];
  console.log(`      the first of a process: ${first.toFixed(1)} ms (${(first / against).toFixed(2)} ×), no bound`);
}

/**
 * A script of this folder as one file.
 *
 * @param {string} name
 */
async function bundle(name) {
  const outfile = join(folder, name.replace(/\.ts$/, '.mjs'));
  await build({
    entryPoints: [fileURLToPath(new URL(name, import.meta.url))],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.18',
    banner: { js: `import{createRequire}from'node:module';const require=createRequire(import.meta.url);` },
    logLevel: 'error',
  });
  return outfile;
}

/**
 * What the bare script asks: the quote that ferry asks for.
 *
 * @param {string} baseUrl
 * @param {string} user
 */
async function body(baseUrl, user = dev0) {
  return {
    user,
    recipient: user,
    refundTo: user,
    originChainId: 313371,
    destinationChainId: 313372,
    originCurrency: await usdc(baseUrl, 313371),
    destinationCurrency: await usdc(baseUrl, 313372),
    amount: '100000000',
    tradeType: 'EXACT_INPUT',
    referrer: 'sandbox-referrer',
  };
}

/**
 * The same for a withdrawal from the venue, for which the script fills in the account.
 *
 * @param {string} baseUrl
 */
async function fromVenue(baseUrl) {
  return {
    ...(await body(baseUrl)),
    originChainId: 3586256,
    originCurrency: '0',
    destinationChainId: 313371,
    destinationCurrency: await usdc(baseUrl, 313371),
    amount: '20000000',
  };
}

/**
 * @param {string} baseUrl
 * @param {number} id
 */
async function usdc(baseUrl, id) {
  const answer = await fetch(`${baseUrl}/chains`, { headers: { 'x-api-key': 'sandbox-key' } });
  const { chains } = /** @type {Chains} */ (await answer.json());
  return chains.find((chain) => chain.id === id)?.erc20Currencies.find(({ symbol }) => symbol === 'USDC')?.address;
}

/** How long the sandbox takes to be ready where there was none, and a bridge on it from the quote to success. */
function sandbox() {
  const starts = [1, 2, 3, 4, 5].slice(0, isOnce ? 1 : 5).map((number) => {
    const cold = environment(join(folder, `cold-${number}`));
    try {
      return run({ args: [ferry, 'sandbox', 'start', '--json'], env: cold, check: data }).ms;
    } finally {
      stop(cold);
    }
  });
  seconds('a cold start of the sandbox', median(starts), 2);
  const bridges = [1, 2, 3, 4, 5, 6, 7]
    .slice(0, isOnce ? 1 : 7)
    .map(
      () => run({ args: [ferry, 'execute', '100', 'alpha/usdc', 'beta/usdc', '--yes', '--json'], env, check: data }).ms,
    );
  seconds('a bridge, from the quote to success', median(bridges), 2);
}

/** @param {NodeJS.ProcessEnv} its */
function stop(its) {
  run({ args: [ferry, 'sandbox', 'stop', '--json'], env: its });
}

/**
 * As most people have it: no extra certificates, nothing configured, a state folder of its own.
 *
 * @param {string} stateDir
 * @returns {NodeJS.ProcessEnv}
 */
function environment(stateDir) {
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...kept } = bareEnvironment();
  return { ...kept, FERRY_STATE_DIR: stateDir, XDG_CONFIG_HOME: join(folder, 'config') };
}

/**
 * The data of an envelope, which is the last line.
 *
 * @param {string} text
 * @returns {Data}
 */
function data(text) {
  const { ok, data: found } = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
  expect(ok === true, text);
  return found;
}

/**
 * @param {unknown} holds
 * @param {string} text
 */
function expect(holds, text) {
  if (!holds) throw new Error(`Not the answer that was to be timed:\n${text}`);
}

/**
 * @param {string} name
 * @param {number} ms
 * @param {number} against
 * @param {number} bound
 */
function ratio(name, ms, against, bound) {
  report(name, `${(ms / against).toFixed(2)} × (${ms.toFixed(1)} ms)`, `${bound} ×`, ms / against <= bound);
}

/**
 * @param {string} name
 * @param {number} ms
 * @param {number} bound
 */
function seconds(name, ms, bound) {
  report(name, `${(ms / 1000).toFixed(2)} s`, `${bound} s`, ms / 1000 < bound);
}

/**
 * @param {string} name
 * @param {number} share
 * @param {number} bound
 */
function atLeast(name, share, bound) {
  report(name, `${share.toFixed(2)} ×`, `${bound} ×`, share >= bound, 'least');
}

/**
 * @param {string} name
 * @param {string} measured
 * @param {string} bound
 * @param {boolean} holds
 * @param {'least' | 'most'} side
 */
function report(name, measured, bound, holds, side = 'most') {
  if (!holds) missed++;
  console.log(
    `${isOnce ? 'ran ' : holds ? 'pass' : 'FAIL'}  ${name.padEnd(46)} ${measured.padStart(20)}   at ${side} ${bound}`,
  );
}
