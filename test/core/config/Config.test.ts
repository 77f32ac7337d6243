import { describe, expect, test } from 'vitest';
import * as Config from '../../../src/core/config/Config.js';
import { failure } from '../../support/workbench.js';

const user = (content: unknown) => ({ path: '/u/config.json', content });
const project = (content: unknown) => ({ path: '/p/.ferryrc.json', content });
const fromUser = { kind: 'user', path: '/u/config.json' };
const fromProject = { kind: 'project', path: '/p/.ferryrc.json' };

describe('merge', () => {
  test('behavior: flag > variable > project file > user file > default', () => {
    const layers = {
      flags: { maxImpact: '1' },
      env: { FERRY_MAX_IMPACT: '2' },
      project: project({ maxImpact: 3 }),
      user: user({ maxImpact: 4 }),
    };
    const { flags, env, project: theirs, user: mine } = layers;
    expect(Config.merge(layers).maxImpactBps).toEqual({ value: 100, source: { kind: 'flag', name: '--max-impact' } });
    expect(Config.merge({ env, project: theirs, user: mine }).maxImpactBps).toEqual({
      value: 200,
      source: { kind: 'env', name: 'FERRY_MAX_IMPACT' },
    });
    expect(Config.merge({ project: theirs, user: mine }).maxImpactBps).toEqual({ value: 300, source: fromProject });
    expect(Config.merge({ user: mine }).maxImpactBps).toEqual({ value: 400, source: fromUser });
    expect(Config.merge({ flags, user: mine }).maxImpactBps.value).toBe(100);
  });

  test('behavior: --no-color is a value, other false flags are not', () => {
    expect(Config.merge({ flags: { color: false } }).color.value).toBe('never');
    expect(Config.merge({ flags: { color: true } }).color.value).toBe('always');
  });

  test('behavior: warns about a misspelled variable, with a suggestion', () => {
    const { warnings } = Config.merge({ env: { FERRY_SLIPAGE: '1', FERRY_FOO: '1', FERRY_OLD: '', OTHER: '1' } });
    expect(warnings).toEqual([
      'Unknown environment variable FERRY_SLIPAGE. Did you mean FERRY_SLIPPAGE?',
      'Unknown environment variable FERRY_FOO.',
    ]);
  });

  describe('a project file', () => {
    test('behavior: selects a test network and output preferences', () => {
      const config = Config.merge({
        user: user({ network: 'mainnet' }),
        project: project({ network: 'testnet', color: 'never', quiet: true }),
      });
      expect([config.network.value, config.color.value, config.quiet.value]).toEqual(['testnet', 'never', true]);
      expect(config.network.source).toEqual(fromProject);
    });

    test('behavior: selects a network that the user declared as moving no real money', () => {
      const mine = user({ networks: { local: { baseUrl: 'http://127.0.0.1:3000', realMoney: false } } });
      expect(Config.merge({ user: mine, project: project({ network: 'local' }) }).network.value).toBe('local');
    });

    test.each([
      ['mainnet', {}],
      ['a network of the user that moves real money', { networks: { mine: { baseUrl: 'https://x.example' } } }],
      ['a network nobody knows', {}],
    ])('error: selects %s', async (name, content) => {
      const network = name === 'mainnet' ? 'mainnet' : 'mine';
      const error = await failure('config.untrusted', () =>
        Config.merge({ user: user(content), project: project({ network }), flags: { network: 'sandbox' } }),
      );
      expect(error.facts).toContainEqual(['file', '/p/.ferryrc.json']);
      expect(error.facts).toContainEqual(['key', 'network']);
    });

    test('behavior: lowers caps', () => {
      const config = Config.merge({
        user: user({ slippage: 1, maxImpact: 3, maxAge: '20s' }),
        project: project({ slippage: 0.5, maxImpact: 3, maxFeeUsd: 5, maxVenueFee: '3', maxAge: 10 }),
      });
      expect(config.slippageBps).toEqual({ value: 50, source: fromProject });
      expect(config.maxImpactBps).toEqual({ value: 300, source: fromProject });
      expect(config.maxFeeUsd).toEqual({ value: 5_000_000n, source: fromProject });
      expect(config.maxVenueFee).toEqual({ value: 3_000_000n, source: fromProject });
      expect(config.maxAgeMs).toEqual({ value: 10_000, source: fromProject });
      expect(config.warnings).toEqual([]);
    });

    test('behavior: cannot raise a cap, neither the user’s nor a default', () => {
      const config = Config.merge({
        user: user({ slippage: 0.1, maxFeeUsd: 1, maxVenueFee: '$2', rateLimit: 60 }),
        project: project({ slippage: 1, maxImpact: 50, maxFeeUsd: 2, maxVenueFee: 3, maxAge: '1h', rateLimit: 100 }),
      });
      expect(config.slippageBps).toEqual({ value: 10, source: fromUser });
      expect(config.maxImpactBps).toEqual({ value: 500, source: { kind: 'default' } });
      expect(config.maxFeeUsd).toEqual({ value: 1_000_000n, source: fromUser });
      expect(config.maxVenueFee).toEqual({ value: 2_000_000n, source: fromUser });
      expect(config.rateLimit).toEqual({ value: 60, source: fromUser });
      expect(config.maxAgeMs).toEqual({ value: 30_000, source: { kind: 'default' } });
      expect(config.warnings).toEqual([
        '/p/.ferryrc.json sets slippage to 1%, but a project file may only lower it: using 0.1%.',
        '/p/.ferryrc.json sets maxImpact to 50%, but a project file may only lower it: using 5%.',
        '/p/.ferryrc.json sets maxFeeUsd to $2, but a project file may only lower it: using $1.',
        '/p/.ferryrc.json sets maxVenueFee to $3, but a project file may only lower it: using $2.',
        '/p/.ferryrc.json sets maxAge to 1h, but a project file may only lower it: using 30s.',
        '/p/.ferryrc.json sets rateLimit to 100, but a project file may only lower it: using 60.',
      ]);
    });

    test('behavior: cannot lift a cap with auto or none', () => {
      const config = Config.merge({
        user: user({ slippage: 0.1, maxFeeUsd: 1 }),
        project: project({ slippage: 'auto', maxFeeUsd: 'none' }),
      });
      expect([config.slippageBps.source, config.maxFeeUsd.source]).toEqual([fromUser, fromUser]);
    });

    test('behavior: cannot raise slippage that the service would choose', () => {
      const { slippageBps } = Config.merge({ project: project({ slippage: 5 }) });
      expect(slippageBps).toEqual({ value: undefined, source: { kind: 'default' } });
      expect(Config.merge({ project: project({ slippage: 2 }) }).slippageBps.value).toBe(200);
    });
  });

  test('error: a flag or a variable with an invalid value', async () => {
    const flag = await failure('usage.invalid', () => Config.merge({ flags: { maxImpact: 'lots' } }));
    expect(flag.message).toMatch(/^--max-impact must be a percentage/);
    const variable = await failure('config.invalid', () => Config.merge({ env: { FERRY_MAX_AGE: 'soon' } }));
    expect(variable.message).toMatch(/^FERRY_MAX_AGE must be a duration/);
    expect(variable.facts).toEqual([['value', 'soon']]);
  });

  const key = `${'ab'.repeat(31)}01`;
  test.each([
    [{ env: { FERRY_ACCOUNT: key } }, 'FERRY_ACCOUNT'],
    [{ env: { FERRY_ACCOUNT: `0x${key}` } }, undefined],
    [{ env: { FERRY_MAX_AGE: key } }, undefined],
    [{ env: { FERRY_KEY_FILE: `0x${key}` } }, 'FERRY_KEY_FILE'],
    [{ env: { FERRY_VENUE_KEY_FILE: `${key}${'cd'.repeat(8)}` } }, 'FERRY_VENUE_KEY_FILE'],
    [{ user: { path: '/etc/config.json', content: { account: key } } }, '/etc/config.json'],
    [
      { user: { path: '/etc/config.json', content: { networks: { testnet: { keyFile: key } }, network: 'testnet' } } },
      '/etc/config.json',
    ],
  ])('attack: a private key in the wrong place is not printed: %j', async (layers, place) => {
    const error = await failure('config.invalid', () => Config.merge(layers));
    expect(JSON.stringify([error.message, error.facts, error.hint, error.next])).not.toContain('ababab');
    if (place !== undefined) expect(error.facts).toEqual([['in', place]]);
  });

  test.each([
    ['FERRY_RPC_URL_BASE', '"https://rpc.example.org/hush"'],
    ['FERRY_API_KEY', "'hush'"],
    ['FERRY_PRIVATE_KEY', '"0xhush"\r'],
    ['FERRY_PASSWORD_FILE', '"/run/secrets/hush"'],
    ['FERRY_STATE_DIR', '"/tmp/hush"'],
  ])('error: %s in quotes, as docker --env-file keeps them', async (variable, raw) => {
    const error = await failure('config.invalid', () => Config.merge({ env: { [variable]: raw } }));
    expect(error.message).toBe(`The value of ${variable} is in quotes.`);
    expect(`${error.message}${error.hint}${JSON.stringify(error.facts)}`).not.toContain('hush');
  });

  test('behavior: a command may be in quotes, and the line end of a file of variables is no part of a value', () => {
    const env = { FERRY_ACCOUNT_SIGNER: '"/my signer" "x"', FERRY_API_KEY: 'key\r', FERRY_MAX_AGE: ' 30s ' };
    const { accountSigner, apiKey, maxAgeMs } = Config.merge({ env });
    expect([accountSigner.value, apiKey.value?.reveal(), maxAgeMs.value]).toEqual(['"/my signer" "x"', 'key', 30_000]);
  });

  test('error: an invisible character is named', async () => {
    const env = { FERRY_API_KEY: 'hush\u200bhush' };
    const error = await failure('config.invalid', () => Config.merge({ env }));
    expect(error.hint).toContain('U+200B');
    expect(`${error.message}${JSON.stringify(error.facts)}`).not.toContain('hush');
  });
});

