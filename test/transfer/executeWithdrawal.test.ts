import { readdirSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as DevelopmentAccount from '../../src/core/network/DevelopmentAccount.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { type BuiltSigner, buildSigner } from '../support/builtSigner.js';
import { addFault, clearFaults } from '../support/faults.js';
import { type Ended, ferry, temporaryFolder } from '../support/ferry.js';
import { ownNetwork } from '../support/ownNetwork.js';
import { useSandbox } from '../support/sandbox.js';
import { nonceOf, usdcOf } from '../support/venueBooks.js';

const { sandbox, env, user } = useSandbox();
let signing: BuiltSigner;

beforeAll(async () => {
  signing = await buildSigner();
});
afterAll(() => signing.remove());

function withdraw(of: Record<string, string | undefined>, ...args: string[]): Promise<Ended> {
  return ferry(['venue', 'withdraw', '10', 'alpha/usdc', ...args, '--yes', '--json'], { env: of });
}

/** The sandbox as a network of the user's own: nothing about it ships with ferry, and there is no wallet. */
function own(realMoney: boolean): { env: Record<string, string>; allow: string[] } {
  const { env: mine } = ownNetwork(sandbox, { realMoney, venueUrl: sandbox.venueUrl });
  const unknown = ['contract', 'solver-signature', 'order-extra-data', 'foreign-nonces'];
  return { env: mine, allow: unknown.flatMap((check) => ['--allow', check]) };
}

describe('executeWithdrawal: what rests on one witness', () => {
  test('behavior: what the user has let pass is warned of', async () => {
    const args = ['--recipient', `0x${'0'.repeat(36)}dEaD`, '--dry-run'];
    expect((await withdraw(env, ...args)).json().error.code).toBe('verify.unverified');
    const { warnings } = (await withdraw(env, ...args, '--allow', 'unusable-address')).json();
    expect(warnings).toContainEqual(expect.stringContaining('nobody has the key of'));
  });
});

const requestIdAsMemo = { kind: 'tamper', recipe: 'request-id-memo', times: 0, match: { path: '/quote/v2' } } as const;
const signer = (...args: string[]): string[] => ['--signer', signing.line(...args)];

describe('executeWithdrawal: the memo', () => {
  test('default: the order id', async () => {
    const { data } = (await withdraw(env, '--dry-run')).json();
    const record = await fetch(`${sandbox.baseUrl}/requests/v2?id=${data.requestId}&includeOrderData=true`);
    const { requests } = (await record.json()) as { requests: { protocol: { orderId: string } }[] };
    expect(JSON.stringify(requests[0])).toContain(data.plan[0].data);
    expect(data.plan[0].data).not.toBe(data.requestId);
  });

  test('behavior: without real money the request id is paid and delivered', async () => {
    await addFault(sandbox, 'service', requestIdAsMemo);
    const before = await usdcOf(sandbox, 100);
    const ended = await withdraw(env);
    const { data } = ended.json();
    expect(data).toMatchObject({ status: 'success', funds: 'delivered' });
    expect(before - (await usdcOf(sandbox, 100))).toBe(13_000_000n);
  });

  test('error: on real money the request id is refused by name, whatever is allowed', async () => {
    await addFault(sandbox, 'service', requestIdAsMemo);
    const { env: mine, allow } = own(true);
    const before = [await usdcOf(sandbox, 101), await nonceOf(sandbox, 101)];
    const args = ['--account-index', '101', ...allow, ...signer('dev1')];
    for (const check of ['deposit-id', 'memo-binding'])
      expect((await withdraw(mine, ...args, '--allow', check)).json().error.code).toBe('usage.invalid');
    const ended = await withdraw(mine, ...args);
    expect(ended.json().error).toMatchObject({
      code: 'verify.mismatch',
      funds: 'untouched',
      facts: { 'deposit-id of deposit': expect.stringMatching(/^expected 0x[0-9a-f]{64}, found the request id 0x/) },
    });
    expect([await usdcOf(sandbox, 101), await nonceOf(sandbox, 101)]).toEqual(before);
  });

  test('behavior: on a network of one’s own without real money it is paid', async () => {
    await addFault(sandbox, 'service', requestIdAsMemo);
    const { env: mine, allow } = own(false);
    const ended = await withdraw(mine, '--account-index', '101', ...allow, ...signer('dev1'));
    expect(ended.json().data.funds).toBe('delivered');
  });

  test('behavior: a saved quote and a run with the request id are proved and resumed', async () => {
    await addFault(sandbox, 'service', requestIdAsMemo);
    const there = user();
    const file = `${temporaryFolder()}/quote.json`;
    await there.run('quote', '10', 'lighter/usdc', 'alpha/usdc', '-o', file);
    const proved = await there.run('verify', file);
    expect(proved.code).toBe(0);
    expect(proved.stdout).toContain('the memo is the request id, which binds no terms');
    await addFault(sandbox, 'venue', { kind: 'drop', times: 0, match: { path: '/api/v1/sendTx' } });
    await addFault(sandbox, 'venue', { kind: 'status', status: 500, times: 0, match: { path: '/api/v1/tx' } });
    const begun = (await there.late('venue', 'withdraw', '10', 'alpha/usdc')).json().error;
    expect(begun.funds).toBe('unknown');
    await clearFaults(sandbox);
    const ended = await there.run('resume', begun.run);
    expect(ended.json().data).toMatchObject({ status: 'success', funds: 'delivered' });
  });
});

test('executeWithdrawal: the nonces are those of the slot that the venue has the key in, whatever its file says', async () => {
  const folder = temporaryFolder();
  const kept = { ...env, FERRY_CONFIG_DIR: folder, FERRY_STATE_DIR: `${folder}/state` };
  writeFileSync(`${folder}/key`, DevelopmentAccount.venueKey(0), { mode: 0o600 });
  writeFileSync(`${folder}/password`, 'long secret', { mode: 0o600 });
  const files = ['--key-file', `${folder}/key`, '--password-file', `${folder}/password`];
  const slot = ['--venue-account', '100', '--api-key-index', '9'];
  expect((await ferry(['key', 'import', 'api', ...slot, ...files], { env: kept })).code).toBe(0);
  const ended = await withdraw(kept, '--venue-key', 'api', '--password-file', `${folder}/password`);
  expect(ended.json().error).toBeUndefined();
  const counters = readdirSync(`${folder}/state/nonces`).filter((name) => name.startsWith('venue-'));
  expect(counters).toEqual([expect.stringMatching(new RegExp(`-100-${DevelopmentAccount.venueSlot}\\.json$`))]);
});

describe('payingAccount: no wallet here', () => {
  test('default: the tool signs for the owner, who receives the money', async () => {
    const { env: mine, allow } = own(true);
    const before = await usdcOf(sandbox, 101);
    const ended = await withdraw(mine, '--account-index', '101', ...allow, ...signer('dev1', '--expires-in', '599000'));
    expect(ended.json().data).toMatchObject({
      funds: 'delivered',
      user: '101',
      recipient: accounts.dev1.address,
      account: { index: 101, wallet: accounts.dev1.address },
    });
    expect(before - (await usdcOf(sandbox, 101))).toBe(13_000_000n);
  });

  test('behavior: a keystore is not unlocked', async () => {
    const folder = temporaryFolder();
    const kept = { ...env, FERRY_CONFIG_DIR: folder };
    writeFileSync(`${folder}/key`, accounts.dev1.privateKey, { mode: 0o600 });
    writeFileSync(`${folder}/password`, 'long secret', { mode: 0o600 });
    const imported = ['key', 'import', 'mine', '--key-file', `${folder}/key`, '--password-file', `${folder}/password`];
    expect((await ferry(imported, { env: kept })).code).toBe(0);
    // Without a password and a terminal it could not be unlocked.
    const ended = await withdraw(kept, '--account', 'mine', ...signer('dev1'));
    expect(ended.json().error).toBeUndefined();
    const locked = await withdraw(kept, '--account', 'mine', ...signer('dev1', '--owner', 'none'));
    expect(locked.json().error.code).toMatch(/^(prompt|auth)\./);
  });

  test('error: nobody signs for the owner', async () => {
    const { env: mine, allow } = own(true);
    const before = [await usdcOf(sandbox, 101), await nonceOf(sandbox, 101)];
    const ended = await withdraw(mine, '--account-index', '101', ...allow, ...signer('dev1', '--owner', 'none'));
    expect(ended.json().error).toMatchObject({ code: 'auth.no-account', funds: 'untouched' });
    expect([await usdcOf(sandbox, 101), await nonceOf(sandbox, 101)]).toEqual(before);
  });

  test('error: the wallet here is another’s, if it was selected or has to sign', async () => {
    const index = ['--account-index', '101'];
    for (const args of [[...index, '--account', 'dev2'], index]) {
      const ended = await withdraw(env, ...args, ...signer('dev1', '--owner', 'none'));
      expect(ended.json().error).toMatchObject({ code: 'auth.venue-owner', funds: 'untouched' });
    }
    expect((await withdraw(env, ...index)).json().error.code).toBe('auth.venue-owner');
  });
});
