/** Deposit addresses from end to end: ferry proves and shows one, cast pays it, ferry follows it, cast reads the balances. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { native } from '../../src/core/base/Address.js';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import type { Input } from '../../src/sandbox/http/faults.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { cast } from '../support/cast.js';
import { addFault, clearFaults } from '../support/faults.js';
import { at, type Ended, type Envelope, ferry, type Surroundings, temporaryFolder } from '../support/ferry.js';
import * as Loopback from '../support/loopback.js';
import { balanceAt } from '../support/node.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

const { dev3 } = accounts;
const recipient = '0x00000000000000000000000000000000c0FfeE21';
const refundTo = '0x00000000000000000000000000000000C0FFee22';
const parties = ['--recipient', recipient, '--refund-to', refundTo];

/** Nothing of this machine can sign: the account is an address without a key. */
function env(): Record<string, string | undefined> {
  return { ...at(sandbox), FERRY_ACCOUNT: refundTo };
}

const held = (currency: string, owner: string): Promise<bigint> => {
  const [name = '', symbol = ''] = currency.split('/');
  const token = Network.token(Network.chain(network, name), symbol)?.address ?? native;
  return balanceAt(sandbox.rpcUrls[name as 'alpha'], token, owner);
};

/** A plain payment by cast. */
async function pay(on: 'alpha' | 'beta', address: string, amount: bigint, symbol = 'eth'): Promise<void> {
  const token = Network.token(Network.chain(network, on), symbol)?.address ?? native;
  const target =
    token === native
      ? [address, '--value', String(amount)]
      : [token, 'transfer(address,uint256)', address, String(amount)];
  await cast('send', ...target, '--rpc-url', sandbox.rpcUrls[on], '--private-key', dev3.privateKey);
}

type Shown = { address: string; run: string; home: string; lines: Envelope[]; ended: Ended };

/** Asks for an address, without waiting for the payment. */
async function show(what: readonly string[], more: Partial<Surroundings> = {}): Promise<Shown> {
  const home = temporaryFolder();
  const ended = await ferry(['execute', ...what, '--deposit-address', ...parties, '--no-wait', '--json'], {
    env: env(),
    home,
    ...more,
  });
  const lines = ended.lines();
  const event = lines.find(({ type }) => type === 'address');
  const run = lines.find(({ type }) => type === 'run')?.run as string;
  return { address: event?.address as string, run, home, lines, ended };
}

async function fault(input: Input): Promise<void> {
  await addFault(sandbox, 'service', input);
  onTestFinished(() => clearFaults(sandbox));
}

