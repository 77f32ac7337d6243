/** The whole program against a venue that names another account as the wallet's, to have a deposit credited to it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { addFault, clearFaults } from '../support/faults.js';
import { at, type Ended, ferry, temporaryFolder } from '../support/ferry.js';
import { nonceAt } from '../support/node.js';
import { ownNetwork } from '../support/ownNetwork.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';
import { usdcOf } from '../support/venueBooks.js';

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterEach(() => clearFaults(sandbox));
afterAll(() => sandbox.stop());

const { address, privateKey } = accounts.dev4;
const nonce = (): Promise<number> => nonceAt(sandbox.rpcUrls.alpha, address);

/** The venue says that account 103, which is another's, is the wallet's. */
const lie = (): Promise<string> =>
  addFault(sandbox, 'venue', {
    kind: 'tamper',
    path: '/accounts/0/index',
    value: 103,
    match: { path: '/api/v1/account' },
    times: 0,
  });

describe('the sandbox, whose accounts ferry knows', () => {
  test.each([
    ['a deposit', ['venue', 'deposit', '10', 'alpha/usdc']],
    ['a transfer', ['execute', '10', 'alpha/usdc', 'lighter/usdc']],
    ['a deposit, with the check allowed', ['venue', 'deposit', '10', 'alpha/usdc', '--allow', 'venue-account']],
  ])('attack: %s to another account is refused, and nothing is paid', async (_, args) => {
    const before = [await nonce(), await usdcOf(sandbox, 103)];
    await lie();
    const ended = await ferry([...args, '--account', 'dev4', '--yes', '--json'], { env: at(sandbox) });
    expect(ended.code).toBe(5);
    expect(ended.json().error).toMatchObject({
      code: 'verify.mismatch',
      funds: 'untouched',
      next: 'ferry venue account --accept',
      facts: { 'venue-account': `expected account 104 of ${address}, found account 103` },
    });
    expect([await nonce(), await usdcOf(sandbox, 103)]).toEqual(before);
  });

  test('error: the account that ferry ships is not replaced under --yes', async () => {
    await addFault(sandbox, 'venue', {
      kind: 'tamper',
      path: '/sub_accounts/0/index',
      value: 103,
      match: { path: '/api/v1/accountsByL1Address' },
      times: 0,
    });
    const args = ['venue', 'account', address, '--accept', '--yes', '--json'];
    const ended = await ferry(args, { env: at(sandbox) });
    expect(ended.json().error).toMatchObject({ code: 'usage.confirmation', facts: { account: '104 → 103' } });
  });
});

describe('a network of the user’s own', () => {
  const start = async (): Promise<(...args: string[]) => Promise<Ended>> => {
    const folder = temporaryFolder();
    const { env } = ownNetwork(sandbox, { folder, venueUrl: sandbox.venueUrl });
    const own = { ...env, FERRY_PRIVATE_KEY: privateKey };
    const run = (...args: string[]): Promise<Ended> => ferry([...args, '--yes', '--json'], { env: own });
    expect((await run('contracts', 'accept', 'alpha')).code).toBe(0);
    return Object.assign(run, { file: join(folder, 'pins.json') });
  };
  const deposit = ['venue', 'deposit', '10', 'alpha/usdc', '--min-out', '5', '--dry-run'];

  test('error: at first use nobody but the venue says whose account it is', async () => {
    const run = await start();
    const { error } = (await run(...deposit)).json();
    expect(error).toMatchObject({ code: 'verify.unverified', exit: 5, funds: 'untouched' });
    expect(error.facts['venue-account']).toContain('found account 104');
    expect(error.hint).toMatch(/ferry venue account --accept.*--account-index.*--allow venue-account/);
  });

  test.each([
    ['the user names it', ['--account-index', '104']],
    ['the user allows it', ['--allow', 'venue-account']],
  ])('behavior: it is credited where %s', async (_, more) => {
    expect((await (await start())(...deposit, ...more)).json()).toMatchObject({ ok: true, data: { recipient: '104' } });
  });

  test('behavior: accepted once, it is trusted, and another is a contradiction until it is accepted', async () => {
    const run = await start();
    const { data } = (await run('venue', 'account', '--accept')).json();
    expect(data.accounts).toMatchObject([{ index: 104, trusted: 'pinned' }]);
    expect((await run(...deposit)).code).toBe(0);
    await lie();
    expect((await run(...deposit)).json().error).toMatchObject({ code: 'verify.mismatch' });
    await clearFaults(sandbox);
    expect((await run(...deposit)).code).toBe(0);
    expect(JSON.parse(readFileSync((run as unknown as { file: string }).file, 'utf8')).chains).toContainEqual(
      expect.objectContaining({
        chainId: 3586256,
        accounts: [expect.objectContaining({ index: '104' })],
      }),
    );
  });
});
