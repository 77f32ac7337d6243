import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as VenueApi from '../../../src/core/api/VenueApi.js';
import { native } from '../../../src/core/base/Address.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { type BuiltSigner, buildSigner } from '../../support/builtSigner.js';
import { type Ended, ferry, temporaryFolder } from '../../support/ferry.js';
import { balanceAt } from '../../support/node.js';
import { sampled } from '../../support/sampled.js';
import { usdc, useSandbox } from '../../support/sandbox.js';
import { nonceOf, usdcOf } from '../../support/venueBooks.js';

const { sandbox, env } = useSandbox();
let signing: BuiltSigner;

beforeAll(async () => {
  signing = await buildSigner();
});
afterAll(() => signing.remove());

const held = (address: string): Promise<bigint> => balanceAt(sandbox.rpcUrls.alpha, usdc, address);

function withdraw(...args: string[]): Promise<Ended> {
  return ferry(['venue', 'withdraw', ...args, '--yes', '--json'], { env });
}

describe('venue withdraw', () => {
  test.each([-900_000, 900_000])('error: a clock that is %d ms off, before anything is signed', async (laterMs) => {
    const ended = await ferry(['venue', 'withdraw', '20', 'alpha/usdc', '--yes', '--json'], { env, laterMs });
    expect(ended.json().error).toMatchObject({ code: 'system.clock', exit: 2, funds: 'untouched' });
    expect(ended.stdout).not.toContain('venue-signed');
  });

  test('default: amount and fee leave the account, and what was quoted arrives, to the base unit', async () => {
    const { address } = accounts.dev0;
    const before = { venue: await usdcOf(sandbox, 100), relayer: await usdcOf(sandbox, 7), chain: await held(address) };
    const ended = await withdraw('100', 'alpha/usdc');
    expect(ended.stderr).toBe('');
    const { data } = ended.json();
    expect(data).toMatchObject({
      status: 'success',
      funds: 'delivered',
      user: '100',
      recipient: address,
      spent: { amount: '100000000' },
      venueFee: { amount: '3000000' },
      account: { index: 100, wallet: address },
    });
    expect(before.venue - (await usdcOf(sandbox, 100))).toBe(103_000_000n);
    expect((await usdcOf(sandbox, 7)) - before.relayer).toBe(100_000_000n);
    expect(String((await held(address)) - before.chain)).toBe(data.received.amount);
    expect(data.account.after.amount).toBe(String(before.venue - 103_000_000n));
    expect(ended.lines().map(({ type }) => type)).toEqual(
      expect.arrayContaining(['venue-account', 'quoted', 'verified', 'venue-signed', 'venue-sent', 'venue-executed']),
    );
  });

  test('behavior: to another wallet, in ether', async () => {
    const { address } = accounts.dev8;
    const ether = () => balanceAt(sandbox.rpcUrls.beta, native, address);
    const before = await ether();
    const ended = await withdraw('200', 'beta/eth', '--recipient', address, '--account', 'dev1');
    expect(String((await ether()) - before)).toBe(ended.json().data.received.amount);
    expect(ended.json().data.user).toBe('101');
  });

  test('error: a --valid-for that the venue would refuse', async () => {
    const validFor = '601s';
    const before = { usdc: await usdcOf(sandbox, 100), nonce: await nonceOf(sandbox, 100) };
    for (const more of [[], ['--sign-only'], ['--dry-run']]) {
      const ended = await withdraw('100', 'alpha/usdc', '--valid-for', validFor, ...more);
      const [message, facts] = [
        expect.stringContaining('--valid-for is longer'),
        { given: validFor, 'at most': '10m' },
      ];
      expect(ended.json().error).toMatchObject({ code: 'usage.invalid', funds: 'untouched', message, facts });
    }
    expect({ usdc: await usdcOf(sandbox, 100), nonce: await nonceOf(sandbox, 100) }).toEqual(before);
  });

  test('behavior: --valid-for at the limit is signed, and shown in the help', async () => {
    const earliestMs = Date.now() + 600_000;
    const ended = await withdraw('100', 'alpha/usdc', '--valid-for', '10m', '--sign-only');
    expect(ended.json().data.signed.expiresAt).toBeGreaterThanOrEqual(earliestMs);
    const help = await ferry(['venue', 'withdraw', '--help'], { env });
    expect(help.stdout.replace(/\s+/g, ' ')).toContain('valid, at most 10m (default: 9m)');
  });

  test('behavior: max is everything less the fee', async () => {
    const ended = await withdraw('max', 'alpha/usdc', '--account', 'dev4');
    expect(ended.json().data.spent.amount).toBe('9997000000');
    expect(await usdcOf(sandbox, 104)).toBe(0n);
  });

  test('error: max of an account with nothing, or no more than the fee, is a low balance and no mistyped amount', async () => {
    // Whatever it has left.
    await withdraw('max', 'alpha/usdc', '--account', 'dev4');
    const empty = await withdraw('max', 'alpha/usdc', '--account', 'dev4');
    const message = 'Venue account 104 has nothing to withdraw.';
    expect(empty.json().error).toMatchObject({ code: 'submit.insufficient-balance', message, funds: 'untouched' });
    await ferry(['venue', 'deposit', '2.5', 'alpha/usdc', '--account', 'dev4', '--yes'], { env });
    const little = await withdraw('max', 'alpha/usdc', '--account', 'dev4');
    expect([little.code, little.json().error.facts]).toMatchObject([6, { 'venue fee': '3 USDC' }]);
    const amount = await withdraw('1', 'alpha/usdc', '--account', 'dev4');
    expect([amount.code, amount.json().error.hint]).toEqual([6, null]);
  });

  test('behavior: a refund goes back to the account, less the fee that the venue keeps', async () => {
    const before = await usdcOf(sandbox, 102);
    const ended = await withdraw('50', 'alpha/usdc', '--account', 'dev2', '--referrer', 'debug-force-refund');
    expect(ended.code).toBe(7);
    const facts = { returned: '50 USDC', to: '102' };
    expect(ended.json().error).toMatchObject({ code: 'track.refunded', funds: 'returned', facts });
    expect(before - (await usdcOf(sandbox, 102))).toBe(3_000_000n);
  });

  test('behavior: a dry run signs nothing', async () => {
    const before = await nonceOf(sandbox, 100);
    const ended = await withdraw('100', 'alpha/usdc', '--dry-run');
    expect(ended.json().data).toMatchObject({
      status: 'planned',
      funds: 'untouched',
      signed: null,
      plan: [{ action: 'transfer', to: '7', value: '100000000', data: expect.stringMatching(/^0x[0-9a-f]{64}$/) }],
    });
    expect(await nonceOf(sandbox, 100)).toBe(before);
  });

  test('behavior: a fee that is large against the amount is said', async () => {
    const ended = await withdraw('10', 'alpha/usdc', '--dry-run');
    expect(ended.json().warnings).toEqual(['The venue charges 3 USDC on top, 30% of the amount.']);
    expect((await withdraw('100', 'alpha/usdc', '--dry-run')).json().warnings).toEqual([]);
  });
});

