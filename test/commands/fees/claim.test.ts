import { describe, expect, test } from 'vitest';
import { accounts, type Name } from '../../../src/sandbox/values/devAccounts.js';
import { addFault, faultsOf } from '../../support/faults.js';
import { type Ended, type Envelope, ferry } from '../../support/ferry.js';
import { useSandbox } from '../../support/sandbox.js';

const { sandbox, env } = useSandbox();

const { dev5: app, dev6: receiver } = accounts;

const claim = (args: readonly string[], who: Name = 'dev5'): Promise<Ended> =>
  ferry(['fees', 'claim', ...args, '--account', who, '--json'], { env });

const balance = async (wallet: string = app.address): Promise<Envelope> =>
  (await ferry(['fees', 'balance', wallet, '--json'], { env })).json().data;

/** What the wallet can claim, in base units. */
const left = async (): Promise<bigint> => BigInt((await balance()).balances[0]?.amount ?? 0);

/** The error, after which nothing was claimed. */
async function refused(code: string, ended: Promise<Ended>): Promise<Envelope> {
  const before = await left();
  const { error } = (await ended).json();
  expect([error.code, error.funds]).toEqual([code, 'untouched']);
  expect(await left()).toBe(before);
  return error;
}

test('balance: of any address, without a key', async () => {
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

describe('claim', () => {
  const answered = { path: `/app-fees/${app.address}/claim`, method: 'POST' } as const;

  test('default: a dry run shows what the service wants signed, and signs nothing', async () => {
    expect((await claim(['--dry-run'])).json().data).toMatchObject({
      funds: 'untouched',
      recipient: app.address,
      claimed: { amount: '10000000', formatted: '10' },
      claimId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    const part = await claim(['alpha/usdc', '--amount', '4', '--to', receiver.address, '--dry-run']);
    expect(part.json().data).toMatchObject({ recipient: receiver.address, claimed: { amount: '4000000' } });
    const { stdout } = await ferry(['fees', 'claim', '--dry-run', '--account', 'dev5'], { env, columns: 80 });
    expect(stdout).toMatch(/nothing was signed/);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/may be the hash of anything/);
    expect((await balance()).claims).toEqual([]);
  });

  test('error: a hash that the service names is not signed: it may be that of a contract wallet’s transaction', async () => {
    // What a contract wallet takes from its owner is a signature over exactly such 32 bytes.
    const stolen = `0x${'5e'.repeat(32)}`;
    for (const path of ['/steps/0/items/0/data/sign/message', '/steps/0/items/0/data/post/body/requestId'])
      await addFault(sandbox, 'service', { kind: 'tamper', path, value: stolen, match: answered });
    await addFault(sandbox, 'service', { kind: 'delay', delayMs: 0, times: 0, match: { path: '/execute' } });
    const { facts } = await refused('verify.unverified', claim([]));
    expect(facts).toMatchObject({ 'to claim': '10 USDC on alpha', 'to sign': stolen });
    expect((await faultsOf(sandbox, 'service')).find(({ kind }) => kind === 'delay')).toMatchObject({ met: 0 });
    await refused('verify.unverified', claim(['--amount', '1']));
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
  ])('error: a service that asks to sign %s', async (_, path, value) => {
    await addFault(sandbox, 'service', { kind: 'tamper', path, value, match: answered });
    await refused('verify.mismatch', claim(['--dry-run']));
  });

  test('error: nothing to claim, too much, another currency, a bad recipient', async () => {
    const { error } = (await claim([], 'dev6')).json();
    expect(error).toMatchObject({ code: 'submit.insufficient-balance', next: 'ferry fees balance --account dev6' });
    await refused('submit.insufficient-balance', claim(['--amount', '1000']));
    await refused('submit.insufficient-balance', claim(['beta/usdc']));
    await refused('request.too-many-decimals', claim(['--amount', '0.0000001']));
    await refused('request.invalid-address', claim(['--to', `0x${'0'.repeat(40)}`]));
    await refused('request.invalid-address', claim(['--to', 'me']));
  });

  test('error: fees of another network, a dead service', async () => {
    const path = '/balances/0/currency/chainId';
    const match = { path: `/app-fees/${app.address}/balances` };
    await addFault(sandbox, 'service', { kind: 'tamper', path, value: 1, match });
    expect((await claim([])).json().error.code).toBe('request.unknown-chain');
    await addFault(sandbox, 'service', { kind: 'drop', times: 0 });
    expect((await claim([])).json().error).toMatchObject({ code: 'service.unreachable', funds: 'untouched' });
  });
});
