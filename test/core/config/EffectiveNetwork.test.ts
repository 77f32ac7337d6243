import { describe, expect, test } from 'vitest';
import { native } from '../../../src/core/base/Address.js';
import * as Config from '../../../src/core/config/Config.js';
import * as EffectiveNetwork from '../../../src/core/config/EffectiveNetwork.js';
import { network as mainnet } from '../../../src/core/network/mainnet.js';
import * as NetworkRegistry from '../../../src/core/network/NetworkRegistry.js';
import { network as sandbox } from '../../../src/core/network/sandbox.js';
import { failure } from '../../support/workbench.js';

const path = '/u/config.json';

/** What the file must say of a chain that ferry does not ship, and the chain that it becomes. */
const gull = { id: 4711, vm: 'evm', nativeSymbol: 'GULL', nativeDecimals: 18 };
const described = {
  ...{ id: 4711, name: 'gull', slug: 'gull', displayName: expect.stringMatching(/^gull$/i), vm: 'evm' },
  native: { symbol: 'GULL', name: 'GULL', address: native, decimals: 18 },
  contracts: {},
  tokens: [],
};

/** Builds a network from a user file and variables. */
function network(content: object, env: Record<string, string> = {}) {
  return EffectiveNetwork.from(Config.merge({ env, user: { path, content } }));
}

const withKey = { network: 'mainnet', networks: { mainnet: { apiKey: 'hush', referrer: 'me' } } };