describe('ferry execute --deposit-address', () => {
  test.each<[string, 'alpha' | 'beta', string, bigint]>([
    ['0.1 alpha/eth beta/eth', 'alpha', 'eth', 10n ** 17n],
    ['25 beta/usdc alpha/usdc', 'beta', 'usdc', 25_000_000n],
  ])('default: %s, paid by cast and followed by another process', async (what, on, symbol, amount) => {
    const [, from = '', to = ''] = what.split(' ');
    const { address, run, home, lines, ended } = await show(what.split(' '));
    expect(ended.code).toBe(0);
    const event = lines.find(({ type }) => type === 'address');
    expect(event?.send).toMatchObject({ amount: String(amount), currency: from });
    expect(event).toMatchObject({ chain: on, recipient, refundTo, minimum: { currency: to } });
    expect((event?.untilMs as number) - Date.now()).toBeGreaterThan(179.9 * 86_400_000);
    expect(ended.json().data).toMatchObject({ status: 'shown', funds: 'untouched', run, depositAddress: address });

    const runs = await ferry(['runs', 'list', '--json'], { env: env(), home });
    expect(runs.json().data.runs[0]).toMatchObject({ run, kind: 'address', state: 'unfinished', funds: 'unknown' });

    const before = await held(to, recipient);
    await pay(on, address, BigInt(event?.send.amount), symbol);
    const resumed = await ferry(['resume', '--json'], { env: env(), home, pace: 20 });
    expect([resumed.code, resumed.json().data]).toMatchObject([
      0,
      { status: 'success', funds: 'delivered', transactions: [], witnesses: ['the service', expect.any(String)] },
    ]);
    // What is paid must not be asked for again.
    expect(resumed.lines().map(({ type }) => type)).not.toContain('address');
    const got = (await held(to, recipient)) - before;
    expect(String(got)).toBe(resumed.json().data.received.amount);
    expect(got).toBeGreaterThanOrEqual(BigInt(event?.minimum.amount));
    expect(await held(from, address)).toBe(0n);
    const known = await ferry(['status', address, '--json'], { env: env(), home });
    expect(known.json().data).toMatchObject({ asked: address, status: 'success', funds: 'delivered' });
  });

  test('default: the command of the page shows what the page shows, and its order can be paid', async () => {
    const page = readFileSync(
      fileURLToPath(new URL('../../.github/docs/guide/deposit-addresses.md', import.meta.url)),
      'utf8',
    );
    const argv = page.match(/^npx ferry (execute .*)$/m)?.[1]?.split(' ') ?? [];
    const [, block = ''] = page.match(/^```\n(Send [\s\S]*?)\n```/m) ?? [];
    const shown = block.split('\n').filter((line) => line !== '');
    expect([argv.length, shown.length]).toEqual([10, 7]);
    const home = temporaryFolder();
    const ended = await ferry(argv, { env: env(), home });
    const undated = (text: string) => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then');
    for (const line of shown) expect(undated(ended.stderr)).toContain(undated(line));
    const address = /^ {2}(0x\w{40})$/m.exec(ended.stderr)?.[1] ?? '';
    await pay('alpha', address, 10n ** 17n);
    expect((await ferry(['resume', '--json'], { env: env(), home, pace: 20 })).code).toBe(0);
    expect((await ferry(['status', address, '--json'], { env: env() })).json().data.status).toBe('success');
  });

  test('behavior: too little is sent back, and the run says how much', async () => {
    const { address, home } = await show(['0.1', 'alpha/eth', 'beta/eth']);
    const before = await held('alpha/eth', refundTo);
    await pay('alpha', address, 10n ** 16n);
    const resumed = await ferry(['resume', '--json'], { env: env(), home, pace: 20 });
    expect([resumed.code, resumed.json().error]).toMatchObject([7, { code: 'track.refunded', funds: 'returned' }]);
    expect((await held('alpha/eth', refundTo)) - before).toBeGreaterThan(9n * 10n ** 15n);
  });

  test('attack: a crumb that somebody else deposits for the order makes no crumb a refund', async () => {
    await fault({ kind: 'solver', does: 'stuck', times: 0 });
    const { address, home, run } = await show(['0.1', 'alpha/eth', 'beta/eth']);
    const journal = readFileSync(join(home, '.local', 'state', 'ferry', 'runs', `${run}.jsonl`), 'utf8');
    const orderId = /"orderId":"(0x\w{64})"/.exec(journal)?.[1] ?? '';
    await pay('alpha', address, 10n ** 17n);
    const send = async (to: string, value: bigint, ...call: string[]): Promise<string> => {
      const key = ['--rpc-url', sandbox.rpcUrls.alpha, '--private-key', dev3.privateKey, '--json'];
      return JSON.parse(await cast('send', to, ...call, '--value', String(value), ...key)).transactionHash;
    };
    const { depository = '' } = Network.chain(network, 'alpha').contracts;
    const deposited = await send(depository, 2n, 'depositNative(address,bytes32)', refundTo, orderId);
    const refunded = await send(refundTo, 1n);
    const { url } = await Loopback.loopback((response, request) => {
      if (request.path.startsWith('/intents/status'))
        return Loopback.json({ status: 'refund', inTxHashes: [deposited], txHashes: [refunded] })(response, request);
      Loopback.passTo(sandbox.baseUrl)(response, request);
    });
    const lied = { ...env(), FERRY_BASE_URL: url };
    const resumed = await ferry(['resume', '--timeout', '5s', '--json'], { env: lied, home, pace: 20 });
    expect([resumed.code, resumed.json().error]).toMatchObject([10, { code: 'track.unwitnessed', funds: 'unknown' }]);
  });

  test('behavior: one that is paid is not asked for again', async () => {
    const { address, run, home } = await show(['0.1', 'alpha/eth', 'beta/eth']);
    const resume = (...more: string[]) => ferry(['resume', '--no-wait', ...more], { env: env(), home });
    expect((await resume()).stdout).toMatch(new RegExp(`Pay at +${address}`));
    await pay('alpha', address, 10n ** 17n);
    const paid = await resume('--json');
    expect(paid.json().data).toMatchObject({ status: 'paid', run, depositAddress: address });
    expect(paid.lines().map(({ type }) => type)).not.toContain('address');
    const told = await resume();
    expect(`${told.stdout}${told.stderr}`).not.toMatch(/Pay at|Send exactly|Shown/);
    expect(told.stdout).toMatch(new RegExp(`Paid, not followed.*ferry resume ${run}.*Paid at +${address}`, 's'));
    const late = await ferry(['resume', '--no-wait', '--json'], { env: env(), home, laterMs: 181 * 86_400_000 });
    expect(late.json().data?.status).not.toBe('shown');
  });

  test('error: one that was never shown is not shown because the service says that its transfer has begun', async () => {
    const { address, run, home } = await show(['0.1', 'alpha/eth', 'beta/eth']);
    // As of a run whose question about it was declined: it ends with its plan.
    const journal = join(home, '.local', 'state', 'ferry', 'runs', `${run}.jsonl`);
    const entries = readFileSync(journal, 'utf8').split(/(?<=\n)/);
    writeFileSync(journal, entries.slice(0, 1 + entries.findIndex((line) => line.includes('"type":"plan"'))).join(''));
    expect((await ferry(['resume', run, '--json'], { env: env(), home })).json().error.code).toBe('run.unsigned');
    await fault({ kind: 'tamper', times: 0, match: { path: '/intents/status/v3' }, path: '/status', value: 'pending' });
    for (const more of [['--no-wait'], ['--no-wait', '--json'], ['--timeout', '2s'], ['--timeout', '2s', '--json']]) {
      const resumed = await ferry(['resume', run, ...more], { env: env(), home, pace: 20 });
      expect(`${resumed.stdout}${resumed.stderr}`.toLowerCase()).not.toContain(address.toLowerCase());
    }
  });

  test('behavior: a person sees what to send, a code, and what happens otherwise', async () => {
    const ended = await ferry(
      ['execute', '0.1', 'alpha/eth', 'beta/eth', '--deposit-address', ...parties, '--no-wait'],
      { env: env(), terminals: { stderr: true } },
    );
    expect(ended.code).toBe(0);
    for (const text of ['Send exactly 0.1 alpha/eth', 'too little', 'too much', 'another token', refundTo, '█'])
      expect(ended.stderr).toContain(text);
    expect(ended.stdout).not.toContain('█');
    const piped = await ferry(
      ['execute', '0.1', 'alpha/eth', 'beta/eth', '--deposit-address', ...parties, '--no-wait'],
      { env: env() },
    );
    expect(piped.stderr).toContain('Send exactly');
    expect(piped.stderr).not.toContain('█');
  });

  test.each<[string, readonly string[], string, string]>([
    ['no refund address', ['--recipient', recipient], 'usage.missing', '--refund-to'],
    ['no recipient', ['--refund-to', refundTo], 'usage.missing', '--recipient'],
    ['gasless', [...parties, '--gasless'], 'usage.invalid', '--gasless'],
    ['a permit', [...parties, '--permit'], 'usage.invalid', '--permit'],
    ['components', [...parties, '--sponsor', 'execution'], 'usage.invalid', 'components'],
    ['a dry run', [...parties, '--dry-run'], 'usage.invalid', '--dry-run'],
  ])('error: %s', async (_what, more, code, text) => {
    const ended = await ferry(['execute', '1', 'alpha/eth', 'beta/eth', '--deposit-address', ...more, '--json'], {
      env: env(),
    });
    expect(ended.json().error.code).toBe(code);
    expect(ended.json().error.message).toContain(text);
  });

  test.each([
    ['max', 'alpha/eth', 'beta/eth'],
    ['1', 'alpha/eth', 'alpha/usdc'],
    ['1', 'lighter/usdc', 'alpha/usdc'],
    ['1', 'alpha/gull', 'beta/usdc'],
  ])('error: %s %s %s has no address', async (...what) => {
    const { ended, address } = await show(what);
    expect(ended.code).not.toBe(0);
    expect(address).toBeUndefined();
  });

  test.each(['deposit-address', 'wrong-minimum', 'other-solver'] as const)(
    'error: nothing is shown of an answer that is tampered with: %s',
    async (recipe) => {
      for (const consistent of [false, true]) {
        await fault({ kind: 'tamper', match: { path: '/quote/v2' }, times: 1, recipe, consistent });
        const { ended, address, home } = await show(['0.1', 'alpha/eth', 'beta/eth']);
        expect([recipe, ended.code, address]).toEqual([
          recipe,
          expect.toSatisfy((code) => code === 5 || code === 3),
          undefined,
        ]);
        // Nothing that it prints could be paid by mistake.
        const { facts = {} } = ended.json().error;
        for (const check of ['deposit-address', 'payee'])
          expect(`${facts[check] ?? ''}`).not.toMatch(/0x[0-9a-f]{40}/i);
        if (recipe === 'deposit-address') expect(`${ended.stdout}${ended.stderr}`).not.toMatch(/badc0de/i);
        const runs = await ferry(['runs', 'list', '--json'], { env: env(), home });
        expect(runs.json().data.runs[0]?.funds ?? 'untouched').toBe('untouched');
      }
    },
  );

  test('error: nothing is shown of an order that ends soon', async () => {
    await fault({ kind: 'tamper', match: { path: '/quote/v2' }, times: 1, recipe: 'expired-order', consistent: true });
    const { ended, address } = await show(['0.1', 'alpha/eth', 'beta/eth']);
    expect([ended.code, address]).toEqual([5, undefined]);
    expect(ended.json().error.facts['order-deadline']).toContain('between 179 and 181 days from now');
  });

  test('behavior: an open address is shown to who allows it, and to nobody else', async () => {
    await fault({ kind: 'tamper', match: { path: '/quote/v2' }, times: 2, recipe: 'deposit-address' });
    const refused = await show(['0.1', 'alpha/eth', 'beta/eth']);
    expect(refused.ended.json().error).toMatchObject({ code: 'verify.unverified' });
    expect(refused.ended.json().error.hint).toContain('--allow deposit-address');
    const allowed = await show(['0.1', 'alpha/eth', 'beta/eth', '--allow', 'deposit-address']);
    expect([allowed.ended.code, allowed.address]).toEqual([0, expect.stringMatching(/^0x/)]);
  });
});
