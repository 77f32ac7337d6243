/** Attacks by an answer: the service takes what was signed, carries it out, and says that it refuses it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { addFault, clearFaults } from '../support/faults.js';
import { at, type Ended, ferry, temporaryFolder } from '../support/ferry.js';
import { type Behaviour, forward, json, loopback } from '../support/loopback.js';
import { ask, balanceAt, inFrontOf, passOn } from '../support/node.js';
import { sampled } from '../support/sampled.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';
import { until } from '../support/until.js';

/** Every case is always met. How often one is tried again, and how long each waits, is what a sample has less of. */
const all = process.env.REFUSALS === 'all';
const agains = all ? 3 : 1;
const timeout = all ? '3s' : '1s';

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterEach(() => clearFaults(sandbox));
afterAll(() => sandbox.stop());

const usdc = Network.token(Network.chain(network, 'alpha'), 'usdc')?.address ?? '';
const body = { message: 'Invalid input', errorCode: 'INVALID_INPUT', requestId: '0x00' };

/** A payer with a state directory of their own. */
function payer(account: 'dev6' | 'dev7' | 'dev8' | 'dev9') {
  const env = { ...at(sandbox), FERRY_STATE_DIR: temporaryFolder() };
  return {
    env,
    held: (): Promise<bigint> => balanceAt(sandbox.rpcUrls.alpha, usdc, accounts[account].address),
    run: (...argv: string[]): Promise<Ended> => ferry([...argv, '--account', account, '--yes', '--json'], { env }),
  };
}

/** It acts and answers 400, and from then on says that it waits for the deposit. */
async function lies(path: string): Promise<void> {
  await addFault(sandbox, 'service', { kind: 'status-after', status: 400, body, times: 0, match: { path } });
  for (const [field, value] of [
    ['/status', 'waiting'],
    ['/inTxHashes', []],
    ['/txHashes', []],
  ] as const)
    await addFault(sandbox, 'service', {
      kind: 'tamper',
      times: 0,
      match: { path: '/intents/status/v3' },
      path: field,
      value,
    });
}

const ways = [
  ['a batch', '--gasless', '/execute'],
  ['a permit', '--permit', '/execute/permits'],
] as const;

const bridge = ['execute', '10', 'alpha/usdc', 'beta/usdc'];
const transfer = [...bridge, '--timeout', timeout];

describe('attack: refused, but done', () => {
  test.each(sampled(ways, 1))(
    '%s that is carried out and answered with 400 is never untouched, and paid once',
    async (_, way, path) => {
      const one = payer('dev9');
      const before = await one.held();
      await lies(path);
      const first = await one.run(...transfer, way);
      const { error } = first.json();
      expect(['in-flight', 'unknown']).toContain(error.funds);
      expect([9, 10]).toContain(first.code);
      expect(error).toMatchObject({ retryable: false, next: `ferry resume ${error.run} --account dev9` });
      await expect.poll(async () => before - (await one.held())).toBe(10_000_000n);
      for (let again = 0; again < agains; again++) {
        const second = await one.run(...transfer, way);
        expect(second.json().error).toMatchObject({ code: 'run.unfinished', run: error.run });
      }
      await clearFaults(sandbox);
      const resumed = await one.run('resume', error.run);
      expect([resumed.code, resumed.json().data?.status]).toEqual([0, 'success']);
      expect(before - (await one.held())).toBe(10_000_000n);
    },
    60_000,
  );

  test.each(sampled(ways, 1))(
    '%s of a line is paid once by --retry-failed, however often',
    async (_, way, path) => {
      const one = payer('dev9');
      const before = await one.held();
      const folder = temporaryFolder();
      const [file, out] = [join(folder, 'lines.ndjson'), join(folder, 'results.ndjson')];
      const option = way === '--gasless' ? 'gasless' : 'permit';
      writeFileSync(
        file,
        `${JSON.stringify({ id: 1, amount: '10', from: 'alpha/usdc', to: 'beta/usdc', [option]: true })}\n`,
      );
      await lies(path);
      for (let again = 0; again <= agains; again++) {
        const ended = await one.run('execute', '--batch', file, '--out', out, '--retry-failed', '--timeout', timeout);
        expect([9, 10]).toContain(ended.code);
      }
      expect(before - (await one.held())).toBe(10_000_000n);
      for (const line of readFileSync(out, 'utf8').trimEnd().split('\n'))
        expect(['in-flight', 'unknown']).toContain(JSON.parse(line).error.funds);
    },
    60_000,
  );

  test('behavior: answered with 400 and carried out by an honest record, it is followed to its end', async () => {
    for (const [, way, path] of ways) {
      const one = payer('dev9');
      const before = await one.held();
      const { url } = await loopback((response, request) => {
        void forward(sandbox.baseUrl + request.path, request).then(async ({ status, text }) => {
          if (!request.path.startsWith(path)) return json(JSON.parse(text), status)(response, request);
          await until(async () => before - (await one.held()) === 10_000_000n, 'the payment');
          json(body, 400)(response, request);
        });
      });
      const env = { ...one.env, FERRY_BASE_URL: url };
      expect((await ferry([...bridge, way, '--account', 'dev9', '--yes', '--json'], { env })).code).toBe(0);
    }
  }, 60_000);
});

