import { describe, expect, test } from 'vitest';
import { native } from '../../../src/core/base/Address.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { addFault } from '../../support/faults.js';
import { type Ended, ferry, soonAfter } from '../../support/ferry.js';
import { balanceAt, nonceAt } from '../../support/node.js';
import { usdcAt, useSandbox } from '../../support/sandbox.js';
import { usdcOf } from '../../support/venueBooks.js';

const { sandbox, env } = useSandbox();

function deposit(...args: string[]): Promise<Ended> {
  return ferry(['venue', 'deposit', ...args, '--yes', '--json'], { env });
}

const held = (address: string): Promise<bigint> => usdcAt(sandbox, address);
const nonce = (address: string): Promise<number> => nonceAt(sandbox.rpcUrls.alpha, address);

describe('venue deposit', () => {
  test('default: what leaves the wallet arrives at the venue, to the base unit', async () => {
    const { address } = accounts.dev0;
    const before = { chain: await held(address), venue: await usdcOf(sandbox, 100) };
    const ended = await deposit('100', 'alpha/usdc');
    expect(ended.stderr).toBe('');
    const { data } = ended.json();
    expect(data).toMatchObject({ status: 'success', funds: 'delivered', recipient: '100' });
    const after = await usdcOf(sandbox, 100);
    expect(before.chain - (await held(address))).toBe(100_000_000n);
    expect(String(after - before.venue)).toBe(data.received.amount);
    expect(BigInt(data.received.amount)).toBeGreaterThanOrEqual(BigInt(data.minimum.amount));
    const account = { index: 100, before: { amount: String(before.venue) }, after: { amount: String(after) } };
    expect(data.account).toMatchObject({ ...account, wallet: address });
    const types = ended.lines().map(({ type }) => type);
    expect(types.slice(0, 4)).toEqual(['venue-account', 'run', 'quoted', 'verified']);
    expect(data.fills).toEqual([{ chainId: 3586256, txHash: expect.stringMatching(/^[0-9a-f]{80}$/), url: null }]);
  });

  test('behavior: an account’s first deposit costs the activation fee, inside the swap component', async () => {
    const first = await deposit('100', 'alpha/usdc', '--account-index', '106');
    const second = await deposit('100', 'alpha/usdc', '--account-index', '106');
    expect([first.code, second.code]).toEqual([0, 0]);
    const [one, two] = [first, second].map((ended) => ended.lines().find(({ type }) => type === 'quoted')?.fees);
    expect(Number(two?.swap) - Number(one?.swap)).toBeCloseTo(1, 5);
    const received = BigInt(first.json().data.received.amount);
    expect(BigInt(second.json().data.received.amount) - received).toBe(1_000_000n);
    expect(first.json().data.account.before.amount).toBe('0');
    expect(await usdcOf(sandbox, 106)).toBe(2n * received + 1_000_000n);
  });

  test('behavior: ether is sold for it', async () => {
    const before = await usdcOf(sandbox, 101);
    const ended = await deposit('0.5', 'beta/eth', '--account', 'dev1');
    expect(ended.code).toBe(0);
    const gained = (await usdcOf(sandbox, 101)) - before;
    expect(String(gained)).toBe(ended.json().data.received.amount);
    expect(gained).toBeGreaterThan(1_100_000_000n);
  });

  test('behavior: without gas', async () => {
    const before = await usdcOf(sandbox, 104);
    const ended = await deposit('50', 'alpha/usdc', '--gasless', '--account', 'dev9', '--account-index', '104');
    expect(String((await usdcOf(sandbox, 104)) - before)).toBe(ended.json().data.received.amount);
    expect(await balanceAt(sandbox.rpcUrls.alpha, native, accounts.dev9.address)).toBe(0n);
  });

  test('behavior: to the account of another wallet, named by the wallet', async () => {
    const ended = await deposit('20', 'alpha/usdc', '--wallet', accounts.dev3.address);
    expect(ended.json().data.account).toMatchObject({ index: 103, wallet: accounts.dev3.address });
  });

  test('behavior: the account and its wallet side by side, for a person', async () => {
    const ended = await ferry(['venue', 'deposit', '25', 'alpha/usdc', '--yes'], { env });
    expect(ended.stderr).toContain(`✓ Account 100 of wallet ${accounts.dev0.address}`);
    expect(ended.stdout).toMatch(/✓ Delivered in [\d.]+ s to venue account 100/);
    expect(ended.stdout).toMatch(/Account +100 of wallet 0xf39F.*\n +Before +[\d.]+ USDC\n +After +[\d.]+ USDC/);
  });

  test('behavior: a refund goes back to the wallet', async () => {
    const before = { chain: await held(accounts.dev2.address), venue: await usdcOf(sandbox, 102) };
    const ended = await deposit('30', 'alpha/usdc', '--account', 'dev2', '--referrer', 'debug-force-refund');
    expect(ended.code).toBe(7);
    expect(ended.json().error).toMatchObject({ code: 'track.refunded', funds: 'returned' });
    expect(await usdcOf(sandbox, 102)).toBe(before.venue);
    expect(before.chain - (await held(accounts.dev2.address))).toBeLessThan(1_000_000n);
  });

  test('error: the service says delivered and the venue does not answer: its word alone, and unknown if a witness is required', async () => {
    await addFault(sandbox, 'venue', { kind: 'status', status: 500, times: 0, match: { path: '/api/v1/tx' } });
    const late = (...more: string[]) => {
      const { args, ...paid } = soonAfter('"status":"success"');
      return ferry(['venue', 'deposit', '10', 'alpha/usdc', ...args, ...more, '--yes', '--json'], { env, ...paid });
    };
    const lenient = await late();
    expect([lenient.code, lenient.json().data]).toMatchObject([0, { received: null, witnesses: ['the service'] }]);
    const { error } = (await late('--require-witness')).json();
    expect(error).toMatchObject({ code: 'track.unwitnessed', funds: 'unknown', next: `ferry resume ${error.run}` });
    expect(error.requestId).toMatch(/^0x/);
  });
});

