import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { command } from '../../../src/commands/config/init.js';
import type * as HealthCheck from '../../../src/core/checks/HealthCheck.js';
import { ferry, temporaryFolder } from '../../support/ferry.js';
import * as Loopback from '../../support/loopback.js';
import { startNode } from '../../support/node.js';
import { contextAt } from '../../support/ownNetwork.js';
import { useSandbox } from '../../support/sandbox.js';
import * as workbench from '../../support/workbench.js';

const { sandbox } = useSandbox();
/** A node of a chain that ferry does not ship. */
let gull: string;
beforeAll(async () => {
  gull = await startNode(4711);
});

/** The flags for the nodes of the sandbox. */
const nodes = () => ['--rpc-url', real('ALPHA'), '--rpc-url', `beta=${sandbox.rpcUrls.beta}`];

type Init = { env?: Record<string, string>; stdin?: string };

/** A configuration folder of its own, for the command with flags or with prepared answers. */
function desk(content?: object) {
  const folder = temporaryFolder();
  const path = join(folder, 'config.json');
  if (content) writeFileSync(path, JSON.stringify(content), { mode: 0o644 });
  const env = { FERRY_CONFIG_DIR: folder };
  return {
    path,
    written: (): unknown => JSON.parse(readFileSync(path, 'utf8')),
    /** Writes a file; returns its path. */
    file(name: string, text: string): string {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    },
    init: (args: readonly string[], more: Init = {}) =>
      ferry(['config', 'init', ...args], { ...more, env: { ...env, ...more.env } }),
    async talk(args: readonly string[], answers: readonly string[]) {
      const context = await contextAt(env, { answers });
      return { data: await workbench.run(command, { args }, context), asked: context.asked };
    },
  };
}

/** What a word in capitals stands for. */
function real(word: string): string {
  const words: Record<string, string> = {
    SERVICE: sandbox.baseUrl,
    NOBODY: Loopback.nobody,
    ALPHA: `alpha=${sandbox.rpcUrls.alpha}`,
    BETA: `alpha=${sandbox.rpcUrls.beta}`,
    VENUE: sandbox.venueUrl,
  };
  return words[word] ?? word;
}

