import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BaseError } from '../../../src/core/base/Errors.js';
import * as Network from '../../../src/core/network/Network.js';
import { network } from '../../../src/core/network/sandbox.js';
import { accounts, type Name } from '../../../src/sandbox/values/devAccounts.js';
import { cast } from '../../support/cast.js';
import { addFault, clearFaults, faultsOf } from '../../support/faults.js';
import { at, type Ended, type Envelope, ferry, soon } from '../../support/ferry.js';
import { startSandbox, type TestSandbox } from '../../support/sandbox.js';

let sandbox: TestSandbox;
let env: Record<string, string | undefined>;

const { dev5: app, dev6: receiver } = accounts;
const usdc = Network.token(Network.chain(network, 'alpha'), 'usdc')?.address ?? '';

beforeAll(async () => {
  sandbox = await startSandbox();
  env = at(sandbox);
});
afterEach(() => clearFaults(sandbox));
afterAll(() => sandbox.stop());

type More = Parameters<typeof ferry>[1] & { who?: Name };

const claim = (args: readonly string[], { who = 'dev5', ...more }: More = {}): Promise<Ended> =>
  ferry(['fees', 'claim', ...args, '--account', who, '--yes', '--json'], { env, ...more });

const balance = async (wallet: string = app.address): Promise<Envelope> =>
  (await ferry(['fees', 'balance', wallet, '--json'], { env })).json().data;

/** What the wallet can claim, in base units. */
const left = async (): Promise<bigint> => BigInt((await balance()).balances[0]?.amount ?? 0);

/** By cast, in base units. */
async function holds(owner: string): Promise<bigint> {
  const asked = ['call', usdc, 'balanceOf(address)(uint256)', owner, '--rpc-url', sandbox.rpcUrls.alpha];
  return BigInt((await cast(...asked)).split(' ')[0] ?? '');
}

/** The error, after which nothing was claimed. */
async function refused(code: string, ended: Promise<Ended>): Promise<Envelope> {
  const before = await left();
  const { error } = (await ended).json();
  expect([error.code, error.funds]).toEqual([code, 'untouched']);
  expect(await left()).toBe(before);
  return error;
}

describe('balance', () => {
  test('default: of any address, without a key', async () => {
    // 1% of 1000 USDC.
    const line = ['execute', '1000', 'alpha/usdc', 'beta/usdc', '--app-fee', `${app.address}:100`, '--yes', '--json'];
    expect((await ferry(line, { env })).code).toBe(0);
    expect(await balance()).toMatchObject({
      wallet: app.address,
      balances: [{ currency: 'alpha/usdc', symbol: 'USDC', amount: '10000000', formatted: '10', usd: '10.000000' }],
      totalUsd: '10.000000',
      claims: [],
    });
    const { stdout } = await ferry(['fees', 'balance', app.address], { env });
    expect(stdout).toContain('10 USDC  alpha  $10.00');
    expect((await ferry(['fees', 'balance', receiver.address], { env })).stdout).toContain('No app fees to claim.');
  });
});