test('venue withdraw --sign-only: the bytes can be handed in by anybody, once', async () => {
  const before = await usdcOf(sandbox, 103);
  const ended = await withdraw('100', 'alpha/usdc', '--account', 'dev3', '--sign-only');
  const { data } = ended.json();
  expect(data).toMatchObject({ status: 'signed', funds: 'unknown', transactions: [] });
  expect(data.signed).toMatchObject({ signingChainId: 313373, accountIndex: 103, apiKeyIndex: 4 });
  expect(await usdcOf(sandbox, 103)).toBe(before);

  const handIn = () =>
    fetch(`${sandbox.venueUrl}/api/v1/sendTx`, {
      method: 'POST',
      body: new URLSearchParams({ tx_type: '12', tx_info: data.signed.txInfo }),
    });
  expect(await (await handIn()).json()).toMatchObject({ code: 200, tx_hash: data.signed.txHash });
  expect((await handIn()).status).toBe(400);
  const status = await ferry(['status', data.requestId, '--watch', '--json'], { env });
  expect(status.json().data.status).toBe('success');
  expect(before - (await usdcOf(sandbox, 103))).toBe(103_000_000n);
});

test('venue withdraw: it is asked whether to sign where nothing is sent', async () => {
  const asked = async (...more: string[]) =>
    (await ferry(['venue', 'withdraw', '100', 'alpha/usdc', ...more, '--json'], { env })).json().error.facts.question;
  expect(await asked('--sign-only')).toMatch(/ Sign 100 USDC from lighter for /);
  expect(await asked()).toMatch(/ Send 100 USDC from lighter for /);
});

