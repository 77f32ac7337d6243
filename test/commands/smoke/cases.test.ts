import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import * as Errors from '../../../src/core/base/Errors.js';
import { addFault, faultsOf } from '../../support/faults.js';
import { type Envelope, ferry, temporaryFolder } from '../../support/ferry.js';
import * as junit from '../../support/junit.js';
import { ask, nonceAt } from '../../support/node.js';
import { ownNetwork } from '../../support/ownNetwork.js';
import { sampled } from '../../support/sampled.js';
import { execution, quote, useSmoke } from '../../support/smoke.js';

const smoke = useSmoke();

describe('the cap', () => {
  const usdc = { 'alpha/usdc': '15' };

  const nonce = (): Promise<number> =>
    nonceAt(smoke.sandbox.rpcUrls.alpha, '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266');

  const pair = [
    { ...execution, name: 'first' },
    { ...execution, name: 'second' },
  ];

  test.each<[string, object | undefined, readonly string[], string]>(
    sampled(
      [
        ['of the file, in a token', usdc, [], 'at most 15 alpha/usdc in total (cap of smoke.json)'],
        ['of the options', undefined, ['--max-spend', '15'], 'at most $15.00 in total (--max-spend)'],
        ['of both: the tighter one', { usd: '1000' }, ['--max-spend', '15'], 'at most $15.00 in total (--max-spend)'],
        [
          'of the options, in a token',
          undefined,
          ['--max-spend', 'alpha/usdc=15'],
          'at most 15 alpha/usdc in total (--max-spend)',
        ],
      ],
      2,
    ),
  )('default: %s: what would exceed it is not signed', async (_, cap, argv, expected) => {
    const before = await nonce();
    const { code, data, xml, folder } = await smoke.run({ cap, cases: pair }, { argv });
    expect([code, data.worst]).toEqual([12, 'expect.unmet']);
    const checks = [{ what: 'cap', expected, found: expect.stringContaining('20'), met: false }];
    expect(data.results).toMatchObject([
      { verdict: 'met', funds: 'delivered' },
      { verdict: 'unmet', funds: 'untouched', checks, error: { code: 'verify.cap' } },
    ]);
    expect(data.budget.spent.tokens).toEqual([{ currency: 'alpha/usdc', amount: '10' }]);
    expect(junit.outcomes(xml())).toEqual({ first: 'passed', second: 'failure' });
    // Approval and deposit of the first, and nothing else.
    expect(await nonce()).toBe(before + 2);
    expect((await smoke.runs(folder)).map(({ state }) => state).sort()).toEqual(['success', 'verify.cap']);
  });

  test('behavior: quotes spend nothing, and what was not signed is not counted', async () => {
    await smoke.fault({ kind: 'tamper', recipe: 'wrong-recipient', consistent: true, match: { path: '/quote' } });
    const cases = [
      { ...execution, name: 'tampered', expect: { code: 'verify.mismatch' } },
      { ...quote, amount: '100' },
      ...pair,
    ];
    const { data } = await smoke.run({ cap: usdc, cases });
    expect(data.results.map(({ verdict }: Envelope) => verdict)).toEqual(['met', 'met', 'met', 'unmet']);
  });

  test('behavior: what came back counts as well', async () => {
    await smoke.fault({ kind: 'solver', does: 'refund' });
    const [first, second] = pair;
    const { data } = await smoke.run({ cap: usdc, cases: [{ ...first, expect: { status: 'refund' } }, second] });
    expect(data.results.map(({ verdict }: Envelope) => verdict)).toEqual(['met', 'unmet']);
  });

  test('behavior: an amount of the output is held to the cap by what it pays', async () => {
    const exact = { ...execution, amount: '16', exactOutput: true };
    expect((await smoke.run({ cap: usdc, cases: [exact] })).data.results[0].checks).toMatchObject([{ what: 'cap' }]);
  });

  test.each<[string, readonly string[], string]>([
    ['twice', ['--max-spend', '5', '--max-spend', '6'], 'usage.invalid'],
    ['twice, by two names', ['--max-spend', 'alpha/usdc=100', '--max-spend', 'Alpha/USDC=5'], 'usage.invalid'],
    ['no amount', ['--max-spend', 'alpha/usdc'], 'usage.invalid'],
    ['no number', ['--max-spend', 'alpha/usdc=x'], 'request.invalid-amount'],
    ['too fine', ['--max-spend', 'alpha/usdc=0.0000001'], 'request.too-many-decimals'],
    ['no such token', ['--max-spend', 'alpha/usdx=1'], 'request.unknown-token'],
    ['two signs', ['--max-spend', 'alpha/usdc=1=2'], 'usage.invalid'],
  ])('error: %s', async (_, argv, code) => {
    expect((await smoke.run({ cases: pair }, { argv })).error).toMatchObject({ code, exit: 2 });
  });
});