describe('runs cancel', () => {
  const signatures = [
    ['a batch', ['--gasless'], '/execute'],
    ['an authorization', ['--permit'], '/execute/permits'],
    ['a permit', ['--permit', '--referrer', 'debug-eip2612', '--allow', 'order-binding'], '/execute/permits'],
  ] as const;

  test.each(sampled(signatures, 1))(
    'behavior: %s that was refused is made void, and cannot be used any more',
    async (_, flags, path) => {
      const one = payer('dev8');
      const before = await one.held();
      await addFault(sandbox, 'service', { kind: 'status', status: 400, body, times: 0, match: { path } });
      const { error } = (await one.run(...transfer, ...flags)).json();
      expect(error).toMatchObject({ code: 'submit.unknown' });
      await clearFaults(sandbox);
      const ended = await one.run('runs', 'cancel', error.run);
      expect(ended.json().error).toBeUndefined();
      expect(ended.json().data).toMatchObject({ status: 'cancelled', funds: 'untouched' });
      const folder = join(one.env.FERRY_STATE_DIR, 'runs');
      const entries = readFileSync(join(folder, `${error.run}.jsonl`), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).entry);
      const handed = entries.find(({ type }) => type === 'signed-batch' || type === 'signed-permit');
      const query = handed.signature ? `?signature=${handed.signature}` : '';
      // Whoever has the signature tries it now.
      await fetch(`${sandbox.baseUrl}${path}${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(handed.request),
      });
      expect((await one.run(...bridge, ...flags)).code).toBe(0);
      expect(before - (await one.held())).toBe(10_000_000n);
    },
    60_000,
  );

  test.each(sampled(ways, 1))(
    'attack: %s that was carried out is not called canceled',
    async (_, way, path) => {
      const one = payer('dev8');
      const before = await one.held();
      await lies(path);
      const { error } = (await one.run(...transfer, way)).json();
      await expect.poll(async () => before - (await one.held())).toBe(10_000_000n);
      const ended = await one.run('runs', 'cancel', error.run);
      expect([ended.code, ended.json().error]).toMatchObject([9, { code: 'track.unfinished', funds: 'in-flight' }]);
      expect(before - (await one.held())).toBe(10_000_000n);
    },
    60_000,
  );
});

/** A payment that a node refuses: its time limit comes soon after that, and not before. */
const hasty = [...bridge, '--timeout', '1m'];

/** A node that takes a payment, answers with a refusal, and denies that it has it. */
async function refusing(
  status: number,
  error?: object,
): Promise<{ url: string; restore(): void; sends(): number; pace(): number }> {
  const { alpha } = sandbox.rpcUrls;
  let isLying = true;
  let sends = 0;
  const lie =
    (answer: Behaviour): Behaviour =>
    (response, request) =>
      (isLying ? answer : passOn(alpha))(response, request);
  const refuse: Behaviour = (response, request) => {
    sends += 1;
    // The first transaction is the approval.
    if (sends === 1) return passOn(alpha)(response, request);
    passOn(alpha, json(error ? { jsonrpc: '2.0', id: 1, error } : { message: 'Too many requests' }, status))(
      response,
      request,
    );
  };
  const deny = json({ jsonrpc: '2.0', id: 1, result: null });
  const { url } = await inFrontOf(alpha, {
    eth_sendRawTransaction: lie(refuse),
    eth_getTransactionByHash: lie(deny),
    eth_getTransactionReceipt: (response, request) => (isLying && sends > 1 ? deny : passOn(alpha))(response, request),
  });
  return { url, restore: () => (isLying = false), sends: () => sends, pace: () => (isLying && sends > 1 ? 1_000 : 10) };
}

describe('attack: a node refuses a payment that it sends', () => {
  test.each(
    sampled(
      [
        ['429', 429, undefined, 4],
        ['insufficient funds', 200, { code: -32000, message: 'insufficient funds for gas * price + value' }, 2],
        ['nonce too low', 200, { code: -32000, message: 'nonce too low' }, 2],
      ] as const,
      2,
    ),
  )(
    '%s: it is unknown, not repeated, and resumed to its end by the same bytes',
    async (_, status, error, sends) => {
      const one = payer('dev7');
      const before = await one.held();
      const node = await refusing(status, error);
      const env = { ...one.env, FERRY_RPC_URL_ALPHA: node.url };
      const run = (...argv: string[]) =>
        ferry([...argv, '--account', 'dev7', '--yes', '--json'], { env, pace: node.pace });
      const first = await run(...hasty, '--one-by-one');
      const said = first.json().error;
      expect([first.code, said]).toMatchObject([
        10,
        { code: 'submit.unknown', funds: 'unknown', retryable: false, next: `ferry resume ${said.run} --account dev7` },
      ]);
      if (error) expect(said.facts['the node says']).toBe(error.message);
      expect(node.sends()).toBe(sends);
      expect((await run(...transfer)).json().error).toMatchObject({ code: 'run.unfinished', run: said.run });
      expect((await run('status', said.run)).json().data?.funds).not.toBe('untouched');
      node.restore();
      const resumed = await run('resume', said.run);
      expect([resumed.code, resumed.json().data?.funds]).toEqual([0, 'delivered']);
      expect(before - (await one.held())).toBe(10_000_000n);
    },
    60_000,
  );

  test('a line of a batch: --retry-failed does not pay it again', async () => {
    const one = payer('dev7');
    const before = await one.held();
    const node = await refusing(429);
    const folder = temporaryFolder();
    const [file, out] = [join(folder, 'lines.ndjson'), join(folder, 'results.ndjson')];
    writeFileSync(file, `${JSON.stringify({ id: 1, amount: '10', from: 'alpha/usdc', to: 'beta/usdc' })}\n`);
    const argv = ['execute', '--batch', file, '--out', out, '--retry-failed', '--timeout', timeout];
    const ends = [];
    for (let again = 0; again <= agains; again++)
      ends.push(
        await ferry([...argv, '--account', 'dev7', '--yes', '--json'], {
          env: { ...one.env, FERRY_RPC_URL_ALPHA: node.url },
          pace: 20,
        }),
      );
    for (const { code } of ends) expect([9, 10]).toContain(code);
    expect(before - (await one.held())).toBe(10_000_000n);
  }, 60_000);
});

describe('a node refuses a payment, and does not send it', () => {
  test('behavior: too busy once, the payment goes on by itself', async () => {
    const one = payer('dev7');
    let sends = 0;
    const { url } = await inFrontOf(sandbox.rpcUrls.alpha, {
      eth_sendRawTransaction: (response, request) => {
        sends += 1;
        (sends === 2 ? json({}, 429) : passOn(sandbox.rpcUrls.alpha))(response, request);
      },
    });
    const env = { ...one.env, FERRY_RPC_URL_ALPHA: url };
    // At this pace a minute is twenty: a time limit that is not to be reached.
    const argv = [...transfer, '--account', 'dev7', '--yes', '--json', '--timeout', '20m'];
    const ended = await ferry(argv, { env, pace: 20 });
    expect([ended.code, sends]).toEqual([0, 3]);
  });

  test('behavior: the node says why; with another node the run is finished, or canceled', async () => {
    for (const way of ['resume', 'cancel']) {
      const one = payer('dev7');
      const before = await one.held();
      let sends = 0;
      const { url } = await inFrontOf(sandbox.rpcUrls.alpha, {
        eth_sendRawTransaction: (response, request) => {
          sends += 1;
          const error = { code: -32000, message: 'insufficient funds for gas * price + value' };
          (sends > 1 ? json({ jsonrpc: '2.0', id: 1, error }) : passOn(sandbox.rpcUrls.alpha))(response, request);
        },
      });
      const env = { ...one.env, FERRY_RPC_URL_ALPHA: url };
      const pace = () => (sends > 1 ? 1_000 : 10);
      const { error } = (await ferry([...hasty, '--account', 'dev7', '--yes', '--json'], { env, pace })).json();
      expect(error).toMatchObject({
        code: 'submit.unknown',
        facts: { 'the node says': 'insufficient funds for gas * price + value' },
        hint: expect.stringContaining('cannot pay twice'),
      });
      const ended = await (way === 'resume' ? one.run('resume', error.run) : one.run('runs', 'cancel', error.run));
      expect([ended.code, ended.json().data?.funds]).toEqual([0, way === 'resume' ? 'delivered' : 'untouched']);
      expect(before - (await one.held())).toBe(way === 'resume' ? 10_000_000n : 0n);
    }
  }, 60_000);
});

// It moves the clock of the chain, and so comes last: what is signed later would have expired there.
describe('refused before it acted', () => {
  test.each(sampled(ways, 1))(
    '%s is unknown until its deadline, then untouched by what the chain shows',
    async (_, way, path) => {
      const one = payer('dev9');
      const before = await one.held();
      await addFault(sandbox, 'service', { kind: 'status', status: 400, body, times: 0, match: { path } });
      const argv = [...transfer, way, ...(way === '--gasless' ? ['--valid-for', '8s'] : [])];
      const first = await one.run(...argv);
      const { error } = first.json();
      expect(error).toMatchObject({
        ...{
          code: 'submit.unknown',
          exit: 10,
          funds: 'unknown',
          retryable: false,
          next: `ferry resume ${error.run} --account dev9`,
        },
        message: expect.stringMatching(/unknown until (\d{4}-\d\d-\d\d )?\d\d:\d\dZ/),
        facts: { 'valid until': expect.any(String), code: 'INVALID_INPUT' },
      });
      for (let again = 0; again < agains; again++)
        expect((await one.run(...argv)).json().error).toMatchObject({ code: 'run.unfinished', run: error.run });
      // The chain passes the deadline, and its blocks become final.
      // A batch needs little, so that the permit after it is still valid when it is signed.
      await ask(sandbox.rpcUrls.alpha, 'evm_increaseTime', way === '--gasless' ? 60 : 3_600);
      for (let block = 0; block < 70; block++) await ask(sandbox.rpcUrls.alpha, 'evm_mine');
      const resume = async (node: Readonly<Record<string, string>> = {}) => {
        const argv = ['resume', error.run, '--account', 'dev9', '--yes', '--json', '--timeout', '20s'];
        return (await ferry(argv, { env: { ...one.env, ...node }, laterMs: 3_600_000, pace: 20 })).json();
      };
      // One node could hide that it was used. The sandbox's own cannot.
      const { url } = await inFrontOf(sandbox.rpcUrls.alpha, {});
      expect((await resume({ FERRY_RPC_URL_ALPHA: url })).error).toMatchObject({
        ...{ code: 'submit.unknown', exit: 10, funds: 'unknown', next: `ferry resume ${error.run} --account dev9` },
        message: expect.stringContaining('by two nodes'),
        hint: expect.stringContaining('networks.<name>.chains.alpha.rpcUrls'),
      });
      expect((await resume()).error).toMatchObject({
        ...{ code: 'submit.expired', exit: 6, funds: 'untouched', retryable: true },
        facts: {
          'valid until': expect.any(String),
          'final block': expect.any(String),
          'unused then': expect.any(String),
        },
      });
      expect(await one.held()).toBe(before);
      // Nothing is open any more.
      await clearFaults(sandbox);
      expect((await one.run(...transfer, way)).json().error?.code).not.toBe('run.unfinished');
    },
    90_000,
  );
});
