import { describe, expect, test } from 'vitest';
import { native } from '../../src/core/base/Address.js';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import type { Input } from '../../src/sandbox/http/faults.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { addFault } from '../support/faults.js';
import { type Ended, ferry } from '../support/ferry.js';
import { loopback, passTo } from '../support/loopback.js';
import { ask, balanceAt } from '../support/node.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox, env } = useSandbox();

const dev9 = accounts.dev9.address;
const alpha = Network.chain(network, 'alpha');
const usdc = Network.token(alpha, 'usdc')?.address ?? '';

function execute(...args: string[]): Promise<Ended> {
  return ferry(['execute', ...args, '--gasless', '--account', 'dev9', '--yes', '--json'], { env, pace: 20 });
}

const fault = (input: Input): Promise<string> => addFault(sandbox, 'service', input);

const ether = (): Promise<bigint> => balanceAt(sandbox.rpcUrls.alpha, native, dev9);
const held = (): Promise<bigint> => balanceAt(sandbox.rpcUrls.alpha, usdc, dev9);

describe('execute --gasless', () => {
  // By a clock that is ahead, what is signed for five minutes is valid for five more, or an hour more.
  test.each([
    ['--gasless', -900_000, '15 min behind'],
    ['--gasless', 3_600_000, '60 min ahead'],
    ['--permit', 360_000, '6 min ahead'],
  ])('error: %s by a clock that is %d ms off, before anything is signed', async (way, laterMs, words) => {
    const argv = ['execute', '1', 'alpha/usdc', 'beta/usdc', way, '--valid-for', '5m', '--account', 'dev9', '--yes'];
    const ended = await ferry([...argv, '--json'], { env, laterMs });
    expect(ended.json().error).toMatchObject({
      ...{ code: 'system.clock', exit: 2, funds: 'untouched', next: 'sudo timedatectl set-ntp true' },
      message: expect.stringContaining(words),
    });
    expect(ended.stdout).not.toMatch(/batch-signed|permit-signed/);
  });

  test('default: an account with USDC and no ETH bridges, its gas inside the execution fee', async () => {
    expect(await ether()).toBe(0n);
    const plain = await ferry(['quote', '100', 'alpha/usdc', 'beta/usdc', '--json', '--account', 'dev9'], { env });
    const before = await held();
    const ended = await execute('100', 'alpha/usdc', 'beta/usdc');
    expect(ended.stderr).toBe('');
    expect(ended.code).toBe(0);
    const { data } = ended.json();
    expect(data).toMatchObject({ status: 'success', funds: 'delivered', gas: { amount: '0' }, transactions: [] });
    expect(BigInt(data.received.amount)).toBeGreaterThanOrEqual(BigInt(data.minimum.amount));
    expect(before - (await held())).toBe(100_000_000n);
    expect(await ether()).toBe(0n);
    const quoted = ended.lines().find(({ type }) => type === 'quoted');
    expect(Number(quoted?.fees.execution)).toBeLessThan(Number(plain.json().data.fees.execution));
    const delegated = ended.lines().find(({ type }) => type === 'delegated');
    expect(delegated).toMatchObject({ isNew: true, delegate: alpha.contracts.batchExecutor });
  });

  test('behavior: no second authorization on the second run; then shows and revokes the delegation', async () => {
    const ended = await execute('100', 'alpha/usdc', 'beta/usdc');
    expect(ended.code).toBe(0);
    expect(ended.lines().find(({ type }) => type === 'delegated')).toMatchObject({ isNew: false });
    const shown = await ferry(['delegation', 'show', '--account', 'dev9', '--json'], { env });
    expect(shown.json().data.delegations).toEqual([
      expect.objectContaining({ chain: 'alpha', verdict: 'allowed', delegate: alpha.contracts.batchExecutor }),
      expect.objectContaining({ chain: 'beta', verdict: 'none', delegate: null }),
    ]);
    const revoked = await ferry(['delegation', 'revoke', 'alpha', '--account', 'dev9', '--yes', '--json'], { env });
    expect(revoked.stderr).toBe('');
    expect(revoked.json().data).toMatchObject({ revoked: alpha.contracts.batchExecutor, paidBy: 'sponsor' });
    expect(await ask(sandbox.rpcUrls.alpha, 'eth_getCode', dev9, 'latest')).toBe('0x');
    expect(await ether()).toBe(0n);
    const again = await ferry(['delegation', 'revoke', 'alpha', '--account', 'dev9', '--yes', '--json'], { env });
    expect(again.json().data.revoked).toBeNull();
  });

  test('behavior: an account with gas revokes in its own transaction', async () => {
    const ended = await ferry(['execute', '5', 'alpha/usdc', 'beta/usdc', '--gasless', '--yes', '--json'], { env });
    expect(ended.code).toBe(0);
    const revoked = await ferry(['delegation', 'revoke', 'alpha', '--yes', '--json'], { env });
    expect(revoked.json().data).toMatchObject({ paidBy: 'account', txHash: expect.stringMatching(/^0x/) });
    expect(await ask(sandbox.rpcUrls.alpha, 'eth_getCode', accounts.dev0.address, 'latest')).toBe('0x');
  });

  test('error: more than the account holds is refused before anything is signed', async () => {
    const ended = await execute('2000000', 'alpha/usdc', 'beta/usdc');
    expect([ended.code, ended.json().error.code]).toEqual([6, 'submit.insufficient-balance']);
    expect(ended.lines().some(({ type }) => type === 'batch-signed')).toBe(false);
  });
});