test('error: a cap of the file that names a token twice', async () => {
  const cap = { 'alpha/usdc': '100', 'alpha/USDC': '5' };
  const { error } = await smoke.run({ cap, cases: [execution] });
  expect(error).toMatchObject({ code: 'usage.invalid', message: 'cap of smoke.json names alpha/usdc twice.' });
});

test('behavior: what nobody has read from the chain meets no amount to be received', async () => {
  await addFault(smoke.sandbox, 'beta', { kind: 'drop', times: 0 });
  const { data, code } = await smoke.run({ cases: [{ ...execution, expect: { minOut: '1' } }] });
  expect(code).toBe(12);
  expect(data.results).toMatchObject([{ verdict: 'unmet', funds: 'delivered' }]);
  expect(data.results[0].checks).toContainEqual({
    ...{ what: 'minOut', expected: 'at least 1', found: 'not read from the chain', met: false },
  });
});

describe('what is repeated', () => {
  const down = { kind: 'status', status: 503, match: { path: '/quote' }, times: 0 } as const;

  test('default: what may pass, and said so', async () => {
    // ferry itself repeats a quote; how often is no matter of the smoke test, so a whole attempt is made to fail.
    await smoke.fault({ ...down, times: await asked() });
    const { data, code, stdout } = await smoke.run({ cases: [execution] });
    expect(code).toBe(0);
    expect(data.results[0]).toMatchObject({ verdict: 'met', failedAttempts: [{ code: 'service.unavailable' }] });
    expect(stdout).toContain('"failedAttempts":[{');
  });

  test('behavior: told on stderr, in the table and in the JUnit file', async () => {
    await smoke.fault({ ...down, times: await asked() });
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'smoke.json'), JSON.stringify({ cases: [quote] }));
    const ended = await ferry(['smoke', 'smoke.json', '--junit', 'smoke.xml'], { env: smoke.env, cwd: folder });
    expect(ended.stderr).toContain('↻ quote: service.unavailable, nothing was signed; repeated (1 of 2)');
    expect(ended.stdout).toMatch(/✓ quote +quote +met +\d+\.\d +2\n {4}attempt 1: service.unavailable/);
    expect(readFileSync(join(folder, 'smoke.xml'), 'utf8')).toContain('quote: attempt 1 failed after');
  });

  test('behavior: as often as --retries says, and then it is an error', async () => {
    await smoke.fault(down);
    const { data, code } = await smoke.run({ cases: [quote] }, { argv: ['--retries', '1'] });
    expect(code).toBe(3);
    expect(data.results[0]).toMatchObject({ verdict: 'error', failedAttempts: [{ code: 'service.unavailable' }] });
    const once = await smoke.run({ cases: [quote] }, { argv: ['--retries', '0'] });
    expect(once.data.results[0].failedAttempts).toEqual([]);
  });

  test('behavior: not what is expected, and not what would fail again', async () => {
    await smoke.fault(down);
    const resultOf = async (content: object) => (await smoke.run({ cases: [content] })).data.results[0];
    const expected = { ...quote, expect: { code: 'service.unavailable' } };
    expect(await resultOf(expected)).toMatchObject({ verdict: 'met', failedAttempts: [] });
    await smoke.clearFaults();
    expect(await resultOf({ ...quote, amount: '0.000001' })).toMatchObject({ verdict: 'error', failedAttempts: [] });
  });

  test('behavior: never a transfer that may be under way', async () => {
    await smoke.fault({ kind: 'solver', does: 'stuck' });
    const { data, code, folder } = await smoke.run({ cases: [{ ...execution, timeout: '2s' }] });
    expect(code).toBe(9);
    const [result] = data.results;
    expect(result).toMatchObject({ verdict: 'error', funds: 'in-flight', failedAttempts: [] });
    expect(result.error.next).toBe(`ferry resume ${result.run}`);
    expect(await smoke.runs(folder)).toHaveLength(1);
    expect(data.budget.spent.tokens).toEqual([{ currency: 'alpha/usdc', amount: '10' }]);
  });

  test('behavior: nor one that was signed, although it may be tried again', async () => {
    // The service loses every answer until the batch runs out, which the chain shows once that is final.
    await smoke.fault({ kind: 'drop', match: { path: '/execute' }, times: 0 });
    const running = smoke.run({
      cases: [{ ...execution, gasless: true, account: 'dev9', timeout: '25s', validFor: '2s' }],
    });
    const mining = setInterval(() => void ask(smoke.sandbox.rpcUrls.alpha, 'anvil_mine', '0x64'), 1000);
    const { data, folder } = await running;
    clearInterval(mining);
    const [{ verdict, error, funds, failedAttempts }] = data.results;
    expect([verdict, error.code, funds, failedAttempts]).toEqual(['error', 'submit.expired', 'untouched', []]);
    expect(Errors.entry('submit.expired').retryable).toBe(true);
    expect(await smoke.runs(folder)).toHaveLength(1);
  }, 60_000);

  /** How many requests one attempt at a quote makes of a service that is down. */
  async function asked(): Promise<number> {
    await smoke.fault(down);
    await ferry(['quote', '10', 'alpha/usdc', 'beta/usdc'], { env: smoke.env });
    const [fault] = await faultsOf(smoke.sandbox, 'service');
    await smoke.clearFaults();
    return fault?.struck ?? 0;
  }
});

