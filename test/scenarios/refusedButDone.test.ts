/** Attacks by an answer: the service takes what was signed, carries it out, and says that it refuses it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { addFault, clearFaults } from '../support/faults.js';
import { at, type Ended, ferry, temporaryFolder } from '../support/ferry.js';
import { ask, balanceAt } from '../support/node.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';

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

const transfer = ['execute', '10', 'alpha/usdc', 'beta/usdc', '--timeout', timeout];

describe('attack: refused, but done', () => {
  test.each(ways)(
    '%s that is carried out and answered with 400 is never untouched, and paid once',
    async (_, way, path) => {
      const one = payer('dev9');
      const before = await one.held();
      await lies(path);
      const first = await one.run(...transfer, way);
      const { error } = first.json();
      expect(['in-flight', 'unknown']).toContain(error.funds);
      expect([9, 10]).toContain(first.code);
      expect(error).toMatchObject({ retryable: false, next: `ferry resume ${error.run}` });
      expect(before - (await one.held())).toBe(10_000_000n);
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

  test.each(ways)(
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
      await addFault(sandbox, 'service', { kind: 'status-after', status: 400, body, match: { path } });
      expect((await one.run(...transfer, way)).code).toBe(0);
    }
  }, 60_000);
});

describe('runs cancel', () => {
  const signatures = [
    ['a batch', ['--gasless'], '/execute'],
    ['an authorization', ['--permit'], '/execute/permits'],
    ['a permit', ['--permit', '--referrer', 'debug-eip2612', '--allow', 'order-binding'], '/execute/permits'],
  ] as const;

  test.each(signatures)(
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
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect(await one.held()).toBe(before);
      expect((await one.run(...transfer, ...flags)).code).toBe(0);
      expect(before - (await one.held())).toBe(10_000_000n);
    },
    60_000,
  );

  test.each(ways)(
    'attack: %s that was carried out is not called canceled',
    async (_, way, path) => {
      const one = payer('dev8');
      const before = await one.held();
      await lies(path);
      const { error } = (await one.run(...transfer, way)).json();
      const ended = await one.run('runs', 'cancel', error.run);
      expect([ended.code, ended.json().error]).toMatchObject([9, { code: 'track.unfinished', funds: 'in-flight' }]);
      expect(before - (await one.held())).toBe(10_000_000n);
    },
    60_000,
  );
});

// It moves the clock of the chain, and so comes last: what is signed later would have expired there.
describe('refused before it acted', () => {
  test.each(ways)(
    '%s is unknown until its deadline, then untouched by what the chain shows',
    async (_, way, path) => {
      const one = payer('dev9');
      const before = await one.held();
      await addFault(sandbox, 'service', { kind: 'status', status: 400, body, times: 0, match: { path } });
      const argv = [...transfer, way, ...(way === '--gasless' ? ['--valid-for', '8s'] : [])];
      const first = await one.run(...argv);
      const { error } = first.json();
      expect(error).toMatchObject({
        ...{ code: 'submit.unknown', exit: 10, funds: 'unknown', retryable: false, next: `ferry resume ${error.run}` },
        message: expect.stringMatching(/unknown until (\d{4}-\d\d-\d\d )?\d\d:\d\dZ/),
        facts: { 'valid until': expect.any(String), code: 'INVALID_INPUT' },
      });
      for (let again = 0; again < agains; again++)
        expect((await one.run(...argv)).json().error).toMatchObject({ code: 'run.unfinished', run: error.run });
      // The chain passes the deadline, and its blocks become final.
      // A batch needs little, so that the permit after it is still valid when it is signed.
      await ask(sandbox.rpcUrls.alpha, 'evm_increaseTime', way === '--gasless' ? 60 : 3_600);
      for (let block = 0; block < 70; block++) await ask(sandbox.rpcUrls.alpha, 'evm_mine');
      const resumed = await ferry(['resume', error.run, '--account', 'dev9', '--yes', '--json', '--timeout', '20s'], {
        env: one.env,
        laterMs: 3_600_000,
      });
      expect(resumed.json().error).toMatchObject({
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