describe('venue deposit: refused before anything is sent', () => {
  const { address } = accounts.dev4;

  test.each([
    ['an account that does not exist', ['--account-index', '999'], 'venue.unknown-account', 2],
    ['a wallet without an account', ['--wallet', accounts.dev5.address], 'venue.unknown-account', 2],
    ['an address where an index belongs', ['--account-index', accounts.dev3.address], 'request.invalid-address', 2],
    ['both', ['--account-index', '100', '--wallet', accounts.dev3.address], 'usage.invalid', 2],
  ])('error: %s', async (_, args, code, exit) => {
    const before = [await nonce(address), await held(address)];
    const ended = await deposit('10', 'alpha/usdc', '--account', 'dev4', ...args);
    expect(ended.json().error).toMatchObject({ code, funds: 'untouched' });
    expect(ended.code).toBe(exit);
    expect([await nonce(address), await held(address)]).toEqual(before);
  });

  test('error: the venue does not answer', async () => {
    await addFault(sandbox, 'venue', { kind: 'status', status: 503, times: 0 });
    const before = await nonce(address);
    const ended = await deposit('10', 'alpha/usdc', '--account', 'dev4');
    expect(ended.json().error).toMatchObject({ code: 'venue.unavailable', funds: 'untouched', retryable: true });
    expect(await nonce(address)).toBe(before);
  });

  test('error: a wallet of another account is answered', async () => {
    const path = '/api/v1/account';
    const value = accounts.dev3.address;
    await addFault(sandbox, 'venue', { kind: 'tamper', path: '/accounts/0/l1_address', value, match: { path } });
    const ended = await deposit('10', 'alpha/usdc', '--account', 'dev4');
    expect(ended.json().error).toMatchObject({ code: 'venue.unknown-account' });
  });

  test('error: a quote that credits another account is not signed', async () => {
    const match = { path: '/quote' };
    await addFault(sandbox, 'service', { kind: 'tamper', path: '/details/recipient', value: '101', match });
    const ended = await deposit('10', 'alpha/usdc', '--account', 'dev4');
    expect(ended.json().error).toMatchObject({ code: 'verify.mismatch' });
  });
});