const configured = Config.merge({
  flags: { slippage: '0.5' },
  env: {
    FERRY_PRIVATE_KEY: `0x${'ab'.repeat(32)}`,
    FERRY_VENUE_PRIVATE_KEY: `0x${'cd'.repeat(40)}`,
    FERRY_RPC_URL_BASE: 'https://rpc.example.org/hush',
  },
  user: user({
    aliases: { ada: '0x1111111111111111111111111111111111111111' },
    networks: {
      mainnet: {
        apiKey: 'hush-key',
        apiKeys: ['hush-2', 'hush-3'],
        venue: { accountIndex: 281474976710001, apiKeyIndex: 4 },
        chains: { base: { rpcUrl: 'https://rpc.example.org/hush' } },
      },
    },
  }),
});

test('list: contains no secret, nor does the configuration as JSON', () => {
  expect(JSON.stringify(Config.list(configured))).not.toMatch(/hush|abab|cdcd/);
  const networks = [...configured.networks].map(([name, { chains: _, ...rest }]) => [name, rest]);
  expect(JSON.stringify([configured.privateKey, configured.venuePrivateKey, networks])).not.toMatch(/hush|abab|cdcd/);
});

test('secrets: every key, so that none is printed', () => {
  const [wallet, venue] = ['ab'.repeat(32), 'cd'.repeat(40)];
  expect(Config.secrets(configured)).toEqual([`0x${wallet}`, `0x${venue}`, 'hush-key', 'hush-2', 'hush-3']);
  const typed = Config.merge({ env: { FERRY_API_KEY: 'one', FERRY_API_KEYS: 'two, three' } });
  expect(Config.secrets(typed)).toEqual(['one', 'two', 'three']);
});

