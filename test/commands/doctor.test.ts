import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { command } from '../../src/commands/doctor.js';
import type { Check } from '../../src/core/checks/HealthCheck.js';
import type { Context } from '../../src/core/command/Context.js';
import { at, type Ended, ferry, type Surroundings, temporaryFolder } from '../support/ferry.js';
import * as Loopback from '../support/loopback.js';
import { contextAt, ownNetwork } from '../support/ownNetwork.js';
import { useSandbox } from '../support/sandbox.js';
import { run } from '../support/workbench.js';

const { sandbox } = useSandbox();

type Examined = Ended & { checks: Check[]; verdict: string; of(check: string, name?: string): Check | undefined };

/** What the doctor says at the sandbox, with some variables set otherwise. */
async function examine(
  env: Record<string, string | undefined> = {},
  { args = [], ...more }: Surroundings & { args?: readonly string[] } = {},
): Promise<Examined> {
  const ended = await ferry(['doctor', ...args, '--json'], { ...more, env: { ...at(sandbox), ...env } });
  const { checks, verdict } = ended.json().data as { checks: Check[]; verdict: string };
  return {
    ...ended,
    checks,
    verdict,
    of: (check, name) => checks.find((c) => c.check === check && c.name === (name ?? null)),
  };
}

describe('run', () => {
  test('default: everything is in order, and exit 0', async () => {
    const { code, verdict, checks } = await examine();
    expect([code, verdict]).toEqual([0, 'ok']);
    const all = ['configuration', 'account', 'keys', 'state', 'node', 'service', 'api-key', 'chain', 'chain', 'pins'];
    expect(checks.map(({ check }) => check)).toEqual([...all, 'venue', 'clock']);
    expect(checks.filter((check) => check.verdict !== 'ok')).toEqual([]);
    expect(checks.flatMap(({ name }) => name ?? [])).toEqual(['alpha', 'beta']);
  });

  test('behavior: only the chains that are named', async () => {
    const { checks } = await examine({}, { args: ['beta'] });
    expect(checks.flatMap(({ name }) => name ?? [])).toEqual(['beta']);
    const unknown = await ferry(['doctor', 'gamma'], { env: at(sandbox) });
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('request.unknown-chain')]);
  });

  test('behavior: the account that is named', async () => {
    const { of } = await examine({}, { args: ['--account', 'dev3'] });
    expect(of('account')?.summary).toContain('dev3 signs on the sandbox');
    const unknown = await examine({}, { args: ['--account', 'main'] });
    expect(unknown.of('account')).toMatchObject({ verdict: 'fail', code: 'auth.unknown-account' });
  });

  test('behavior: each of several nodes of a chain is asked by itself', async () => {
    const { FERRY_RPC_URL_ALPHA: alpha, FERRY_RPC_URL_BETA: beta } = at(sandbox);
    const gone = Loopback.nobody;
    const { code, checks } = await examine({ FERRY_RPC_URLS_ALPHA: [gone, beta].join() }, { args: ['alpha'] });
    const found = checks
      .filter(({ check }) => check === 'chain')
      .map((each) => [each.facts.node, each.verdict, each.code]);
    expect(code).toBe(12);
    expect(found).toEqual([
      [alpha, 'ok', null],
      [gone, 'warn', 'chain.unreachable'],
      [beta, 'fail', 'chain.wrong-chain'],
    ]);
    const more = checks.find(({ facts }) => facts.node === gone);
    expect(more?.hint).toContain('Another node of the chain answers');
    expect(more?.fix).toBe('export FERRY_RPC_URLS_ALPHA=<url>');
    const first = await examine({ FERRY_RPC_URL_ALPHA: gone, FERRY_RPC_URLS_ALPHA: alpha }, { args: ['alpha'] });
    expect([first.code, first.verdict]).toEqual([0, 'warn']);
  });

  test('behavior: a node that says nothing takes as long as it is given, and no secret of its URL is told', async () => {
    const dead = await Loopback.loopback(Loopback.silence);
    const secret = 's3cr3t-path-key';
    const ended = await examine(
      { FERRY_RPC_URL_ALPHA: `${dead.url.replace('//', `//user:${secret}@`)}/v3/${secret}?key=${secret}` },
      { args: ['--timeout', '500ms'] },
    );
    expect(ended.of('chain', 'alpha')).toMatchObject({
      verdict: 'fail',
      summary: 'The RPC node of alpha did not respond in time.',
      facts: { node: `${dead.url}/…` },
      fix: 'export FERRY_RPC_URL_ALPHA=<url>',
    });
    expect(ended.code).toBe(12);
    expect(`${ended.stdout}${ended.stderr}`).not.toContain(secret);
  });

  test('behavior: a node that says nothing is no failure of another', async () => {
    const dead = await Loopback.loopback(Loopback.silence);
    const context = await contextAt({ ...at(sandbox), FERRY_RPC_URL_ALPHA: dead.url });
    // Only alpha is given little time.
    const within: Context['within'] = (_, of) => ({
      ...context.within(120_000, of),
      chain: (chain) => context.within(chain.id === 313371 ? 500 : 120_000, of).chain(chain),
    });
    const { checks } = await run(command, { args: [] }, { ...context, within });
    const nodes = checks.filter(({ check }) => check === 'chain');
    expect(nodes.map(({ name, verdict }) => [name, verdict]).toSorted()).toEqual([
      ['alpha', 'fail'],
      ['beta', 'ok'],
    ]);
  });

  test('behavior: a service that is away takes what depends on it along, as not looked at', async () => {
    const { code, of } = await examine({ FERRY_BASE_URL: Loopback.nobody });
    expect(code).toBe(12);
    const fix = 'export FERRY_BASE_URL=<url>';
    expect(of('service')).toMatchObject({ verdict: 'fail', code: 'service.unreachable', fix });
    expect([of('api-key')?.verdict, of('pins')?.verdict, of('clock')?.verdict]).toEqual(['warn', 'warn', 'ok']);
    expect(of('chain', 'alpha')?.verdict).toBe('ok');
  });

  test('behavior: a URL that a variable gives is not mended by a setting', async () => {
    const gone = Loopback.nobody;
    const { of } = await examine({ FERRY_VENUE_URL: gone, FERRY_RPC_URL_ALPHA: gone });
    expect(of('venue')?.fix).toBe('export FERRY_VENUE_URL=<url>');
    expect(of('chain', 'alpha')?.fix).toBe('export FERRY_RPC_URL_ALPHA=<url>');
    for (const [name, line] of [
      ['FERRY_RPC_URL_ALPHA', 'balance --chain alpha'],
      ['FERRY_VENUE_URL', 'venue account 1'],
      ['FERRY_BASE_URL', 'chains --live'],
    ] as const) {
      const { json } = await ferry([...line.split(' '), '--json'], { env: { ...at(sandbox), [name]: gone } });
      expect(json().error.next).toBe(`export ${name}=<url>`);
    }
  });

  test('behavior: each of several API keys is checked, and told apart by its place', async () => {
    const ended = await examine({ FERRY_API_KEY: 'sandbox-key', FERRY_API_KEYS: 'hush-hush,sandbox-key-3' });
    const found = ended.checks.filter(({ check }) => check === 'api-key');
    expect(found.map(({ name, verdict, fix }) => [name, verdict, fix])).toEqual([
      ['1 of 3', 'ok', null],
      ['2 of 3', 'fail', 'ferry config set networks.sandbox.apiKeys'],
      ['3 of 3', 'ok', null],
    ]);
    expect(ended.stdout).not.toContain('hush-hush');
  });

  test('behavior: a clock that is wrong', async () => {
    const ended = await examine({}, { laterMs: -120_000 });
    expect([ended.code, ended.of('clock')?.verdict]).toEqual([12, 'fail']);
    expect(ended.of('clock')?.summary).toMatch(/ behind the service’s\.$/);
  });

  test('behavior: the venue, and an account that is not there', async () => {
    const folder = temporaryFolder();
    const write = (venue: object): void =>
      writeFileSync(join(folder, 'config.json'), JSON.stringify({ networks: { sandbox: { venue } } }));
    write({ accountIndex: 101 });
    const found = await examine({ FERRY_CONFIG_DIR: folder });
    expect(found.of('venue')?.summary).toMatch(/; account 101 exists\.$/);
    write({ accountIndex: 999 });
    const missing = await examine({ FERRY_CONFIG_DIR: folder });
    expect(missing.of('venue')).toMatchObject({ verdict: 'fail', code: 'venue.unknown-account' });
    const away = await examine({ FERRY_VENUE_URL: Loopback.nobody });
    expect(away.of('venue')).toMatchObject({ verdict: 'fail', code: 'venue.unreachable' });
  });

  test('behavior: a network of one’s own, without a key, whose contracts nobody knows yet', async () => {
    const ended = await ferry(['doctor', '--json'], { env: ownNetwork(sandbox).env });
    const { checks } = ended.json().data as { checks: Check[] };
    expect(ended.code).toBe(0);
    expect(checks.filter(({ verdict }) => verdict !== 'ok')).toMatchObject([
      { check: 'account', verdict: 'warn', fix: 'ferry key new main' },
      { check: 'api-key', verdict: 'warn', fix: 'ferry config set networks.mine.apiKey' },
      { check: 'pins', verdict: 'warn', fix: 'ferry contracts accept alpha' },
    ]);
  });

  test('behavior: an address without a key is watch-only', async () => {
    const { of, code } = await examine({ FERRY_ACCOUNT: '0x00000000000000000000000000000000000000ff' });
    const summary = expect.stringContaining('is watch-only');
    expect([code, of('account')]).toMatchObject([0, { verdict: 'warn', fix: 'ferry key import main', summary }]);
  });

  test('behavior: an address that a command signs for', async () => {
    const FERRY_ACCOUNT = '0x00000000000000000000000000000000000000ff';
    const { of } = await examine({ FERRY_ACCOUNT, FERRY_ACCOUNT_SIGNER: 'sign' });
    expect(of('account')).toMatchObject({
      verdict: 'ok',
      summary: expect.stringMatching(/^The command in FERRY_ACCOUNT_SIGNER signs on sandbox, for 0x0{38}[fF]{2}\.$/),
    });
  });

  test('behavior: contracts that the service has changed', async () => {
    const other = `0x${'12'.repeat(20)}`;
    const service = await Loopback.loopback(
      Loopback.json({ chains: [{ id: 313371, name: 'alpha', protocol: { v2: { depository: other } } }] }),
    );
    const { of, code } = await examine({ FERRY_BASE_URL: service.url });
    expect(code).toBe(12);
    expect(of('pins')).toMatchObject({ verdict: 'fail', fix: 'ferry contracts accept alpha' });
    expect(of('pins')?.facts['depository of alpha']).toContain(other);
    expect(of('service')).toMatchObject({ verdict: 'warn', summary: expect.stringContaining('does not serve beta') });
  });

  test('behavior: a configuration that cannot be used is a finding too', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'config.json');
    writeFileSync(path, JSON.stringify({ netwrok: 'testnet' }));
    const broken = await examine({ FERRY_CONFIG_DIR: folder });
    const said = { summary: 'netwrok is not a setting.', facts: { file: path }, hint: 'Did you mean network?' };
    expect(broken.checks).toMatchObject([{ check: 'configuration', verdict: 'fail', ...said }]);
    expect(broken.code).toBe(12);
    const variable = await examine({ FERRY_MAX_IMPACT: 'lots' });
    expect(variable.of('configuration')).toMatchObject({ verdict: 'fail', fix: 'unset FERRY_MAX_IMPACT' });
    expect((await examine({ FERRY_NETWORK: 'nowhere' })).of('configuration')?.code).toBe('config.unknown-network');
    const typed = await ferry(['doctor', '--timeout', 'soon'], { env: at(sandbox) });
    expect([typed.code, typed.stderr]).toEqual([2, expect.stringContaining('usage.invalid')]);
  });
});

test('view: the table', async () => {
  const { stdout, stderr } = await ferry(['doctor'], { env: { ...at(sandbox), FERRY_RPC_URL_BETA: undefined } });
  expect(stdout).toMatch(/^Network {2}sandbox\n✓ configuration {2}3 settings from FERRY_BASE_URL/);
  expect(stdout).toContain(`
! chain beta     No RPC URL is configured for beta.
                 Set FERRY_RPC_URL_BETA, or add it to your configuration.
                 ferry config set networks.sandbox.chains.beta.rpcUrl <url>
`);
  expect(stdout).toMatch(/\nferry works, with 1 warning\.\n$/);
  expect(stderr).toBe('');
});