describe('venue withdraw --signer', () => {
  const signer = (...args: string[]): string[] => ['--signer', signing.line(...args)];
  const look = () => Promise.all([usdcOf(sandbox, 101), nonceOf(sandbox, 101)]);

  test('default: a command of the user’s own signs; it sets the expiry as the official signers do, and that is what is sent', async () => {
    const before = await usdcOf(sandbox, 101);
    const ended = await withdraw('10', 'alpha/usdc', '--account', 'dev1', ...signer('dev1', '--expires-in', '599000'));
    expect(before - (await usdcOf(sandbox, 101))).toBe(13_000_000n);
    const { signed } = ended.json().data;
    expect(signed.expiresAt - Date.now()).toBeGreaterThan(9 * 60_000);
    expect(JSON.parse(signed.txInfo).ExpiredAt).toBe(signed.expiresAt);
    const next = (await withdraw('10', 'alpha/usdc', '--account', 'dev1', '--sign-only')).json().data.signed;
    expect(next.expiresAt - Date.now()).toBeLessThanOrEqual(9 * 60_000);
    expect(Number(next.nonce)).toBe(Number(signed.nonce) + 1);
  });

  test.each(
    sampled(
      [
        ['prints a greeting with braces, on the same line', ['--greeting', "'hello {you} '"]],
        ['writes integers as strings', ['--strings']],
        ['leaves the owner’s signature to the wallet', ['--owner', 'none']],
      ],
      1,
    ),
  )('behavior: it %s', async (_, args) => {
    const before = await usdcOf(sandbox, 101);
    const ended = await withdraw('10', 'alpha/usdc', '--account', 'dev1', ...signer('dev1', ...args));
    expect(ended.json().data.funds).toBe('delivered');
    expect(before - (await usdcOf(sandbox, 101))).toBe(13_000_000n);
  });

  test.each(
    sampled(
      [
        ['another amount', ['--set', 'Amount=200000000'], {}],
        ['the owner’s part as another', ['--owner', 'dev2'], { wallet: expect.stringContaining('instead of') }],
      ],
      2,
    ),
  )('error: it signs %s', async (_, args, facts) => {
    const before = await look();
    const ended = await withdraw('100', 'alpha/usdc', '--account', 'dev1', ...signer('dev1', ...args));
    expect(ended.json().error).toMatchObject({ code: 'auth.signer', funds: 'untouched', facts });
    expect(await look()).toEqual(before);
  });

  test('error: it lets the transfer expire later than the venue allows', async () => {
    const before = await look();
    const args = ['100', 'alpha/usdc', '--account', 'dev1', ...signer('dev1', '--expires-in', '660000')];
    const ended = await withdraw(...args);
    // The venue says why, but it has the transfer, which is valid until it expires.
    expect(ended.json().error).toMatchObject({
      ...{ code: 'submit.unknown', exit: 10, funds: 'unknown', retryable: false },
      facts: { code: '21501', 'last answer': expect.any(String), 'valid until': expect.any(String) },
      next: expect.stringMatching(/^ferry /),
    });
    expect(await look()).toEqual(before);
  });

  test('behavior: a longer --valid-for lets it take longer', async () => {
    const args = ['100', 'alpha/usdc', '--account', 'dev1', '--sign-only', ...signer('dev1', '--expires-in', '599000')];
    const short = await withdraw(...args, '--valid-for', '1m');
    expect(short.json().error).toMatchObject({ code: 'auth.signer', hint: expect.stringContaining('--valid-for') });
    expect((await withdraw(...args, '--valid-for', '8m')).code).toBe(0);
  });

  test.each(
    sampled(
      [
        ['with another key and wallet', 'node $SIGNER dev2', { signature: expect.stringContaining('not by the key') }],
        ['and fails', 'echo {} && exit 3', { reason: 'it exited with code 3' }],
        ['nothing, and says why', 'echo \'{"error":"wrong key"}\'', { error: 'wrong key' }],
      ],
      2,
    ),
  )('error: it signs %s', async (_, command, facts) => {
    const line = command.replace('$SIGNER', signing.path);
    const before = await nonceOf(sandbox, 101);
    const ended = await withdraw('100', 'alpha/usdc', '--account', 'dev1', '--signer', line);
    expect(ended.json().error).toMatchObject({ code: 'auth.signer', funds: 'untouched', facts });
    expect(await nonceOf(sandbox, 101)).toBe(before);
  });

  test('error: it sends the transfer by itself and gives nothing back: the next one finds a nonce it does not know', async () => {
    const home = temporaryFolder();
    const sender = join(home, 'send.mjs');
    writeFileSync(
      sender,
      `let text = '';
for await (const part of process.stdin) text += part;
const body = new URLSearchParams({ tx_type: '${VenueApi.sendTx.transferType}', tx_info: text.trim() });
const { status } = await fetch('${sandbox.venueUrl}/api/v1/sendTx', { method: 'POST', body });
if (status !== 200) process.exit(1);
`,
    );
    const pays = (...args: string[]) =>
      ferry(['venue', 'withdraw', '5', 'alpha/usdc', '--account', 'dev1', '--yes', '--json', ...args], { env, home });
    expect((await pays()).code).toBe(0);
    const before = await nonceOf(sandbox, 101);
    const sent = await pays('--signer', `${signing.line('dev1')} | node ${sender}`);
    expect(sent.json().error.code).toBe('auth.signer');
    await expect.poll(() => nonceOf(sandbox, 101)).toBe(before + 1);
    // Where money is real it would end with run.foreign-nonce.
    const { warnings } = (await pays()).json();
    const told = `ferry does not know nonce ${before} of API key 4 of the venue account 101 on lighter`;
    expect(warnings).toContainEqual(expect.stringContaining(told));
  });

  test('error: the reason is shown to a person too', async () => {
    const args = ['venue', 'withdraw', '100', 'alpha/usdc', '--account', 'dev1', '--yes', '--signer'];
    const { stderr } = await ferry([...args, 'echo \'{"FromAccountIndex":101}\''], { env });
    expect(stderr).toMatch(/field +ApiKeyIndex/);
    expect(stderr).toMatch(/expected +a whole number from 0 to 254/);
  });
});