describe('from', () => {
  test('default', async () => {
    expect(await network({})).toEqual(sandbox);
  });

  test('behavior: a shipped network with the user’s key and URLs', async () => {
    const found = await network({
      network: 'mainnet',
      networks: {
        mainnet: {
          apiKey: 'hush',
          chains: { base: { rpcUrl: 'https://base.example.org' }, 10: { explorerUrl: 'https://op.example.org' } },
        },
      },
    });
    const [base, optimism] = [8453, 10].map((id) => found.chains.find((chain) => chain.id === id));
    expect(found).toMatchObject({
      name: 'mainnet',
      baseUrl: 'https://api.relay.link',
      realMoney: true,
      apiKey: 'hush',
    });
    expect(base?.rpcUrl).toBe('https://base.example.org');
    expect(base?.explorerUrl).toBe('https://basescan.org');
    expect(optimism?.explorerUrl).toBe('https://op.example.org');
    expect(found.chains.map((chain) => chain.name)).toEqual(mainnet.chains.map((chain) => chain.name));
  });

  describe('the rate limit', () => {
    const limits = async (content: object, env: Record<string, string> = {}, theirs: object = {}) => {
      const project = { path: '/p/.ferryrc.json', content: theirs };
      return (await EffectiveNetwork.from(Config.merge({ env, user: { path, content }, project }))).rateLimit;
    };
    const published = { quote: 50, requests: 200, other: 200 };
    const mine = { network: 'testnet', networks: { testnet: { rateLimit: 600 } } };

    test('default: the published limits, unless the service is on this machine', async () => {
      expect(await limits({ network: 'mainnet' })).toEqual(published);
      expect(await limits({ network: 'mine', networks: { mine: { baseUrl: 'https://a.example' } } })).toEqual(
        published,
      );
      expect(await limits({})).toBeUndefined();
      for (const FERRY_BASE_URL of ['http://127.0.0.1:3000', 'https://localhost', 'http://[::1]:1'])
        expect(await limits({ network: 'testnet' }, { FERRY_BASE_URL })).toBeUndefined();
    });

    test('behavior: a variable overrides the file, and the network’s value overrides the general one', async () => {
      expect(await limits(mine, { FERRY_RATE_LIMIT: '30' })).toEqual({ all: 30 });
      expect(await limits(mine, { FERRY_RATE_LIMIT: '0' })).toBeUndefined();
      expect(await limits(mine, { FERRY_RATE_LIMIT: 'auto' })).toEqual(published);
      expect(await limits({ ...mine, rateLimit: 100 })).toEqual({ all: 600 });
      expect(await limits({ network: 'testnet', rateLimit: 100 })).toEqual({ all: 100 });
      expect(await limits({ rateLimit: 100 })).toEqual({ all: 100 });
    });

    test('behavior: a project’s limit applies in addition', async () => {
      expect(await limits({ network: 'testnet' }, {}, { rateLimit: 100 })).toEqual({ ...published, all: 100 });
      expect(await limits({ network: 'testnet' }, {}, { rateLimit: 0 })).toEqual(published);
      expect(await limits(mine, {}, { rateLimit: 100 })).toEqual({ all: 100 });
      expect(await limits(mine, {}, { rateLimit: 1_000 })).toEqual({ all: 600 });
      expect(await limits({}, {}, { rateLimit: 100 })).toEqual({ all: 100 });
    });
  });

  test('behavior: variables apply to the network in use', async () => {
    const env = {
      FERRY_NETWORK: 'testnet',
      FERRY_BASE_URL: 'http://127.0.0.1:3000',
      FERRY_API_KEY: 'k',
      FERRY_REFERRER: 'r',
      FERRY_RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:8545',
    };
    const found = await network({}, env);
    expect(found).toMatchObject({ name: 'testnet', baseUrl: 'http://127.0.0.1:3000', apiKey: 'k', referrer: 'r' });
    expect(found.chains.find((chain) => chain.name === 'base-sepolia')?.rpcUrl).toBe('http://127.0.0.1:8545');
  });

  test('behavior: a key in a file is not sent to another origin', async () => {
    const elsewhere = await network(withKey, { FERRY_BASE_URL: 'https://other.example' });
    expect([elsewhere.apiKey, elsewhere.referrer]).toEqual([undefined, undefined]);
    const port = await network(withKey, { FERRY_BASE_URL: 'https://api.relay.link:8443' });
    expect(port.apiKey).toBeUndefined();
    const plain = await network(withKey, { FERRY_BASE_URL: 'http://api.relay.link' });
    expect(plain.apiKey).toBeUndefined();
    const same = await network(withKey, { FERRY_BASE_URL: 'https://api.relay.link/v9' });
    expect([same.apiKey, same.referrer]).toEqual(['hush', 'me']);
    const beside = { network: 'mainnet', networks: { mainnet: { apiKey: 'hush', baseUrl: 'https://proxy.example' } } };
    expect(await network(beside)).toMatchObject({ apiKey: 'hush', baseUrl: 'https://proxy.example' });
  });

  test('behavior: further keys go along with the first, from one source, to its origin alone', async () => {
    const filed = { network: 'mainnet', networks: { mainnet: { apiKey: 'a', apiKeys: ['b', 'a', 'c'] } } };
    expect(await network(filed)).toMatchObject({ apiKey: 'a', apiKeys: ['b', 'c'] });
    const elsewhere = await network(filed, { FERRY_BASE_URL: 'https://other.example' });
    expect([elsewhere.apiKey, elsewhere.apiKeys]).toEqual([undefined, undefined]);
    expect(await network(filed, { FERRY_API_KEYS: 'x,y' })).toMatchObject({ apiKey: 'x', apiKeys: ['y'] });
    const one = await network(filed, { FERRY_API_KEY: 'x' });
    expect([one.apiKey, one.apiKeys]).toEqual(['x', undefined]);
    const more = { network: 'mainnet', networks: { mainnet: { apiKeys: 'b,c' } } };
    expect(await network(more)).toMatchObject({ apiKey: 'b', apiKeys: ['c'] });
  });

  test('behavior: the sandbox’s key is public and goes with its network', async () => {
    expect((await network({}, { FERRY_BASE_URL: 'http://127.0.0.1:3000' })).apiKey).toBe('sandbox-key');
  });

  test('behavior: the venue of a shipped network, with the user’s settings', async () => {
    expect((await network({ network: 'mainnet' })).venue).toMatchObject({ signingChainId: 304 });
    expect((await network({ network: 'testnet' })).venue).toBeUndefined();
    const venue = { accountIndex: 5, apiKeyIndex: 7 };
    const content = { network: 'mainnet', networks: { mainnet: { venue } } };
    const { baseUrl } = (await network({ network: 'mainnet' })).venue ?? {};
    expect((await network(content)).venue).toEqual({ baseUrl, signingChainId: 304, ...venue });
    expect((await network({ ...content, network: 'sandbox' })).venue?.accountIndex).toBeUndefined();
    const elsewhere = await network(content, { FERRY_VENUE_URL: 'http://127.0.0.1:1' });
    expect(elsewhere.venue).toEqual({
      baseUrl: 'http://127.0.0.1:1',
      urlVariable: 'FERRY_VENUE_URL',
      signingChainId: 304,
      ...venue,
    });
  });

  describe('of the user’s own', () => {
    test('behavior: has a venue if the file sets its signing chain id', async () => {
      const own = (venue: object) => ({ network: 'own', networks: { own: { baseUrl: 'https://own.example', venue } } });
      const env = { FERRY_VENUE_URL: 'http://127.0.0.1:1' };
      expect((await network(own({ baseUrl: 'https://v.example' }), env)).venue).toBeUndefined();
      expect((await network(own({ signingChainId: 42 }))).venue).toMatchObject({
        signingChainId: 42,
        baseUrl: undefined,
      });
      expect((await network(own({ signingChainId: 42 }), env)).venue?.baseUrl).toBe('http://127.0.0.1:1');
      const whole = { signingChainId: 42, baseUrl: 'https://v.example' };
      expect((await network(own(whole))).venue).toMatchObject(whole);
    });

    const networks = {
      mine: { baseUrl: 'https://mine.example', chains: { base: { rpcUrl: 'https://b.example' }, alpha: {} } },
      all: { baseUrl: 'https://all.example', realMoney: false },
    };

    test('behavior: public chains keep their contracts, those of the sandbox must be pinned', async () => {
      const found = await network({ network: 'mine', networks });
      const [base, alpha] = found.chains;
      expect(base?.contracts).toEqual(mainnet.chains.find(({ name }) => name === 'base')?.contracts);
      expect(Object.keys(alpha?.contracts ?? {})).toEqual(['wrapped']);
      expect(alpha?.tokens.map(({ symbol }) => symbol)).toContain('USDC');
    });

    test('behavior: a chain that the file describes is added to the chains of mainnet', async () => {
      const own = { baseUrl: 'https://own.example', chains: { Gull: { ...gull, rpcUrl: 'https://gull.example' } } };
      const found = await network({ network: 'own', networks: { own } });
      expect(found.chains.slice(0, -1)).toEqual(mainnet.chains);
      expect(found.chains.at(-1)).toEqual({ ...described, rpcUrl: 'https://gull.example' });
    });

    test('behavior: finds a chain with a different name by id', async () => {
      const own = { baseUrl: 'https://own.example', chains: { main: { id: 1, rpcUrl: 'https://one.example' } } };
      const found = await network({ network: 'own', networks: { own } });
      expect(found.chains).toMatchObject([{ id: 1, name: 'ethereum', rpcUrl: 'https://one.example' }]);
    });
  });

  test('error: an unknown network', async () => {
    const error = await failure('config.unknown-network', () => network({ network: 'mainnt' }));
    expect(error.hint).toBe('Did you mean mainnet?');
    // No network becomes the default by a mistyped name.
    expect(error.next).toBe('ferry config list --network sandbox');
  });

  test('error: a network of the user’s own without a base URL', async () => {
    const error = await failure('config.unknown-network', () =>
      network({ network: 'mine', networks: { mine: { apiKey: 'k' } } }),
    );
    expect(error.hint).toBe('The user file mentions mine but does not set its baseUrl.');
  });

  describe('a chain that ferry does not ship', () => {
    const on = (name: string, chains: object) => network({ network: name, networks: { [name]: { chains } } });

    test.each(NetworkRegistry.names)('behavior: is added to the chains of %s, which all stay', async (name) => {
      const shipped = await NetworkRegistry.load(name);
      const { chains } = await on(name, { Gull: gull });
      expect(chains.slice(0, -1)).toEqual(shipped.chains);
      expect(chains.at(-1)).toMatchObject(described);
    });

    test.each([
      ['id', { ...gull, id: undefined }, 'needs id.', 'id <chain id>'],
      ['all but the id', { id: 4711 }, 'needs vm, nativeSymbol, nativeDecimals.', 'vm evm'],
      ['everything', { rpcUrl: 'https://g.example' }, 'needs id, vm, nativeSymbol, nativeDecimals.', 'id <chain id>'],
    ])('error: without %s', async (_, said, needs, next) => {
      const settings = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
      const error = await failure('config.invalid', () => on('mainnet', { bse: settings }));
      expect(error.message).toBe(`ferry does not know the chain bse, so networks.mainnet.chains.bse ${needs}`);
      expect(error.facts).toEqual([['file', path]]);
      expect(error.next).toBe(`ferry config set networks.mainnet.chains.bse.${next} --network sandbox`);
    });

    test.each(['svm', 'lvm', 'EVM', 'solana-vm', 1])('error: the kind %s, which cannot be added', async (vm) => {
      const error = await failure('config.invalid', () => on('mainnet', { gull: { ...gull, vm } }));
      expect(error.message).toContain('networks.mainnet.chains.gull.vm must be evm, the only kind of chain');
    });

    test.each([
      ['nativeSymbol', ''],
      ['nativeSymbol', 'a b'],
      ['nativeSymbol', 'E\u001b[31mTH'],
      ['nativeDecimals', 37],
      ['nativeDecimals', -1],
      ['nativeDecimals', 1.5],
    ])('error: %s %j', async (key, value) => {
      const error = await failure('config.invalid', () => on('mainnet', { gull: { ...gull, [key]: value } }));
      expect(error.message).toContain(`networks.mainnet.chains.gull.${key} must be the`);
    });
  });

  describe('a chain that ferry ships', () => {
    const on = (chain: string, settings: object) =>
      network({ network: 'mainnet', networks: { mainnet: { chains: { [chain]: settings } } } });

    test.each([
      ['base', 'id', 1, '8453'],
      ['base', 'nativeSymbol', 'GULL', 'ETH'],
      ['base', 'nativeDecimals', 6, '18'],
      ['lighter', 'vm', 'evm', 'lvm'],
    ])('error: %s with another %s', async (chain, key, value, must) => {
      const error = await failure('config.invalid', () => on(chain, { [key]: value }));
      expect(error.message).toBe(
        `Setting networks.mainnet.chains.${chain}.${key} must be ${must}, the ${key} of ${chain}.`,
      );
    });
  });
});

