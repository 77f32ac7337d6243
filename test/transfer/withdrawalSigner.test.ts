import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as DevelopmentAccount from '../../src/core/network/DevelopmentAccount.js';
import type { Turn, Venue } from '../../src/core/ports/Ports.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { openSigner } from '../../src/transfer/withdrawalSigner.js';
import { addFault } from '../support/faults.js';
import { type Ended, ferry, temporaryFolder } from '../support/ferry.js';
import { contextAt } from '../support/ownNetwork.js';
import { useSandbox } from '../support/sandbox.js';
import { nonceOf, usdcOf } from '../support/venueBooks.js';
import * as withdrawal from '../support/withdrawal.js';

const { sandbox, env } = useSandbox();

function withdraw(...args: string[]): Promise<Ended> {
  return ferry(['venue', 'withdraw', ...args, '--yes', '--json'], { env });
}

/** Runs something, and holds that it moved nothing and used no nonce. */
async function untouched(index: number, run: () => Promise<Ended>): Promise<Ended> {
  const look = () => Promise.all([usdcOf(sandbox, index), nonceOf(sandbox, index)]);
  const before = await look();
  const ended = await run();
  expect(await look()).toEqual(before);
  expect(ended.json().error).toMatchObject({ funds: 'untouched' });
  return ended;
}

