import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Envelope, ferry, temporaryFolder } from '../support/ferry.js';
import * as junit from '../support/junit.js';
import { execution, quote, useSmoke } from '../support/smoke.js';

const smoke = useSmoke();

describe('run', () => {
  test('default: without a file the list that is built in, all of it met', async () => {
    const ended = await ferry(['smoke', '--json'], { env: smoke.env });
    expect(ended.stderr).toBe('');
    expect(ended.lines()).toHaveLength(1);
    const { schema, network, data } = ended.json();
    expect([schema, network, ended.code]).toEqual(['ferry.smoke/1', 'sandbox', 0]);
    expect(data).toMatchObject({ file: null, unmet: 0, errors: 0, skipped: 0, worst: null });
    expect(data.met).toBe(data.results.length);
    expect(data.budget.spent.tokens).toContainEqual({ currency: 'alpha/usdc', amount: '30' });
  });

  test('default: as text, the table on stdout and what goes on on stderr', async () => {
    const folder = temporaryFolder();
    const cases = [
      { ...quote, expect: { minOut: '9' } },
      { ...execution, expect: { maxFeeUsd: '0.001' } },
    ];
    writeFileSync(join(folder, 'smoke.json'), JSON.stringify({ cases }));
    const ended = await ferry(['smoke', 'smoke.json'], { env: smoke.env, cwd: folder });
    expect(ended.code).toBe(12);
    expect(ended.stdout).toMatch(
      /^ {2}Case +Does +Verdict +Seconds +Attempts\n✓ quote +quote +met +\d+\.\d +1\n {4}minOut 9\./,
    );
    expect(ended.stdout).toMatch(/maxFeeUsd: expected at most \$0\.001, found \$0\.02/);
    expect(ended.stdout).toMatch(/1 met, 1 unmet in \d+\.\d s\. Sent: 10 alpha\/usdc\.\n$/);
    expect(ended.stderr).toMatch(/^✓ quote: met in \d+\.\d s\nexecution\n {2}Run /);
    expect(ended.stderr).toContain('  → The service reports the delivery (success)\n✗ execution: unmet in');
  });

  test('default: YAML, an account of its own, and options of the case', async () => {
    const folder = temporaryFolder();
    const yaml = `
defaults: { does: execute, expect: { status: success } }
cases:
  - { name: gasless, amount: "10", from: alpha/usdc, to: beta/usdc, gasless: true, account: dev9, slippage: 0.5 }
  - { name: exact, amount: "5", from: alpha/usdc, to: beta/gull, exactOutput: true, expect: { minOut: "5" } }
  - { name: venue, amount: "5", from: beta/usdc, to: lighter/usdc, account: dev1 }
`;
    writeFileSync(join(folder, 'smoke.yaml'), yaml);
    const ended = await ferry(['smoke', 'smoke.yaml', '--json'], { env: smoke.env, cwd: folder });
    expect(ended.json().data.results.map(({ verdict }: Envelope) => verdict)).toEqual(['met', 'met', 'met']);
    expect(ended.code).toBe(0);
  });

  test('behavior: each run is in the journal, as if it had been typed', async () => {
    const gasless = { ...execution, gasless: true, account: 'dev9', slippage: 1 };
    const { data, folder } = await smoke.run({ cases: [gasless] });
    const command = expect.stringMatching(/^ferry execute 10 alpha\/usdc beta\/usdc/);
    expect(await smoke.runs(folder)).toMatchObject([{ run: data.results[0].run, state: 'success', command }]);
  });
});

/** Verdict, what was not met and the exit code of a list of one. */
async function one(content: object): Promise<[number, string, ...string[]]> {
  const { code, data, xml } = await smoke.run({ cases: [content] });
  const [{ name, verdict, checks }] = data.results;
  expect(junit.outcomes(xml())).toEqual({ [name]: { met: 'passed', unmet: 'failure' }[verdict as string] ?? verdict });
  return [code, verdict, ...checks.filter(({ met }: Envelope) => !met).map(({ what }: Envelope) => what)];
}

describe('expectations, met and not met', () => {
  test('code and exit: a refusal', async () => {
    const dust = { ...quote, amount: '0.000001' };
    expect(await one({ ...dust, expect: { code: 'service.refused' } })).toEqual([0, 'met']);
    expect(await one({ ...dust, expect: { exit: 3 } })).toEqual([0, 'met']);
    expect(await one({ ...quote, expect: { code: 'service.refused' } })).toEqual([12, 'unmet', 'code']);
    expect(await one({ ...quote, expect: { exit: 3 } })).toEqual([12, 'unmet', 'exit']);
    expect(await one({ ...dust, expect: { code: 'auth.refused' } })).toEqual([3, 'error', 'code']);
    expect(await one({ ...dust, expect: { exit: 4 } })).toEqual([3, 'error', 'exit']);
    expect(await one(dust)).toEqual([3, 'error', 'outcome']);
  });

  test('status: a refund', async () => {
    await smoke.fault({ kind: 'solver', does: 'refund', times: 3 });
    expect(await one({ ...execution, expect: { status: 'refund' } })).toEqual([0, 'met']);
    expect(await one({ ...execution, expect: { status: 'success' } })).toEqual([7, 'error', 'status']);
    expect(await one(execution)).toEqual([7, 'error', 'outcome']);
    expect(await one({ ...execution, expect: { status: 'refund' } })).toEqual([12, 'unmet', 'status']);
  });

  test('a quote that execute would refuse to sign', async () => {
    await smoke.fault({ kind: 'tamper', recipe: 'wrong-recipient', consistent: true, times: 2 });
    expect(await one(quote)).toEqual([5, 'error', 'outcome']);
    expect(await one({ ...quote, expect: { code: 'verify.mismatch' } })).toEqual([0, 'met']);
  });
});