describe('witnesses and allow', () => {
  const from = (file: object, env: Record<string, string> = {}, own: object = {}, flags: object = {}) =>
    Config.merge({
      env,
      flags: { ...flags },
      user: { path: '/u/config.json', content: own },
      project: { path: '/p/.ferryrc.json', content: file },
    });

  test('behavior: a project file may demand two witnesses, and not fewer than the user', () => {
    expect(from({ witnesses: 'two' }).witnesses.value).toBe('two');
    const looser = from({ witnesses: 'one' }, {}, { witnesses: 'two' });
    expect(looser.witnesses.value).toBe('two');
    expect(looser.warnings).toEqual([expect.stringContaining('sets witnesses to one, but a project file may only')]);
  });

  test('behavior: a variable, and the user’s own file for each network', () => {
    const own = { networks: { mainnet: { allow: ['price', 'swap'] } } };
    const found = from({}, { FERRY_ALLOW: 'price, effect' }, own, { allow: ['journal'] });
    expect(found.allow.value).toEqual(['price', 'effect']);
    expect(found.networks.get('mainnet')?.allow?.value).toEqual(['price', 'swap']);
  });

  test.each(['journal', 'price,order-id', ''])('error: %j rests on no witness that could be allowed', (text) => {
    expect(() => from({}, {}, { networks: { mainnet: { allow: text } } })).toThrow(
      expect.objectContaining({ code: 'config.invalid' }),
    );
  });
});

describe('settings of one network', () => {
  const file = user({
    account: 'main',
    maxImpact: 4,
    networks: { mainnet: { account: 'cold', maxImpact: 2 }, testnet: { account: 'faucet' } },
  });

  test('behavior: that of the network in use, else that of every network', () => {
    const accountOn = (network: string) => Config.merge({ user: file, flags: { network } }).account.value;
    expect(['mainnet', 'testnet', 'sandbox'].map(accountOn)).toEqual(['cold', 'faucet', 'main']);
    expect(Config.merge({ user: file, env: { FERRY_NETWORK: 'testnet' } }).account.value).toBe('faucet');
    expect(Config.merge({ user: file, project: project({ network: 'testnet' }) }).account.value).toBe('faucet');
  });

  test('behavior: a project file lowers the cap of the network, and never raises it', () => {
    const impact = (maxImpact: number) =>
      Config.merge({ user: file, flags: { network: 'mainnet' }, project: project({ maxImpact }) }).maxImpactBps.value;
    expect([impact(1), impact(3)]).toEqual([100, 200]);
  });

  test('error: what is the same everywhere, or not the user’s to say', () => {
    for (const content of [{ networks: { mainnet: { color: 'never' } } }, { networks: { mainnet: { maxAge: 'x' } } }])
      expect(() => Config.merge({ user: user(content) })).toThrow(expect.objectContaining({ code: 'config.invalid' }));
    expect(() => Config.merge({ project: project({ networks: { sandbox: { account: 'main' } } }) })).toThrow(
      expect.objectContaining({ code: 'config.untrusted' }),
    );
  });
});