describe('real money', () => {
  /** The same sandbox as a network that moves real money. */
  function real(): Record<string, string | undefined> {
    const mine = ownNetwork(smoke.sandbox).env;
    const path = join(mine.FERRY_CONFIG_DIR ?? '', 'config.json');
    const config = JSON.parse(readFileSync(path, 'utf8'));
    delete config.networks.mine.realMoney;
    writeFileSync(path, JSON.stringify(config));
    return { ...mine, FERRY_BASE_URL: undefined };
  }

  test('behavior: quotes need neither a cap nor --yes', async () => {
    // Nobody has accepted the contracts of that network.
    const cases = [quote, { ...quote, name: 'allowed', allow: ['contract', 'order-extra-data'] }];
    const { data } = await smoke.run({ cases }, { more: { ...real(), FERRY_PRIVATE_KEY: generatePrivateKey() } });
    expect(data.results.map(({ error }: Envelope) => error?.code)).toEqual(['verify.unverified', undefined]);
  });

  test('behavior: within a cap and confirmed it is executed', async () => {
    const key = generatePrivateKey();
    const gift = ['execute', '1', 'alpha/eth', 'alpha/eth', '--recipient', privateKeyToAddress(key), '--yes'];
    expect((await ferry(gift, { env: smoke.env })).code).toBe(0);
    const more = { ...real(), FERRY_PRIVATE_KEY: key };
    for (const chain of ['alpha', 'beta'])
      expect((await ferry(['contracts', 'accept', chain, '--yes'], { env: more })).code).toBe(0);
    const ether = { ...execution, amount: '0.1', from: 'alpha/eth', to: 'beta/eth' };
    const cases = ['first', 'second'].map((name) => ({ ...ether, name }));
    const { data, code } = await smoke.run({ cases }, { argv: ['--max-spend', 'alpha/eth=0.15', '--yes'], more });
    expect(data.results.map(({ verdict, funds }: Envelope) => [verdict, funds])).toEqual([
      ['met', 'delivered'],
      ['unmet', 'untouched'],
    ]);
    expect(code).toBe(12);
  });

  test.each<[string, object, readonly string[], string]>([
    ['no cap', { cases: [execution] }, ['--yes'], 'usage.missing'],
    ['no --yes', { cap: '50', cases: [execution] }, [], 'usage.confirmation'],
    ['an output, in dollars', { cap: '50', cases: [{ ...execution, exactOutput: true }] }, ['--yes'], 'usage.invalid'],
    ['everything, in dollars', { cap: '50', cases: [{ ...execution, amount: 'max' }] }, ['--yes'], 'usage.invalid'],
  ])('error: nothing is executed: %s', async (_, content, argv, code) => {
    const { error, folder } = await smoke.run(content, { argv, more: real() });
    expect(error).toMatchObject({ code, exit: 2, funds: 'untouched' });
    expect(await smoke.runs(folder)).toEqual([]);
  });

  test('behavior: what is capped and confirmed is begun; development keys sign nothing there', async () => {
    const exact = { ...execution, name: 'exact', exactOutput: true, maxIn: '12' };
    const how = { argv: ['--yes', '--account', 'dev0'], more: real() };
    const { data } = await smoke.run({ cap: '50', cases: [execution, exact] }, how);
    const error = { code: 'auth.development-key' };
    expect(data.results).toMatchObject([{ error }, { error }]);
  });
});