describe('execute --permit', () => {
  const permit = (...more: string[]): Promise<Ended> =>
    ferry(['execute', '20', 'alpha/usdc', 'beta/usdc', '--permit', '--account', 'dev9', '--yes', '--json', ...more], {
      env,
    });

  test('default: EIP-3009 bound to the order, without a delegation', async () => {
    const before = await held();
    const ended = await permit();
    expect(ended.stderr).toBe('');
    expect(ended.code).toBe(0);
    expect(ended.json().data).toMatchObject({ status: 'success', gas: { amount: '0' } });
    expect(before - (await held())).toBe(20_000_000n);
    expect(await ether()).toBe(0n);
    expect(await ask(sandbox.rpcUrls.beta, 'eth_getCode', dev9, 'latest')).toBe('0x');
    expect(ended.lines().find(({ type }) => type === 'permit-signed')?.primaryType).toBe('ReceiveWithAuthorization');
  });

  test('error: an authorization that is not bound to the order: refused, unless that is allowed', async () => {
    const before = await held();
    await fault({ kind: 'tamper', match: { path: '/quote/v2' }, times: 2, recipe: 'other-nonce', consistent: true });
    const refused = await permit();
    expect([refused.code, refused.json().error.code]).toEqual([5, 'verify.unverified']);
    const allowed = await permit('--allow', 'order-binding');
    expect(allowed.lines().find(({ type }) => type === 'permit-signed')?.primaryType).toBe('ReceiveWithAuthorization');
    // What was signed is of no use to the service, whose proxy takes only what binds the order. Until the chain shows
    // so, its refusal is only its word.
    const { error } = allowed.json();
    expect([allowed.code, error.code, error.funds, error.retryable]).toEqual([10, 'submit.unknown', 'unknown', false]);
    expect(error.next).toBe(`ferry resume ${error.run} --account dev9`);
    expect(await held()).toBe(before);
  });

  test('error: one that the service wants valid for longer than --valid-for is not signed', async () => {
    const ended = await permit('--valid-for', '2m');
    expect([ended.code, ended.json().error]).toMatchObject([5, { code: 'verify.cap', facts: { allowed: '2m' } }]);
    expect(ended.lines().some(({ type }) => type === 'permit-signed')).toBe(false);
    expect((await permit('--valid-for', '20m')).code).toBe(0);
  });
});

/** The service, asked for something else than what ferry asks for. */
async function serviceThatQuotes(more: object): Promise<string> {
  const { url } = await loopback((response, request) => {
    const isQuote = request.path === '/quote/v2';
    const body = isQuote ? JSON.stringify({ ...JSON.parse(request.body), ...more }) : request.body;
    passTo(sandbox.baseUrl)(response, { ...request, body });
  });
  return url;
}

test('error: where --permit is answered by transactions, nothing is signed in its place', async () => {
  const url = await serviceThatQuotes({ usePermit: false });
  const argv = ['execute', '20', 'alpha/usdc', 'beta/usdc', '--permit', '--account', 'dev7', '--yes', '--json'];
  const ended = await ferry(argv, { env: { ...env, FERRY_BASE_URL: url } });
  expect(ended.json().error).toMatchObject({
    code: 'quote.unsupported-step',
    message: 'The service asks for transactions, not for a permit of USDC. Nothing was signed.',
    funds: 'untouched',
    hint: expect.stringContaining('--gasless'),
  });
  expect(ended.stdout).not.toContain('"signed');
});

describe('attack: a permit is to be signed, which was not asked for', () => {
  test.each([
    ['by transactions of the account', []],
    ['by a batch that is valid for a minute', ['--gasless', '--valid-for', '1m']],
  ])('error: who pays %s signs none', async (_, own) => {
    const url = await serviceThatQuotes({ usePermit: true });
    const before = await balanceAt(sandbox.rpcUrls.alpha, usdc, accounts.dev6.address);
    const argv = 'execute 20 alpha/usdc beta/usdc --account dev6 --yes --json --timeout 2s'.split(' ');
    const ended = await ferry([...argv, ...own], { env: { ...env, FERRY_BASE_URL: url }, pace: 20 });
    expect(ended.json().error).toMatchObject({ code: 'verify.mismatch', exit: 5, funds: 'untouched' });
    expect(ended.json().error.facts['step of authorize1']).toContain('which was not asked for');
    expect(ended.stdout).not.toContain('permit-signed');
    expect(await balanceAt(sandbox.rpcUrls.alpha, usdc, accounts.dev6.address)).toBe(before);
  });
});