function keyFile(content: string): string {
  const path = join(temporaryFolder(), 'key');
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

describe('openSigner: the quote’s action', () => {
  const at = '/steps/0/items/0/data/action';

  test.each([
    ['type', 'withdraw'],
    ['parameters/toAccountIndex', 101],
    ['parameters/assetIndex', 1],
    ['parameters/fromRouteType', 1],
    ['parameters/toRouteType', 1],
    ['parameters/amount', 100_000_001],
    ['parameters/amount', 99_999_999],
    ['parameters/usdcFee', 10_000_001],
    ['parameters/memo', `0x${'12'.repeat(32)}`],
    ['parameters/memo', 'thirty-two characters long memo!'],
    ['parameters/memo', undefined],
    ['parameters/more', 1],
  ])('error: a wrong %s (%s) is refused before anything is signed', async (field, value) => {
    await addFault(sandbox, 'service', { kind: 'tamper', path: `${at}/${field}`, value, match: { path: '/quote' } });
    const ended = await untouched(100, () => withdraw('100', 'alpha/usdc'));
    expect(ended.code).toBe(5);
    expect(ended.lines().map(({ type }) => type)).not.toContain('venue-signed');
  });

  test('error: a fee above --max-venue-fee', async () => {
    const ended = await untouched(100, () => withdraw('100', 'alpha/usdc', '--max-venue-fee', '2.99'));
    expect(ended.code).toBe(5);
    expect(ended.json().error.facts).toEqual({
      'venue-fee of deposit': 'expected at most 2.99 USDC (Perp) (2990000), found 3 USDC (Perp) (3000000)',
    });
  });

  test('error: a fee that the venue does not ask', async () => {
    const path = `${at}/parameters/usdcFee`;
    await addFault(sandbox, 'service', { kind: 'tamper', path, value: 4_000_000, match: { path: '/quote' } });
    const ended = await untouched(100, () => withdraw('100', 'alpha/usdc'));
    expect(ended.code).toBe(5);
    expect(ended.json().error.facts).toEqual({ quoted: '4 USDC', asked: '3 USDC' });
  });

  test('behavior: where the venue does not say what it asks, the quote’s fee stands', async () => {
    const match = { path: '/api/v1/transferFeeInfo' };
    const headers = { 'retry-after': '99' };
    await addFault(sandbox, 'venue', { kind: 'status', status: 429, times: 0, headers, match });
    const ended = await withdraw('100', 'alpha/usdc');
    expect(ended.code).toBe(0);
    expect(ended.json().warnings).toEqual([expect.stringMatching(/did not return its current transfer fee/)]);
  });

  test('error: less than the amount and the fee', async () => {
    const all = await usdcOf(sandbox, 104);
    const amount = String(all / 1_000_000n - 2n);
    const ended = await untouched(104, () => withdraw(amount, 'alpha/usdc', '--account', 'dev4'));
    expect(ended.json().error).toMatchObject({
      code: 'submit.insufficient-balance',
      facts: { amount: '9998 USDC', 'venue fee': '3 USDC', balance: '10000 USDC' },
    });
  });
});

describe('assertOneSigner', () => {
  test.each([
    ['--venue-key', 'mine'],
    ['--venue-key-file', '/no/such/file'],
  ])('error: --signer and %s', async (flag, value) => {
    const ended = await untouched(100, () => withdraw('100', 'alpha/usdc', '--signer', 'true', flag, value));
    const message = `--signer and ${flag} cannot be combined: each selects what signs.`;
    expect(ended.json().error).toMatchObject({ code: 'usage.invalid', message });
  });
});

describe('openSigner: who signs', () => {
  const [own, other] = [DevelopmentAccount.venueKey(0), DevelopmentAccount.venueKey(1)];

  test.each([
    ['another wallet’s account', ['--account-index', '101'], 'auth.venue-owner', 4],
    ['an account that does not exist', ['--account-index', '999'], 'venue.unknown-account', 2],
    ['a wallet without an account', ['--account', 'dev5'], 'venue.unknown-account', 2],
    ['a slot without a key', ['--api-key-index', '9'], 'auth.venue-key', 4],
    ['no slot', ['--api-key-index', '255'], 'usage.invalid', 2],
    ['an unknown stored key', ['--venue-key', 'mine'], 'auth.unknown-account', 4],
  ])('error: %s', async (_, args, code, exit) => {
    const ended = await untouched(100, () => withdraw('100', 'alpha/usdc', ...args));
    expect(ended.json().error).toMatchObject({ code, exit });
  });

  test('error: an API key that is not the registered one signs nothing', async () => {
    const ended = await untouched(100, () => withdraw('100', 'alpha/usdc', '--venue-key-file', keyFile(other)));
    expect(ended.json().error).toMatchObject({ code: 'auth.venue-key', next: 'ferry venue account 100' });
    expect(`${ended.stdout}${ended.stderr}`).not.toContain(other.slice(2));
  });

  test('error: a key that was replaced at the venue', async () => {
    const path = '/api_keys/0/public_key';
    const match = { path: '/api/v1/apikeys' };
    await addFault(sandbox, 'venue', { kind: 'tamper', path, value: '11'.repeat(40), match });
    const ended = await untouched(100, () => withdraw('100', 'alpha/usdc'));
    expect(ended.json().error.code).toBe('auth.venue-key');
  });

  test('behavior: a key from a file, from a variable, and kept in the keystore', async () => {
    const password = keyFile('long secret');
    const folder = temporaryFolder();
    const kept = { ...env, FERRY_CONFIG_DIR: folder };
    const place = ['--venue-account', '100', '--api-key-index', '4'];
    const imported = await ferry(
      ['key', 'import', 'venue', ...place, '--key-file', keyFile(own), '--password-file', password, '--json'],
      { env: kept },
    );
    expect(imported.json().data.venue).toMatchObject({ network: 'sandbox', accountIndex: 100, apiKeyIndex: 4 });
    const shown = await ferry(['venue', 'account', '--json'], { env: kept });
    expect(shown.json().data.accounts[0].keys).toEqual([
      { index: 4, name: 'venue', nonce: expect.any(String), publicKey: imported.json().data.venue.publicKey },
    ]);
    for (const [args, more] of [
      [['--venue-key-file', keyFile(own)], env],
      [[], { ...env, FERRY_VENUE_PRIVATE_KEY: own }],
      [['--password-file', password], kept],
    ] as const) {
      const ended = await ferry(['venue', 'withdraw', '20', 'alpha/usdc', ...args, '--yes', '--json'], { env: more });
      expect(ended.code).toBe(0);
      expect(`${ended.stdout}${ended.stderr}`).not.toContain(own.slice(2));
    }
  });

  test('error: the stored key with a wrong password', async () => {
    const kept = { ...env, FERRY_CONFIG_DIR: temporaryFolder() };
    const place = ['--venue-account', '100', '--api-key-index', '4', '--key-file', keyFile(own)];
    await ferry(['key', 'import', 'venue', ...place, '--password-file', keyFile('the right one')], { env: kept });
    const args = ['venue', 'withdraw', '20', 'alpha/usdc', '--password-file', keyFile('wrong'), '--yes', '--json'];
    const ended = await untouched(100, () => ferry(args, { env: kept }));
    expect(ended.json().error.code).toBe('auth.password');
  });

  test('error: a sub-account is of the same wallet, and pays for itself', async () => {
    const index = 281474976710654;
    const ended = await untouched(index, () =>
      withdraw('10', 'alpha/usdc', '--account', 'dev1', '--account-index', String(index)),
    );
    expect(ended.json().error.code).toBe('submit.insufficient-balance');
    expect(accounts.dev1.address).toBe(ended.lines()[0]?.wallet);
  });
});

describe('openSigner: what was asked for before', () => {
  const turn: Turn = { known: () => undefined, use: () => {}, commit: async () => {}, release: () => {} };

  /** The signer of an account, and what the venue is asked once it is there. */
  async function opened(fee?: { toAccountIndex: number; usdc: bigint }) {
    const context = await contextAt({ ...env, FERRY_ACCOUNT: 'dev0' }, { yes: true });
    const found = await context.venue();
    const [account, registered] = await Promise.all([found.account(100), found.apiKeys(100)]);
    if (!account) throw new Error('no account');
    const at = context.clock.now();
    const heard: string[] = [];
    const venue: Venue = {
      ...found,
      nextNonce: (...args) => {
        heard.push('nextNonce');
        return found.nextNonce(...args);
      },
      transferFee: async (from, to) => {
        heard.push(`fee from ${from} to ${to}`);
        return 3_000_000n;
      },
    };
    const asking = { ...context, venue: async () => venue };
    const early = fee && { at, asked: Promise.resolve(fee) };
    const preloaded = { registered: Promise.resolve(registered), unlocked: undefined, fee: early };
    return { signer: await openSigner(account, preloaded, { args: [] }, asking), heard, at };
  }

  test('behavior: a nonce that was read just now is signed with, and an old one is read again', async () => {
    const { signer, heard, at } = await opened();
    const plan = await withdrawal.plan();
    const { transfer } = await signer.sign(plan, undefined, { turn, next: 77n, at });
    expect([transfer.nonce, heard]).toEqual([77n, []]);
    const { transfer: later } = await signer.sign(plan, undefined, { turn, next: 77n, at: at - 60_000 });
    expect([later.nonce, heard]).toEqual([BigInt(await nonceOf(sandbox, 100)), ['nextNonce']]);
  });

  test('behavior: a fee is that of a transfer to the same account', async () => {
    const { transfer } = await withdrawal.plan();
    const { fromAccountIndex: from, toAccountIndex: to } = transfer;
    const { signer, heard } = await opened({ toAccountIndex: to, usdc: 2_500_000n });
    expect([await signer.feeAsked(transfer), heard]).toEqual([2_500_000n, []]);
    const other = { ...transfer, toAccountIndex: to + 1 };
    expect([await signer.feeAsked(other), heard]).toEqual([3_000_000n, [`fee from ${from} to ${to + 1}`]]);
  });
});
