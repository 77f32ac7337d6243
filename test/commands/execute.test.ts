import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import type { Input } from '../../src/sandbox/http/faults.js';
import { addFault, clearFaults } from '../support/faults.js';
import { type Ended, ferry, temporaryFolder } from '../support/ferry.js';
import { allowanceAt, approveAt, balanceAt, nonceAt } from '../support/node.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox, env, user } = useSandbox();

const bridge = ['quote', '5', 'alpha/usdc', 'beta/usdc'];

const dev0 = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const dev1 = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const fresh = '0x00000000000000000000000000000000c0ffee01';

/** Base units that an account holds of `alpha/usdc`. */
function held(currency: string, owner: string): Promise<bigint> {
  const [name = '', symbol = ''] = currency.split('/');
  const chain = Network.chain(network, name);
  const token = Network.token(chain, symbol)?.address ?? '';
  return balanceAt(sandbox.rpcUrls[name as 'alpha'], token, owner);
}

async function execute(...args: string[]): Promise<Ended> {
  return ferry(['execute', ...args, '--yes', '--json'], { env });
}

const fault = (body: Input): Promise<string> => addFault(sandbox, 'service', body);

describe('run', () => {
  test.each([
    ['100', 'alpha/usdc', 'beta/usdc', []],
    ['0.5', 'alpha/eth', 'beta/eth', []],
    ['0.5', 'beta/eth', 'alpha/weth', []],
    ['20', 'alpha/usdt', 'beta/dai', ['--slippage', '1']],
    ['10', 'alpha/gull', 'beta/usdc', []],
    ['1', 'alpha/eth', 'alpha/usdc', []],
    ['30', 'alpha/usdc', 'alpha/dai', []],
    ['1', 'alpha/eth', 'alpha/weth', []],
    ['1', 'alpha/weth', 'alpha/eth', []],
    ['25', 'alpha/usdc', 'beta/gull', ['--exact-output']],
    ['25', 'alpha/usdc', 'beta/usdt', ['--expected-output']],
    ['7', 'alpha/usdc', 'alpha/usdc', ['--recipient', dev1]],
    ['2', 'alpha/usdc', 'beta/eth', ['--recipient', fresh]],
  ])('default: %s %s %s %j: balances change by exactly what the outcome says', async (amount, from, to, more) => {
    const recipient = more.includes('--recipient') ? (more.at(-1) ?? '') : dev0;
    const gasOf = `${from.split('/')[0]}/eth`;
    const read = async () => ({
      from: await held(from, dev0),
      gas: await held(gasOf, dev0),
      to: await held(to, recipient),
    });
    const before = await read();
    const ended = await execute(amount, from, to, ...more);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    const after = await read();
    const { schema, data } = ended.json();
    expect([schema, data.status, data.funds]).toEqual(['ferry.execute/1', 'success', 'delivered']);
    const spent = BigInt(data.spent.amount);
    const received = BigInt(data.received.amount);
    const gas = BigInt(data.gas.amount);
    const change: Record<string, bigint> = {};
    const add = (key: string, by: bigint) => {
      change[key] = (change[key] ?? 0n) + by;
    };
    add(`${from} ${dev0}`, -spent);
    add(`${gasOf} ${dev0}`, -gas);
    add(`${to} ${recipient}`, received);
    expect(after.from - before.from).toBe(change[`${from} ${dev0}`]);
    expect(after.gas - before.gas).toBe(change[`${gasOf} ${dev0}`]);
    expect(after.to - before.to).toBe(change[`${to} ${recipient}`]);
    expect(received).toBeGreaterThanOrEqual(BigInt(data.minimum.amount));
    if (more.includes('--exact-output')) expect(received).toBe(25n * 10n ** 18n);
  });

  test('behavior: allowances are exact and used up, and one that is left over is cleared first where the token demands it', async () => {
    const alpha = Network.chain(network, 'alpha');
    const usdt = Network.token(alpha, 'usdt')?.address ?? '';
    const spender = alpha.contracts.depository ?? '';
    const pay = () => execute('12', 'alpha/usdt', 'beta/usdt', '--account', 'dev1');
    const ended = await pay();
    expect(ended.json().data.plan[0]).toMatchObject({ action: 'approve', summary: 'Approve exactly 12 USDT' });
    expect(await allowanceAt(sandbox.rpcUrls.alpha, usdt, dev1, spender)).toBe(0n);
    await approveAt(sandbox.rpcUrls.alpha, usdt, dev1, spender, 5n);
    const actions = (await pay()).json().data.transactions.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(['approve', 'approve', 'deposit']);
  });

  test('behavior: --dry-run signs and sends nothing', async () => {
    const nonce = () => nonceAt(sandbox.rpcUrls.alpha, dev0);
    const before = await nonce();
    const ended = await ferry(['execute', '100', 'alpha/usdc', 'beta/usdc', '--dry-run', '--json'], { env });
    expect(ended.json().data).toMatchObject({ status: 'planned', funds: 'untouched', transactions: [] });
    expect(ended.json().data.plan).toHaveLength(2);
    expect(await nonce()).toBe(before);
  });

  test('behavior: a saved quote is executed as it stands, from a file and from stdin', async () => {
    const there = user();
    const cwd = temporaryFolder();
    const quoted = await there.run(...bridge, '-o', join(cwd, 'quote.json'));
    const ended = await there.ask(['execute', 'quote.json', '--yes'], { cwd });
    expect(ended.json().data.requestId).toBe(quoted.json().data.requestId);
    const piped = await there.run(...bridge);
    const second = await there.ask(['execute', '-', '--yes'], { stdin: piped.stdout });
    expect(second.json().data).toMatchObject({ requestId: piped.json().data.requestId, status: 'success' });
  });

  test.each([['--recipient', dev1], ['--refund-to', dev1], ['--slippage', '0.01'], ['--gasless']])(
    'error: a saved quote with %s, which it would not be held to',
    async (...option) => {
      const there = user();
      const { stdout: stdin } = await there.run(...bridge);
      const before = await held('alpha/usdc', dev0);
      const { error } = (await there.ask(['execute', '-', ...option, '--yes'], { stdin })).json();
      expect(error).toMatchObject({ code: 'usage.invalid', message: expect.stringContaining(option[0] ?? '') });
      expect(await held('alpha/usdc', dev0)).toBe(before);
    },
  );

  test('error: a saved quote is not paid while the service does not say whether it has been', async () => {
    const there = user();
    const { stdout: stdin } = await there.run(...bridge);
    const before = await held('alpha/usdc', dev0);
    await fault({ kind: 'status', status: 503, times: 0, match: { path: '/intents/status/v3' } });
    const ended = await there.ask(['execute', '-', '--yes'], { stdin });
    await clearFaults(sandbox);
    expect(ended.json().error).toMatchObject({ code: 'service.unavailable', exit: 3, funds: 'untouched' });
    expect(await held('alpha/usdc', dev0)).toBe(before);
  });

  test('error: a saved quote that was altered is refused, whatever it says of itself', async () => {
    const envelope = (await user().run(...bridge)).json();
    envelope.data.response.details.recipient = dev1;
    const ended = await ferry(['execute', '-', '--yes', '--json'], { env, stdin: JSON.stringify(envelope) });
    expect(ended.code).toBe(5);
    expect(ended.json().error).toMatchObject({
      code: 'verify.mismatch',
      facts: { recipient: expect.stringContaining(dev1) },
    });
  });

  test('error: a saved quote of another account, another network, or none', async () => {
    const there = user();
    const quoted = await there.run(...bridge);
    const refused = async (stdin: string, ...more: string[]) =>
      (await there.ask(['execute', '-', '--yes', ...more], { stdin })).json().error;
    expect((await refused(quoted.stdout, '--account', 'dev1')).code).toBe('request.unsupported');
    expect((await refused(JSON.stringify({ ...quoted.json(), network: 'mainnet' }))).message).toContain('mainnet');
    for (const none of ['hello', '{}']) expect((await refused(none)).code).toBe('quote.unreadable');
  });

  test('behavior: an old quote is quoted anew, and held to its minimum and its fees', async () => {
    const there = user();
    const quoted = await there.run(...bridge);
    const execute = (...more: string[]) =>
      there.ask(['execute', '-', '--yes', ...more], { stdin: quoted.stdout, laterMs: 31_000 });
    const ended = await execute();
    expect(ended.json().warnings[0]).toContain('has expired');
    expect(ended.json().data.requestId).not.toBe(quoted.json().data.requestId);
    const impatient = (await execute('--max-age', '30s')).json().error;
    expect(impatient).toMatchObject({ code: 'verify.expired', exit: 5, funds: 'untouched' });
    expect((await execute('--max-age', '1h')).json().data.requestId).toBe(quoted.json().data.requestId);
    for (const [path, value] of [
      ['/details/expandedPriceImpact/execution/usd', '-0.5'],
      ['/details/totalImpact/usd', '-0.500500'],
      ['/details/currencyOut/amountUsd', '4.499500'],
    ] as const)
      await fault({ kind: 'tamper', match: { path: '/quote/v2' }, path, value });
    expect((await execute('--max-impact', '50')).json().error).toMatchObject({ code: 'verify.cap', exit: 5 });
  });

  test('error: a forced refund exits 7, and the money is back less the gas of the refund', async () => {
    const before = await held('alpha/usdc', dev0);
    const ended = await execute('100', 'alpha/usdc', 'beta/usdc', '--referrer', 'debug-force-refund');
    expect(ended.code).toBe(7);
    expect(ended.json()).toMatchObject({ ok: false, error: { code: 'track.refunded', exit: 7, funds: 'returned' } });
    const lost = before - (await held('alpha/usdc', dev0));
    expect(lost).toBeGreaterThanOrEqual(0n);
    expect(lost).toBeLessThan(100_000n);
    const returned = Number.parseFloat(ended.json().error.facts.returned) * 1e6;
    expect(Math.round(returned)).toBe(100_000_000 - Number(lost));
  });

  test('error: a failure exits 8, the funds are with the service', async () => {
    await fault({ kind: 'solver', does: 'fail' });
    const ended = await ferry(['execute', '3', 'alpha/usdc', 'beta/usdc', '--yes', '--json'], { env, pace: 50 });
    expect(ended.code).toBe(8);
    expect(ended.json().error).toMatchObject({ code: 'track.failed', funds: 'held' });
  });

  test('error: max of an empty account is a low balance, and no mistyped amount', async () => {
    const empty = { env: { ...env, FERRY_PRIVATE_KEY: `0x${'11'.repeat(31)}12` } };
    for (const [from, facts] of [
      ['alpha/usdc', { balance: '0 USDC' }],
      ['alpha/eth', { balance: '0 ETH', 'kept for gas': expect.stringMatching(/ETH$/) }],
    ] as const) {
      const { error } = (await ferry(['execute', 'max', from, 'beta/usdc', '--yes', '--json'], empty)).json();
      expect(error).toMatchObject({ code: 'submit.insufficient-balance', exit: 6, facts, funds: 'untouched' });
    }
  });

  test('error: the whole native balance leaves nothing for gas, max does', async () => {
    const all = await held('beta/eth', dev1);
    const text = `${all / 10n ** 18n}.${(all % 10n ** 18n).toString().padStart(18, '0')}`;
    const ended = await execute(text, 'beta/eth', 'alpha/eth', '--account', 'dev1');
    expect(ended.json().error).toMatchObject({ code: 'submit.insufficient-gas', exit: 6 });
    const quoted = await ferry(['quote', 'max', 'beta/eth', 'alpha/eth', '--account', 'dev1', '--json'], { env });
    const sendable = BigInt(quoted.json().data.send.amount);
    expect(sendable).toBeLessThan(all);
    expect(all - sendable).toBeLessThan(10n ** 16n);
  });
});
