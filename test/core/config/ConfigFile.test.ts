import { describe, expect, test } from 'vitest';
import * as ConfigFile from '../../../src/core/config/ConfigFile.js';
import { failure } from '../../support/workbench.js';

const user = (content: unknown): ConfigFile.ConfigFile => ({ kind: 'user', path: '/u/config.json', content });
const project = (content: unknown): ConfigFile.ConfigFile => ({ kind: 'project', path: '/p/.ferryrc.json', content });

/** A file that says something of one network. */
const on = (name: string, settings: object) => ({ networks: { [name]: settings } });

describe('read', () => {
  test('default', () => {
    const said = ConfigFile.read(
      user({
        network: 'mainnet',
        slippage: 0.5,
        aliases: { ada: '0x1111111111111111111111111111111111111111' },
        networks: { mainnet: { apiKey: 'hush', chains: { base: { rpcUrl: 'https://rpc.example.org/hush' } } } },
      }),
    );
    const source = { kind: 'user', path: '/u/config.json' };
    expect(said.values.network).toEqual({ value: 'mainnet', source });
    expect(said.values.slippageBps).toEqual({ value: 50, source });
    expect(said.aliases.get('ada')).toEqual({ value: '0x1111111111111111111111111111111111111111', source });
    const mainnet = said.networks.get('mainnet');
    expect(mainnet?.apiKey?.value.reveal()).toBe('hush');
    expect(mainnet?.chains.get('base')?.rpcUrl?.value).toBe('https://rpc.example.org/hush');
  });

  test.each([
    ['a list', [], 'The configuration file must be'],
    ['a value that is none', { slippage: 'lots' }, 'slippage must be a percentage'],
    ['a nested value that is none', on('mine', { baseUrl: 'mine' }), 'networks.mine.baseUrl must be a URL'],
    ['a name that is none', { networks: { '../x': {} } }, 'networks.../x must be named'],
    ['a name that means something to objects', JSON.parse('{"networks":{"__proto__":{}}}'), 'networks.__proto__ must'],
    ['real money of a shipped network', on('mainnet', { realMoney: false }), 'networks.mainnet.realMoney'],
    ['a private key', { privateKey: '0x01' }, 'privateKey is not allowed'],
    ['a venue that is none', on('a', { venue: 'v' }), 'networks.a.venue must be a mapping'],
    [
      'the id by which the service knows the venue',
      on('a', { venue: { signingChainId: 3586256 } }),
      'networks.a.venue.signingChainId must be the chain id that the venue’s signatures are bound to',
    ],
    ['a misspelt key of the venue', on('a', { venue: { url: 'x' } }), 'networks.a.venue.url'],
    ['a base URL for all networks', { baseUrl: 'https://x.example' }, 'baseUrl is not allowed'],
    ['an import', { $import: './x.cjs' }, '$import is not allowed'],
  ])('error: %s', async (_, content, message) => {
    const error = await failure('config.invalid', () => ConfigFile.read(user(content)));
    expect(error.message).toContain(message);
    expect(error.facts).toContainEqual(['file', '/u/config.json']);
    expect(error.next).toBe('ferry config edit');
  });

  test('error: suggests the right key for a misspelled one', async () => {
    const top = await failure('config.invalid', () => ConfigFile.read(user({ maxImpct: 1 })));
    expect(top.hint).toBe('Did you mean maxImpact?');
    const nested = await failure('config.invalid', () =>
      ConfigFile.read(user(on('mainnet', { chains: { base: { rpcURL: 'https://x.example' } } }))),
    );
    expect(nested.message).toContain('networks.mainnet.chains.base.rpcURL');
    expect(nested.hint).toBe('Did you mean rpcUrl?');
  });

  test('error: does not reveal secrets', async () => {
    const key = await failure('config.invalid', () => ConfigFile.read(user(on('a', { apiKey: 'hush hush' }))));
    const url = await failure('config.invalid', () =>
      ConfigFile.read(user(on('a', { baseUrl: 'wss://hush.example' }))),
    );
    const said = [key, url].map((error) => `${error.message} ${JSON.stringify(error.facts)} ${error.hint}`).join();
    expect(said).not.toContain('hush');
  });

  test.each([
    ['baseUrl', on('testnet', { baseUrl: 'https://evil.example' }), 'networks.testnet.baseUrl'],
    [
      'rpcUrl',
      on('mainnet', { chains: { base: { rpcUrl: 'https://e.example' } } }),
      'networks.mainnet.chains.base.rpcUrl',
    ],
    ['the venue', on('mainnet', { venue: { baseUrl: 'https://e.example' } }), 'networks.mainnet.venue.baseUrl'],
    ['whose account is paid', on('mainnet', { venue: { accountIndex: 666 } }), 'networks.mainnet.venue.accountIndex'],
    ['venueKey', { venueKey: 'mine' }, 'venueKey'],
    ['account', { account: 'main' }, 'account'],
    ['accountSigner', { accountSigner: './sign' }, 'accountSigner'],
    ['aliases', { aliases: { ada: '0x1111111111111111111111111111111111111111' } }, 'aliases.ada'],
    ['recipient', { recipient: '0x1111111111111111111111111111111111111111' }, 'recipient'],
    ['allow', { allow: 'price' }, 'allow'],
    ['$import', { $import: './x.cjs' }, '$import'],
    ['privateKey', { privateKey: '0x01' }, 'privateKey'],
  ])('error: a project file sets %s', async (_, content, key) => {
    const error = await failure('config.untrusted', () => ConfigFile.read(project(content)));
    expect(Object.fromEntries(error.facts)).toEqual({ file: '/p/.ferryrc.json', key });
  });
});

describe('change', () => {
  test('default', () => {
    const before = { network: 'testnet', networks: { mainnet: { referrer: 'me' } } };
    expect(
      ConfigFile.change(user(before), [['networks.mainnet.chains.base.rpcUrl', 'https://rpc.example.org']]),
    ).toEqual({
      network: 'testnet',
      networks: { mainnet: { referrer: 'me', chains: { base: { rpcUrl: 'https://rpc.example.org' } } } },
    });
    expect(before).toEqual({ network: 'testnet', networks: { mainnet: { referrer: 'me' } } });
  });

  test('behavior: several changes at once, including removals', () => {
    const before = on('mine', { baseUrl: 'https://a.example.org', apiKey: 'hush' });
    const after = ConfigFile.change(user(before), [
      ['network', 'mine'],
      ['networks.mine.apiKey', undefined],
      ['networks.mine.realMoney', 'false'],
    ]);
    expect(after).toEqual({
      network: 'mine',
      networks: { mine: { baseUrl: 'https://a.example.org', realMoney: false } },
    });
  });
});

test('formatOf: undefined for an unknown key', () => {
  const unknown = [
    '',
    'networks',
    'networks.mine',
    'networks.mine.chains',
    'networks.mine.chains.base',
    'networks.mine.constructor',
    'networks.__proto__.baseUrl',
    'aliases',
    'aliases.a.b',
    'network.x',
    'privateKey',
    'constructor',
    'networks.mine.chains.base.rpcUrl.x',
    'networks.mine.venue',
    'networks.mine.venue.constructor',
    'networks.mine.venue.baseUrl.x',
    'venuePrivateKey',
  ];
  expect(unknown.filter((key) => ConfigFile.formatOf(key))).toEqual([]);
});
