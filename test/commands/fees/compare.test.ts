import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as Usd from '../../../src/core/base/Usd.js';
import type { Input } from '../../../src/sandbox/http/faults.js';
import { barrierBefore } from '../../support/barrier.js';
import { addFault } from '../../support/faults.js';
import { type Ended, type Envelope, ferry, temporaryFolder } from '../../support/ferry.js';
import { nobody, type ReceivedRequest } from '../../support/loopback.js';
import { useSandbox } from '../../support/sandbox.js';
import { all, parse } from '../../support/xml.js';

const { sandbox, env } = useSandbox();

const fast = ['--rate', '100', '--concurrency', '8'];

function compare(...args: string[]): Promise<Ended> {
  return ferry(['fees', 'compare', ...fast, ...args], { env });
}

async function rows(...args: string[]): Promise<Envelope[]> {
  const ended = await compare(...args, '--json');
  expect(ended.code).toBe(0);
  return ended.json().data.rows;
}

const fault = (body: Input): Promise<string> => addFault(sandbox, 'service', body);

const usd = (text: string): bigint => Usd.from(text) ?? 0n;

describe('run', () => {
  test('default: flat fees weigh on small amounts, price impact on large ones', async () => {
    const found = await rows('100', '0.001', '0.1', 'alpha/eth', 'beta/usdc');
    expect(found.map(({ send }) => send.formatted)).toEqual(['0.001', '0.1', '100']);
    const [small, middle, large] = found.map(({ quote }) => quote);
    const bps = ({ bps: text }: { bps: string }): number => Number(text);
    expect(bps(middle.cost)).toBeLessThan(Math.min(bps(small.cost), bps(large.cost)));
    expect(bps(small.fees.execution)).toBeGreaterThan(bps(small.fees.swap));
    expect(bps(large.fees.swap)).toBeGreaterThan(bps(large.fees.execution));
  });

  test('behavior: it says what quotes say', async () => {
    const [row] = await rows('1', 'alpha/eth', 'beta/usdc', '--slippage', '0.5');
    const { data } = (
      await ferry(['quote', '1', 'alpha/eth', 'beta/usdc', '--slippage', '0.5', '--json'], { env })
    ).json();
    const { total, swap } = data.fees;
    expect([usd(row?.quote.fees.total.usd), usd(row?.quote.fees.swap.usd)]).toEqual([-usd(total), -usd(swap)]);
    expect(usd(row?.quote.cost.usd)).toBe(-usd(total) + usd(data.originGas.usd));
    expect(row?.quote.minimum).toEqual(data.minimum);
  });

  test('behavior: a person sees how far it is while a quote is awaited', async () => {
    // By its amount: the first may be asked for again, on another connection.
    const isSecond = ({ path, body }: ReceivedRequest) => path.startsWith('/quote') && body.includes(`"${10n ** 19n}"`);
    const barrier = await barrierBefore(sandbox.baseUrl, isSecond);
    const heard = (said: string) => {
      if (said.includes('1 of 2 quotes')) barrier.open();
    };
    const argv = ['fees', 'compare', '--concurrency', '1', '1', '10', 'alpha/eth', 'beta/usdc'];
    const here = { ...env, FERRY_BASE_URL: barrier.url };
    const ended = await ferry(argv, { env: here, heard, terminals: { stderr: true }, columns: 80 });
    await barrier.reached;
    expect(ended.stderr).toMatch(/[━─]{8,}\S* 1 of 2 quotes/);
    expect(ended.stderr).not.toContain('Asking');
    expect((await ferry([...argv, '--quiet'], { env, terminals: { stderr: true }, columns: 80 })).stderr).toBe('');
  });

  test('behavior: several destinations, the venue among them, in the order typed and not that of the answers', async () => {
    await fault({ kind: 'delay', delayMs: 300, match: { path: '/quote' }, times: 2 });
    const found = await rows('1', '10', 'alpha/eth', 'beta/usdc', 'beta/eth', 'lighter/usdc');
    expect(found.map(({ destination }) => destination)).toEqual(
      ['beta/usdc', 'beta/eth', 'lighter/usdc'].flatMap((each) => [each, each]),
    );
    expect(found.every(({ quote }) => quote !== null)).toBe(true);
  });

  test('behavior: the same amount or destination twice is asked for once', async () => {
    expect(await rows('1', '1.0', '01', 'alpha/eth', 'beta/usdc', '313372/USDC')).toHaveLength(1);
  });

  test('behavior: where no quote came the exit code is that of the worst reason', async () => {
    const ended = await compare('0.01', '0.02', 'alpha/usdc', 'beta/usdc', '--json');
    expect([ended.code, ended.json().ok]).toEqual([3, true]);
    const text = await compare('0.01', '0.02', 'alpha/usdc', 'beta/usdc');
    // Where nobody watches no bar is drawn.
    expect([text.code, text.stderr, text.stdout.match(/no quote: AMOUNT_TOO_LOW/g)?.length]).toEqual([3, '', 2]);
  });

  test('behavior: --svg writes a picture', async () => {
    const folder = temporaryFolder();
    const args = ['fees', 'compare', '1', '10', 'alpha/eth', 'beta/usdc', '--svg', 'fees.svg', ...fast];
    const ended = await ferry(args, { env, cwd: folder });
    expect(ended.code).toBe(0);
    const svg = parse(readFileSync(join(folder, 'fees.svg'), 'utf8'));
    expect(all(svg, 'text').map(({ text }) => text)).toContain('to beta/usdc, total');
  });

  test('error: a picture that cannot be written', async () => {
    const folder = temporaryFolder();
    const args = ['fees', 'compare', '1', 'alpha/eth', 'beta/usdc', '--svg', 'no/fees.svg', '--json'];
    const ended = await ferry(args, { env, cwd: folder });
    expect([ended.code, ended.json().error.code]).toEqual([2, 'config.unwritable']);
    expect(existsSync(join(folder, 'no'))).toBe(false);
  });

  test('error: a service that is not there is one error and not a table of them', async () => {
    const args = ['fees', 'compare', '1', '2', '3', 'alpha/eth', 'beta/usdc', '--json', ...fast];
    const ended = await ferry(args, { env: { ...env, FERRY_BASE_URL: nobody } });
    expect([ended.code, ended.json().error.code]).toEqual([3, 'service.unreachable']);
  });

  test.each([
    ['no amount', ['alpha/eth', 'beta/usdc', 'beta/eth'], 'usage.missing'],
    ['no destination', ['1', '2', 'alpha/eth'], 'usage.missing'],
    ['amounts alone', ['1', '2', '3'], 'usage.missing'],
    ['an exponent', ['1', '1e3', 'alpha/eth', 'beta/usdc'], 'request.invalid-amount'],
    ['zero', ['1', '0', 'alpha/eth', 'beta/usdc'], 'request.invalid-amount'],
    ['too many decimals', ['1', '0.0000001', 'alpha/usdc', 'beta/usdc'], 'request.too-many-decimals'],
    ['a late amount', ['1', 'alpha/eth', 'beta/usdc', '10'], 'usage.invalid'],
    ['no currency', ['1', 'eth', 'beta/usdc'], 'request.invalid-currency'],
    ['nothing to do', ['1', 'alpha/eth', 'alpha/eth', 'beta/eth'], 'request.unsupported'],
    ['no rate', ['1', 'alpha/eth', 'beta/usdc', '--rate', '0'], 'usage.invalid'],
  ])('error: %s', async (_, args, code) => {
    const ended = await ferry(['fees', 'compare', ...args, '--json'], { env });
    expect([ended.code, ended.json().error.code]).toEqual([2, code]);
  });
});
