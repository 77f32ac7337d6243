import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import * as Usd from '../../src/core/base/Usd.js';
import * as QuoteDocument from '../../src/core/quote/QuoteDocument.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { addFault, clearFaults, faultsOf } from '../support/faults.js';
import { type Envelope, ferry, temporaryFolder } from '../support/ferry.js';
import { loopback } from '../support/loopback.js';
import { useSandbox } from '../support/sandbox.js';
import * as withdrawal from '../support/withdrawal.js';

const { sandbox, env } = useSandbox();

async function quote(...args: string[]): Promise<Envelope> {
  const ended = await ferry(['quote', ...args, '--json'], { env });
  expect(ended.code).toBe(0);
  return ended.json().data;
}

const usd = (text: string): bigint => Usd.from(text) ?? 0n;

describe('run', () => {
  test('behavior: a terminal shows what is waited for, and a log does not', async () => {
    const line = ['quote', '1', 'alpha/usdc', 'beta/usdc', '--timeout', '1m'];
    const asking = 'Asking the sandbox service for a quote';
    const abort = new AbortController();
    const silent = await loopback(() => {});
    const shown = await ferry(line, {
      env: { ...env, FERRY_BASE_URL: silent.url },
      terminals: { stderr: true },
      signal: abort.signal,
      heard: (text) => void (text.includes(asking) && abort.abort()),
    });
    expect(stripVTControlCharacters(shown.stderr)).toContain(asking);
    const asked = new AbortController();
    const seen = await loopback(() => asked.abort());
    const logged = await ferry(line, { env: { ...env, FERRY_BASE_URL: seen.url }, signal: asked.signal });
    expect([logged.code, logged.stderr.includes(asking)]).toEqual([shown.code, false]);
  });

  test('option: --timeout ends the wait', async () => {
    const silent = await loopback(() => {});
    const line = ['quote', '1', 'alpha/usdc', 'beta/usdc', '--timeout', '1s'];
    const { code, stderr } = await ferry(line, { env: { ...env, FERRY_BASE_URL: silent.url } });
    expect(code).toBe(3);
    expect(stderr).toContain('There was no quote on sandbox within 1 second. (service.timeout)');
    expect(stderr).toContain('next: ferry doctor');
  });

  test.each([
    ['token bridge', '100', 'alpha/usdc', 'beta/usdc', 0n],
    ['stablecoin swap', '100', 'alpha/usdc', 'alpha/usdt', 1n],
    ['major swap', '1', 'alpha/eth', 'alpha/usdc', 6n],
    ['minor swap', '100', 'alpha/usdc', 'alpha/gull', 15n],
  ])('default: a %s has its platform fee, and the components add up', async (_, amount, from, to, bps) => {
    const data = await quote(amount, from, to);
    const { fees, impact, send, receive, minimum } = data;
    expect(usd(fees.platform)).toBe(-(usd(send.usd) * bps) / 10_000n);
    const sum = usd(fees.execution) + usd(fees.swap) + usd(fees.platform) + usd(fees.app);
    const off = sum - usd(impact.usd);
    expect(off >= -4n && off <= 4n).toBe(true);
    expect(usd(impact.usd)).toBe(usd(receive.usd) - usd(send.usd));
    const slippage = BigInt(data.slippageBps);
    expect(BigInt(minimum.amount)).toBe((BigInt(receive.amount) * (10_000n - slippage) + 9_999n) / 10_000n);
    for (const { verdict } of data.proof) expect(['verified', 'not checked']).toContain(verdict);
  });

  describe('whose proof fails', () => {
    const line = ['quote', '100', 'alpha/usdc', 'beta/usdc'];
    const answers = { kind: 'tamper', match: { path: '/quote/v2' }, times: 0 } as const;

    test.each([[[]], [['--fields', 'requestId']], [['--json']]])(
      'error: a quote of something else exits 5, with %j too',
      async (flags) => {
        const file = join(temporaryFolder(), 'quote.json');
        await addFault(sandbox, 'service', { ...answers, recipe: 'wrong-recipient' });
        const ended = await ferry([...line, '-o', file, ...flags], { env });
        await clearFaults(sandbox);
        expect(ended.code).toBe(5);
        expect(ended.stdout).toContain(flags.length > 0 ? '"requestId":"0x' : 'ferry would refuse to sign it');
        expect(readFileSync(file, 'utf8')).toContain('"mismatch"');
      },
    );

    test('behavior: what cannot be verified is a price: exit 0, and no word of refusing', async () => {
      await addFault(sandbox, 'service', { ...answers, path: '/details/currencyOut/amountUsd' });
      const asked = ['quote', '100', 'alpha/gull', 'beta/usdc'];
      const [text, json] = [await ferry(asked, { env }), await ferry([...asked, '--json'], { env })];
      await clearFaults(sandbox);
      expect([text.code, json.code]).toEqual([0, 0]);
      expect(json.json().data.proof.map(({ verdict }: Envelope) => verdict)).toContain('cannot verify');
      expect(text.stdout).toMatch(/\? \d of \d\d checks cannot be verified: it is a price, and not proved to be safe/);
      expect(text.stdout + text.stderr).not.toContain('refuse');
    });
  });

  test('behavior: -o saves what --json prints', async () => {
    const here = { env, cwd: temporaryFolder() };
    const line = ['quote', '1', 'alpha/usdc', 'beta/usdc', '-o', 'q.json'];
    const ended = await ferry([...line, '--json'], here);
    expect(JSON.parse(readFileSync(join(here.cwd, 'q.json'), 'utf8'))).toEqual(ended.json());
    const text = await ferry(line, here);
    expect([ended.stderr, text.stderr]).toEqual(['', 'Saved in q.json.\n']);
    const shown = await ferry(['quote', '1', 'alpha/eth', 'beta/eth', '-o', '-'], { env });
    expect([shown.code, shown.stderr]).toEqual([0, '']);
  });

  test.each([
    [['max', 'lighter/usdc', 'beta/usdc'], 'usage.invalid', 'max is not supported here for a venue account'],
    [['1', 'lighter/usdc', 'lighter/usdc'], 'request.unsupported', 'between accounts of the venue'],
    [['1', 'lighter/usdc', 'beta/usdc', '--permit'], 'request.unsupported', 'costs no gas'],
    [['1', 'alpha/usdc', 'lighter/usdc', '--recipient', `0x${'12'.repeat(20)}`], 'request.invalid-address', 'a wallet'],
    [['1', 'alpha/usdc', 'lighter/usdc', '--account', 'dev9'], 'venue.unknown-account', 'has no account'],
    [['1', 'lighter/eth', 'beta/usdc'], 'request.unknown-token', 'lighter'],
  ])('error: %j is %s', async (argv, code, words) => {
    const ended = await ferry(['quote', ...argv, '--json'], { env });
    expect(ended.json().error).toMatchObject({ code, message: expect.stringContaining(words), exit: 2 });
  });

  test('error: execute names the command for a withdrawal, typed or saved', async () => {
    const read = withdrawal.quote('withdrawal');
    const saved = { network: 'sandbox', data: QuoteDocument.from(read, []) };
    const typed = await ferry(['execute', '3', 'lighter/usdc', 'beta/usdc', '--yes', '--json'], { env });
    const piped = await ferry(['execute', '-', '--yes', '--json'], { env, stdin: JSON.stringify(saved) });
    expect(typed.json().error).toMatchObject({
      code: 'request.unsupported',
      next: 'ferry venue withdraw 3 beta/usdc',
    });
    expect(piped.json().error).toMatchObject({ code: 'request.unsupported', next: 'ferry venue withdraw --help' });
  });

  test.each([
    [
      ['--recipient', accounts.dev3.address, '--max-fee-usd', '2'],
      `3 beta/usdc --recipient ${accounts.dev3.address} --max-fee-usd 2`,
    ],
    [['--one-by-one'], '--help'],
  ])('error: execute keeps what was typed with %j for a withdrawal, or leaves it to the help', async (more, line) => {
    const ended = await ferry(['execute', '3', 'lighter/usdc', 'beta/usdc', ...more, '--yes', '--json'], { env });
    expect(ended.json().error.next).toBe(`ferry venue withdraw ${line}`);
  });
});

test('a service that limits quotes: the client waits as long as it is told, and gives up on a longer wait', async () => {
  const line = ['quote', '1', 'alpha/usdc', 'beta/usdc', '--json'];
  const limit = async () => (await faultsOf(sandbox, 'service'))[0];
  const headers = { 'retry-after': '7' };
  await addFault(sandbox, 'service', { kind: 'status', status: 429, headers, match: { path: '/quote' } });
  expect((await ferry(line, { env, pace: 1_000 })).code).toBe(0);
  expect(await limit()).toMatchObject({ met: 2, struck: 1 });
  await clearFaults(sandbox);
  await addFault(sandbox, 'service', { kind: 'limit', requests: 1, retryAfter: true });
  await ferry(line, { env });
  const { error } = (await ferry(line, { env })).json();
  expect(error).toMatchObject({ code: 'service.rate-limited', funds: 'untouched', httpStatus: 429 });
  expect(await limit()).toMatchObject({ met: 2, struck: 1 });
  await clearFaults(sandbox);
});