test('atInstance: the URLs of the running sandbox, unless the user has set others', async () => {
  const running = {
    baseUrl: 'http://127.0.0.1:1',
    venueUrl: 'http://127.0.0.1:2',
    rpcUrls: { alpha: 'http://127.0.0.1:3', beta: 'http://127.0.0.1:4' },
  };
  const own = { chains: { beta: { rpcUrl: 'https://b.example' } } };
  const found = EffectiveNetwork.atInstance(await network({ networks: { sandbox: own } }), running);
  expect([found.baseUrl, found.venue?.baseUrl]).toEqual(['http://127.0.0.1:1', 'http://127.0.0.1:2']);
  const urls = found.chains.map(({ rpcUrl }) => rpcUrl);
  expect(urls).toEqual(['http://127.0.0.1:3', 'https://b.example', undefined, undefined]);
});

test('warnings', async () => {
  const config = Config.merge({
    env: { FERRY_BASE_URL: 'https://other.example/x' },
    user: { path, content: withKey },
  });
  expect(await EffectiveNetwork.warnings(config, await EffectiveNetwork.from(config))).toEqual([
    'The API key of mainnet in /u/config.json belongs to a different origin and is not sent to https://other.example/….',
  ]);

  const nodes = Config.merge({
    env: {
      FERRY_RPC_URL_ALHPA: 'https://a.example',
      FERRY_RPC_URL_BASE: 'https://b.example',
      FERRY_RPC_URLS_BETA: 'https://c.example',
      FERRY_RPC_URLS_GULL: 'https://d.example',
    },
  });
  expect(await EffectiveNetwork.warnings(nodes, await EffectiveNetwork.from(nodes))).toEqual([
    'FERRY_RPC_URL_ALHPA names no chain that ferry knows, so its nodes are not asked. Did you mean FERRY_RPC_URL_ALPHA?',
    'FERRY_RPC_URLS_GULL names no chain that ferry knows, so its nodes are not asked.',
  ]);
});