describe('claim', () => {
  test('behavior: a dry run signs nothing, and a person is told what the signature does not say', async () => {
    const ended = await claim(['--dry-run']);
    expect(ended.json().data).toMatchObject({
      status: 'planned',
      funds: 'untouched',
      recipient: app.address,
      claimed: { amount: '10000000', formatted: '10' },
      claimId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      received: null,
    });
    const { stdout } = await ferry(['fees', 'claim', '--dry-run', '--account', 'dev5'], { env, columns: 80 });
    expect(stdout).toMatch(/nothing was signed/);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/covers the id alone/);
    const asked = (await ferry(['fees', 'claim', '--account', 'dev5', '--json'], { env })).json().error;
    expect(asked.code).toBe('usage.confirmation');
    expect(JSON.stringify(asked.facts)).toMatch(/10 USDC on alpha, to be paid to 0x.*the service’s word/);
    expect((await balance()).claims).toEqual([]);
  });

  test('default: a part, to another address, followed until the chain shows it', async () => {
    const before = await holds(receiver.address);
    const ended = await claim(['alpha/usdc', '--amount', '4', '--to', receiver.address]);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    const arrived = (await holds(receiver.address)) - before;
    const { data } = ended.json();
    expect(data).toMatchObject({
      status: 'success',
      funds: 'delivered',
      claimed: { amount: '4000000' },
      received: { amount: String(arrived) },
      withheld: { amount: String(4_000_000n - arrived) },
      txHash: expect.stringMatching(/^0x/),
    });
    expect(arrived).toBeGreaterThan(3_900_000n);
    const kinds = ended.lines().map(({ type }) => type);
    expect(kinds.slice(0, 2)).toEqual(['claim-signed', 'submitted']);
    expect(await left()).toBe(6_000_000n);
    expect((await balance()).claims).toMatchObject([{ claimId: data.claimId, status: 'success', txHash: data.txHash }]);
  });

  test('behavior: a lost answer is asked about, and paid once', async () => {
    const match = { path: '/execute/permits' };
    await addFault(sandbox, 'service', { kind: 'drop-after', match });
    const ended = await claim(['--amount', '1']);
    expect(ended.json().data).toMatchObject({ status: 'success', claimed: { formatted: '1' } });
    expect(ended.lines().map(({ type }) => type)).toContain('asking');
    expect(await left()).toBe(5_000_000n);
    // Lost on the way there: the same signature is posted again.
    await addFault(sandbox, 'service', { kind: 'drop', match });
    expect((await claim(['--amount', '1'])).json().data.status).toBe('success');
    expect(await left()).toBe(4_000_000n);
  });

  test('error: no answer at all: it may have been accepted, and where to look', async () => {
    await addFault(sandbox, 'service', { kind: 'drop', times: 0, match: { path: '/execute/permits' } });
    const { error } = (await claim(['--amount', '1'])).json();
    expect(error).toMatchObject({
      code: 'submit.unknown',
      funds: 'unknown',
      next: `ferry fees balance ${app.address} --account dev5`,
    });
    expect(error.facts['at stake']).toBe('1 USDC on alpha');
  });

  test.each([
    [
      'a token permit',
      '/steps/0/items/0/data/sign',
      { signatureKind: 'eip712', domain: {}, types: {}, primaryType: 'Permit', value: {} },
    ],
    ['another hash', '/steps/0/items/0/data/sign/message', `0x${'b4'.repeat(32)}`],
    ['a text', '/steps/0/items/0/data/sign/message', 'yes'],
    ['another kind', '/steps/0/items/0/data/post/body/kind', 'permit2'],
  ])('error: a service that asks to sign %s: nothing is posted', async (_, path, value) => {
    await addFault(sandbox, 'service', {
      kind: 'tamper',
      path,
      value,
      times: 0,
      match: { path: `/app-fees/${app.address}/claim`, method: 'POST' },
    });
    await addFault(sandbox, 'service', { kind: 'delay', delayMs: 0, times: 0, match: { path: '/execute' } });
    await refused('verify.mismatch', claim([]));
    expect((await faultsOf(sandbox, 'service')).find(({ kind }) => kind === 'delay')).toMatchObject({ met: 0 });
  });

  test('error: a payment that the service only says: an old transaction, and none', async () => {
    const { claims } = await balance();
    const list = `/app-fees/${app.address}/claims`;
    const tamper = { kind: 'tamper', times: 0, after: 1, match: { path: list } } as const;
    await addFault(sandbox, 'service', { ...tamper, path: '/claims/0/txHash', value: claims[0].txHash });
    const ended = await claim(['--amount', '0.5', ...soon.args], { pace: soon.pace });
    expect(ended.json().error).toMatchObject({ code: 'track.unfinished', funds: 'in-flight' });
    expect(ended.json().error.facts['not the payment']).toBe(claims[0].txHash);
  });

  test('error: an earlier claim that is open, unless told otherwise', async () => {
    const list = `/app-fees/${app.address}/claims`;
    await addFault(sandbox, 'service', {
      kind: 'tamper',
      path: '/claims/0/status',
      value: 'pending',
      times: 2,
      match: { path: list },
    });
    await refused('run.unfinished', claim([]));
    expect((await claim(['--again', '--dry-run'])).code).toBe(0);
  });

  test('error: nothing to claim, too much, another currency, a bad recipient', async () => {
    const { error } = (await claim([], { who: 'dev6' })).json();
    expect(error).toMatchObject({ code: 'submit.insufficient-balance', next: 'ferry fees balance --account dev6' });
    await refused('submit.insufficient-balance', claim(['--amount', '1000']));
    await refused('submit.insufficient-balance', claim(['beta/usdc']));
    await refused('request.too-many-decimals', claim(['--amount', '0.0000001']));
    await refused('request.invalid-address', claim(['--to', `0x${'0'.repeat(40)}`]));
    await refused('request.invalid-address', claim(['--to', 'me']));
  });

  test('error: refused by the service, fees of another network, code in the wallet', async () => {
    await addFault(sandbox, 'service', {
      kind: 'status',
      status: 400,
      body: { message: 'Invalid signature' },
      match: { path: '/execute/permits' },
    });
    await refused('service.refused', claim([]));
    await cast('rpc', 'anvil_setCode', app.address, '0xef0100'.padEnd(48, '7'), '--rpc-url', sandbox.rpcUrls.alpha);
    await refused('verify.unverified', claim([]));
    await cast('rpc', 'anvil_setCode', app.address, '0x', '--rpc-url', sandbox.rpcUrls.alpha);
    const path = '/balances/0/currency/chainId';
    await addFault(sandbox, 'service', {
      kind: 'tamper',
      path,
      value: 1,
      times: 0,
      match: { path: `/app-fees/${app.address}/balances` },
    });
    await refused('request.unknown-chain', claim([]));
  });

  test('behavior: stopped before it signs, and while the signature is on its way', async () => {
    const reason = new BaseError('run.stopped', 'Stopped by SIGINT.');
    expect((await claim([], { signal: AbortSignal.abort(reason) })).json().error).toMatchObject({ funds: 'untouched' });
    await addFault(sandbox, 'service', { kind: 'delay', delayMs: 1000, match: { path: '/execute/permits' } });
    const interrupt = new AbortController();
    const running = claim(['--amount', '0.5'], { signal: interrupt.signal });
    await expect.poll(async () => (await faultsOf(sandbox, 'service'))[0]?.met).toBe(1);
    interrupt.abort(reason);
    expect((await running).json().error).toMatchObject({ code: 'submit.unknown', funds: 'unknown' });
  });

  test('error: a dead service', async () => {
    await addFault(sandbox, 'service', { kind: 'drop', times: 0 });
    expect((await claim([])).json().error).toMatchObject({ code: 'service.unreachable', funds: 'untouched' });
  });
});