describe('what is run', () => {
  const cases = [
    { ...quote, name: 'a quote', expect: { minOut: '100' } },
    { ...quote, name: 'b quote' },
    { ...execution, name: 'an execution' },
  ];

  test('behavior: --only chooses', async () => {
    const { data } = await smoke.run({ cases }, { argv: ['--only', 'b *', '--only', 'execution'] });
    expect(data.results.map(({ name }: Envelope) => name)).toEqual(['b quote', 'an execution']);
    expect((await smoke.run({ cases }, { argv: ['--only', 'z'] })).error).toMatchObject({ code: 'usage.invalid' });
  });

  test('behavior: --fail-fast leaves the rest out, and says so', async () => {
    const { data, code, xml } = await smoke.run({ cases }, { argv: ['--fail-fast'] });
    expect(code).toBe(12);
    expect(data.results.map(({ verdict }: Envelope) => verdict)).toEqual(['unmet', 'skipped', 'skipped']);
    expect(junit.outcomes(xml())).toEqual({ 'a quote': 'failure', 'b quote': 'skipped', 'an execution': 'skipped' });
  });

  test('behavior: an interruption ends it, with what is done so far in the file', async () => {
    await smoke.fault({ kind: 'solver', does: 'stuck' });
    const folder = temporaryFolder();
    const three = [...cases.slice(1), { ...quote, name: 'last' }];
    writeFileSync(join(folder, 'smoke.json'), JSON.stringify({ cases: three }));
    const end = new AbortController();
    const running = ferry(['smoke', 'smoke.json', '--junit', 'smoke.xml', '--json'], {
      ...{ cwd: folder, signal: end.signal },
      env: { ...smoke.env, FERRY_STATE_DIR: join(folder, 'state') },
    });
    await expect.poll(async () => (await smoke.runs(folder)).length, { interval: 100 }).toBe(1);
    end.abort(new Error('enough'));
    expect((await running).json().ok).toBe(false);
    const xml = readFileSync(join(folder, 'smoke.xml'), 'utf8');
    expect(junit.outcomes(xml)).toEqual({ 'b quote': 'passed', 'an execution': 'skipped', last: 'skipped' });
  });

  test('behavior: an API key that the service repeats is not in the JUnit file', async () => {
    const key = 'sandbox-key';
    const body = { message: `No: ${key}`, errorCode: 'AMOUNT_TOO_LOW' };
    await smoke.fault({ kind: 'status', status: 400, body, match: { path: '/quote' } });
    const { stdout, stderr, xml } = await smoke.run({ cases: [quote] }, { more: { FERRY_API_KEY: key } });
    expect(xml()).toContain('No: ***');
    for (const text of [xml(), stdout, stderr]) expect(text).not.toContain(key);
  });

  test('error: before anything is run: a file for JUnit that cannot be written', async () => {
    const { error, folder } = await smoke.run({ cases: [execution] }, { argv: ['--junit', 'no/such/folder.xml'] });
    expect(error).toMatchObject({ code: 'config.unwritable' });
    expect(await smoke.runs(folder)).toEqual([]);
    expect((await smoke.run({ cases }, { argv: ['--junit', '-'] })).error).toMatchObject({ code: 'usage.invalid' });
  });
});

describe('a list of one’s own', () => {
  test('default: --example prints one that runs', async () => {
    const ended = await ferry(['smoke', '--example'], { env: smoke.env });
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'smoke.yaml'), ended.stdout);
    expect((await ferry(['smoke', 'smoke.yaml'], { env: smoke.env, cwd: folder })).code).toBe(0);
    const json = await ferry(['smoke', '--example', '--json'], { env: smoke.env });
    expect(json.json().data).toEqual({ example: ended.stdout });
  });

  test('default: from stdin', async () => {
    const stdin = JSON.stringify({ cases: [quote] });
    const ended = await ferry(['smoke', '-', '--json'], { env: smoke.env, stdin });
    expect(ended.json().data).toMatchObject({ file: '-', met: 1 });
  });

  test('error: on another network there is none, and the error shows one', async () => {
    const ended = await ferry(['smoke', '--network', 'testnet']);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('      - name: bridge\n        does: execute\n');
    expect(ended.stderr).toContain('ferry smoke --example > smoke.yaml');
  });
});