describe('run', () => {
  test('default: a service of one’s own, whole, closed to others, and it works', async () => {
    const { init, file, written, path } = desk();
    const key = file('key', 'sandbox-key\n');
    const venue = ['--venue-url', sandbox.venueUrl, '--signing-chain-id', '313373', '--venue-account', '101'];
    const flags = ['--money', 'test', '--api-key-file', key, '--referrer', 'me', '--api-key-index', '4', '--default'];
    const ended = await init(['mine', '--service-url', sandbox.baseUrl, ...flags, ...nodes(), ...venue, '--json']);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(written()).toEqual({
      network: 'mine',
      networks: {
        mine: {
          baseUrl: sandbox.baseUrl,
          realMoney: false,
          apiKey: 'sandbox-key',
          referrer: 'me',
          chains: {
            alpha: { id: '313371', rpcUrl: sandbox.rpcUrls.alpha },
            beta: { id: '313372', rpcUrl: sandbox.rpcUrls.beta },
            lighter: { id: '3586256' },
          },
          venue: { baseUrl: sandbox.venueUrl, signingChainId: '313373', accountIndex: '101', apiKeyIndex: '4' },
        },
      },
    });
    const { data } = ended.json();
    expect(data).toMatchObject({ network: 'mine', path, isDefault: true });
    expect(data.checks.map((each: HealthCheck.Check) => [each.check, each.verdict])).toEqual(
      ['service', 'api-key', 'chain', 'chain', 'venue'].map((check) => [check, 'ok']),
    );
    expect(data.next).toEqual([
      'ferry key new main',
      'ferry config set account main --network mine',
      'ferry contracts accept alpha',
      'ferry doctor',
      'ferry quote 0.01 alpha/eth beta/eth',
    ]);
    expect(`${ended.stdout}${ended.stderr}`).not.toContain('sandbox-key');
    const doctor = await ferry(['doctor', '--json'], { env: { FERRY_CONFIG_DIR: join(path, '..') } });
    const failing = doctor.json().data.checks.filter(({ verdict }: HealthCheck.Check) => verdict === 'fail');
    expect([doctor.code, failing]).toEqual([0, []]);
  });

  test('behavior: what the file says besides stays', async () => {
    const before = { maxImpact: 3, networks: { other: { baseUrl: 'https://o.example.org' } } };
    const { init, written } = desk(before);
    const ended = await init(['mine', '--service-url', sandbox.baseUrl, ...nodes()]);
    expect(ended.code).toBe(0);
    expect(written()).toMatchObject({ ...before, networks: { ...before.networks, mine: { realMoney: true } } });
    expect(written()).not.toHaveProperty('network');
    expect(ended.stdout).toContain('ferry doctor --network mine');
  });

  test('behavior: RPC URLs that carry keys, from a file or stdin', async () => {
    const { init, written } = desk();
    const stdin = `alpha=${sandbox.rpcUrls.alpha}/?key=hush-1\n\nbeta=${sandbox.rpcUrls.beta}/?key=hush-2\n`;
    const ended = await init(['mine', '--service-url', sandbox.baseUrl, '--rpc-url-file', '-'], { stdin });
    expect(ended.code).toBe(0);
    expect(JSON.stringify(written())).toContain('key=hush-2');
    expect(`${ended.stdout}${ended.stderr}`).not.toContain('hush');
  });

  test('behavior: a key of the environment is used and not written', async () => {
    const { init, written } = desk();
    const env = { FERRY_API_KEY: 'sandbox-key' };
    const ended = await init(['mine', '--service-url', sandbox.baseUrl, ...nodes(), '--json'], { env });
    expect(ended.json().data.checks[1]).toMatchObject({ check: 'api-key', verdict: 'ok' });
    expect(JSON.stringify(written())).not.toContain('sandbox-key');
    const refused = await init(['mine', '--service-url', sandbox.baseUrl], { env: { FERRY_API_KEY: 'hush' } });
    expect([refused.code, refused.stderr.includes('hush')]).toEqual([4, false]);
  });

  test('behavior: a chain that ferry does not ship is written with what the service says of it', async () => {
    const { init, written } = desk();
    const currency = { symbol: 'GULL', decimals: 9, address: '0x0000000000000000000000000000000000000000' };
    const chains = [{ id: 4711, name: 'Gull', vmType: 'evm', currency }];
    const service = await Loopback.loopback(Loopback.json({ chains }));
    const ended = await init(['mine', '--service-url', service.url, '--rpc-url', `gull=${gull}`, '--json']);
    expect(ended.stderr).toBe('');
    const facts = { id: '4711', vm: 'evm', nativeSymbol: 'GULL', nativeDecimals: '9' };
    expect(written()).toMatchObject({ networks: { mine: { chains: { gull: { ...facts, rpcUrl: gull } } } } });
  });

  test('error: a chain whose native currency the service does not name', async () => {
    const { init, path } = desk();
    const service = await Loopback.loopback(Loopback.json({ chains: [{ id: 4711, name: 'gull', vmType: 'evm' }] }));
    const ended = await init(['mine', '--service-url', service.url, '--rpc-url', `gull=${gull}`, '--json']);
    expect(ended.json().error).toMatchObject({
      code: 'config.invalid',
      message: 'ferry does not know the chain gull, so networks.mine.chains.gull needs nativeSymbol, nativeDecimals.',
    });
    expect(existsSync(path)).toBe(false);
  });

  test('behavior: a key that is there does not go to another origin', async () => {
    const { init, written } = desk({ networks: { mine: { baseUrl: 'https://old.example.org', apiKey: 'hush' } } });
    const service = await Loopback.loopback(Loopback.json({ chains: [{ id: 313371, name: 'alpha', vmType: 'evm' }] }));
    const ended = await init(['mine', '--service-url', service.url, ...nodes().slice(0, 2), '--json']);
    expect(ended.code).toBe(0);
    expect(service.seen.map(({ headers }) => headers['x-api-key'])).toEqual(service.seen.map(() => undefined));
    expect(written()).toMatchObject({ networks: { mine: { baseUrl: service.url } } });
    expect(JSON.stringify(written())).not.toContain('hush');
    expect(ended.json().data.written).toContainEqual({ key: 'networks.mine.apiKey', value: null });
  });

  const alpha = ['mine', '--service-url', 'SERVICE', '--rpc-url', 'ALPHA'];

  test.each([
    ['the network', [], 'The network is missing'],
    ['the URL', ['mine'], '--service-url is missing'],
    ['an RPC URL, where ferry knows none of the chains', ['mine', '--service-url', 'SERVICE'], '--rpc-url is missing'],
    ['the chain id of the venue', [...alpha, '--venue-url', 'VENUE'], '--signing-chain-id is missing'],
    [
      'the key of a referrer',
      ['mine', '--service-url', 'SERVICE', '--referrer', 'me'],
      'A referrer requires an API key',
    ],
  ])('error: without a terminal %s is missing', async (_, args, words) => {
    const { init, path } = desk();
    const { error } = (await init([...args.map(real), '--json'])).json();
    expect(error).toMatchObject({ code: 'usage.missing', message: expect.stringContaining(words) });
    expect(existsSync(path)).toBe(false);
  });

  test.each([
    ['a name', ['my net'], 'usage.invalid', 2],
    ['a URL', ['mine', '--service-url', 'example.org'], 'usage.invalid', 2],
    ['a service that is not there', ['mine', '--service-url', 'NOBODY'], 'service.unreachable', 3],
    ['a key that is not taken', ['mine', '--service-url', 'SERVICE', '--api-key-file', '-'], 'auth.refused', 4],
    ['a chain', ['mine', '--service-url', 'SERVICE', '--rpc-url', 'gamma=NOBODY'], 'usage.invalid', 2],
    ['a pair', ['mine', '--service-url', 'SERVICE', '--rpc-url', 'https://x'], 'usage.invalid', 2],
    ['a node of another chain', ['mine', '--service-url', 'SERVICE', '--rpc-url', 'BETA'], 'chain.wrong-chain', 2],
    ['what ferry knows', ['testnet', '--service-url', 'SERVICE', '--money', 'real'], 'usage.invalid', 2],
    ['two files on stdin', ['mine', '--api-key-file', '-', '--rpc-url-file', '-'], 'usage.invalid', 2],
  ])('error: %s, and nothing is written', async (_, args, code, exit) => {
    const { init, path } = desk();
    const ended = await init([...args.map(real), '--json'], { stdin: 'hush-hush' });
    expect([ended.json().error?.code, ended.code]).toEqual([code, exit]);
    expect(`${ended.stdout}${ended.stderr}`).not.toContain('hush-hush');
    expect(existsSync(path)).toBe(false);
  });

  test('error: a node that is not there is corrected where it was typed', async () => {
    const { init } = desk();
    const args = ['mine', '--service-url', sandbox.baseUrl, '--rpc-url', `alpha=${Loopback.nobody}`];
    const ended = await init([...args, '--json']);
    expect(ended.json().error).toMatchObject({
      code: 'chain.unreachable',
      hint: 'Nothing was written. Try again, or use another node: --rpc-url sets this one.',
      next: null,
    });
  });

  test('error: a YAML file, before anything is asked', async () => {
    const { init, file } = desk();
    file('config.yaml', 'maxImpact: 3\n');
    const ended = await init(['mine', '--json']);
    expect([ended.code, ended.json().error.code]).toEqual([2, 'config.unwritable']);
  });
});

describe('answered', () => {
  test('default: an invalid answer is reported at once and can be corrected', async () => {
    const { talk, written } = desk();
    const nobody = Loopback.nobody;
    const { alpha = '', beta = '' } = sandbox.rpcUrls;
    const { data, asked } = await talk(
      [],
      [
        'another one',
        ...['my net', 'sandbox-2'],
        ...['', 'example.org', nobody, sandbox.baseUrl],
        // Real money, then the API key.
        'n',
        ...['wrong', 'sandbox-key'],
        'me',
        ...['alpha, gamma', 'alpha beta'],
        ...['', beta, alpha],
        beta,
        ...[sandbox.venueUrl],
        ...['3586256', '313373'],
        // Make it the default, then write it.
        ...['y', 'y'],
      ],
    );
    expect(data).toMatchObject({ network: 'sandbox-2', isDefault: true });
    const made = { realMoney: false, apiKey: 'sandbox-key', referrer: 'me', venue: { signingChainId: '313373' } };
    const chains = { alpha: { rpcUrl: alpha }, beta: { rpcUrl: beta } };
    expect(written()).toMatchObject({ network: 'sandbox-2', networks: { 'sandbox-2': { ...made, chains } } });
    expect(asked.map((each) => each.replaceAll(/http:\/\/[\w.:]+|\(ECONN\w+\)/g, '…'))).toMatchInlineSnapshot(`
      [
        "Which network?",
        "Name of the network",
        "A network must be a name of letters, digits, dashes and underscores that starts with a letter or digit.",
        "Name of the network",
        "URL of the service of sandbox-2",
        "It must be a URL that starts with https:// or …",
        "URL of the service of sandbox-2",
        "It must be a URL that starts with https:// or …",
        "URL of the service of sandbox-2",
        "The sandbox-2 service at … does not answer: nothing listens at … ….",
        "URL of the service of sandbox-2",
        "Does sandbox-2 use real money?",
        "API key of sandbox-2 (Enter for none)",
        "The sandbox-2 service rejected the API key or the referrer.",
        "API key of sandbox-2 (Enter for none)",
        "Referrer that belongs to the API key (Enter for none)",
        "Chains to use, separated by commas: alpha, beta",
        "The network sandbox-2 has no chain "gamma".",
        "Chains to use, separated by commas: alpha, beta",
        "RPC URL of alpha (313371)",
        "It must be a URL that starts with https:// or …",
        "RPC URL of alpha (313371)",
        "The RPC node of alpha serves a different chain.",
        "RPC URL of alpha (313371)",
        "RPC URL of beta (313372)",
        "URL of the venue (Enter for none)",
        "Signing chain id of the venue",
        "It must be the chain id that the venue’s signatures are bound to, which is never 3586256.",
        "Signing chain id of the venue",
        "Make sandbox-2 the default network?",
        "Write it?",
      ]
    `);
  });

  test('behavior: Enter keeps existing settings, and secrets are not shown', async () => {
    const { init, talk, written, file } = desk();
    const key = file('key', 'sandbox-key');
    await init(['mine', '--service-url', sandbox.baseUrl, '--api-key-file', key, ...nodes(), '--money', 'test']);
    const before = written();
    const { data, asked } = await talk(['mine'], ['', 'n', '', '', '', '', 'n']);
    expect([data.written, written()]).toEqual([[], before]);
    expect(asked.join('\n')).toContain('Enter to keep the current one');
    expect(asked.join('\n')).not.toContain('sandbox-key');
  });

  test('behavior: a shipped network only prompts for nodes', async () => {
    const before = { networks: { sandbox: { baseUrl: sandbox.baseUrl } } };
    const { talk, written } = desk(before);
    const { alpha } = sandbox.rpcUrls;
    const { data, asked } = await talk(['sandbox'], ['alpha', alpha ?? '', 'y']);
    expect(asked).toEqual([
      'Chains to set an RPC URL for, separated by commas (Enter for none)',
      'RPC URL of alpha (313371)',
      'Write it?',
    ]);
    expect(data).toMatchObject({ isDefault: true });
    expect(written()).toEqual({
      network: 'sandbox',
      networks: { sandbox: { baseUrl: sandbox.baseUrl, chains: { alpha: { rpcUrl: alpha } } } },
    });
  });

  test('error: declining at the end or at a prompt leaves the file unchanged', async () => {
    const content = { maxImpact: 3 };
    const { talk, written, path } = desk(content);
    const mode = statSync(path).mode;
    const answers = [sandbox.baseUrl, 'n', '', 'alpha', sandbox.rpcUrls.alpha ?? '', '', 'y', 'n'];
    await workbench.failure('prompt.declined', () => talk(['mine'], answers));
    expect([written(), statSync(path).mode]).toEqual([content, mode]);
    await expect(talk(['mine'], answers.slice(0, 4))).rejects.toThrow('nobody expected');
    expect([written(), statSync(path).mode]).toEqual([content, mode]);
  });
});
