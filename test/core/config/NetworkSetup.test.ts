import { describe, expect, test } from 'vitest';
import * as NetworkSetup from '../../../src/core/config/NetworkSetup.js';
import { failure } from '../../support/workbench.js';

const begin = (content: unknown = {}, name = 'mine'): NetworkSetup.Setup => ({
  name,
  file: { kind: 'user', path: '/u/config.json', content },
  changes: [],
});

const url = 'https://api.example.org';

describe('set', () => {
  test('default: the last word counts', () => {
    const once = NetworkSetup.set(begin(), 'baseUrl', 'https://other.example.org');
    expect(NetworkSetup.set(NetworkSetup.set(once, 'referrer', 'me'), 'baseUrl', url).changes).toEqual([
      ['networks.mine.referrer', 'me'],
      ['networks.mine.baseUrl', url],
    ]);
  });

  test('behavior: what the file says already is no change, and one that is taken back is none either', () => {
    const said = begin({ network: 'mine', networks: { mine: { baseUrl: url, realMoney: false } } });
    expect(NetworkSetup.set(said, 'baseUrl', url).changes).toEqual([]);
    expect(NetworkSetup.set(said, 'realMoney', 'false').changes).toEqual([]);
    expect(NetworkSetup.set(said, 'apiKey', undefined).changes).toEqual([]);
    expect(NetworkSetup.setWhole(said, 'network', 'mine').changes).toEqual([]);
    expect(
      NetworkSetup.set(NetworkSetup.set(said, 'baseUrl', 'https://other.example.org'), 'baseUrl', url).changes,
    ).toEqual([]);
  });
});

describe('said', () => {
  test('default: the file with the changes', () => {
    const setup = NetworkSetup.set(
      begin({ networks: { mine: { baseUrl: url, apiKey: 'hush' } } }),
      'apiKey',
      undefined,
    );
    expect(NetworkSetup.said(setup)?.baseUrl?.value).toBe(url);
    expect(NetworkSetup.said(setup)?.apiKey).toBeUndefined();
    expect(NetworkSetup.said(begin())).toBeUndefined();
  });

  test('error: a value that it cannot have', async () => {
    await failure('usage.invalid', () => NetworkSetup.said(NetworkSetup.set(begin(), 'baseUrl', 'example.org')));
  });
});

describe('network', () => {
  test('default: as it would be', async () => {
    let setup = NetworkSetup.set(begin(), 'baseUrl', url);
    setup = NetworkSetup.set(
      NetworkSetup.set(setup, 'chains.alpha.id', '313371'),
      'chains.alpha.rpcUrl',
      'http://127.0.0.1:8545',
    );
    expect(await NetworkSetup.network(setup)).toMatchObject({
      name: 'mine',
      baseUrl: url,
      realMoney: true,
      chains: [{ id: 313371, name: 'alpha', rpcUrl: 'http://127.0.0.1:8545' }],
    });
  });

  test('behavior: a shipped one keeps what it has', async () => {
    const { baseUrl, chains } = await NetworkSetup.network(begin({}, 'testnet'));
    expect([baseUrl, chains.length > 0]).toEqual([expect.stringMatching(/^https:/), true]);
  });

  test('error: without a base URL there is none', async () => {
    await failure('config.unknown-network', () => NetworkSetup.network(begin()));
  });
});

describe('rows', () => {
  test('default: nothing that is secret', () => {
    let setup = begin({ networks: { mine: { referrer: 'me' } } });
    for (const [key, value] of [
      ['apiKey', 'hush'],
      ['chains.base.rpcUrl', 'https://rpc.example.org/hush'],
      ['referrer', undefined],
    ] as const)
      setup = NetworkSetup.set(setup, key, value);
    expect(NetworkSetup.rows(setup)).toEqual([
      { key: 'networks.mine.apiKey', value: '***' },
      { key: 'networks.mine.chains.base.rpcUrl', value: 'https://rpc.example.org/…' },
      { key: 'networks.mine.referrer', value: null },
    ]);
  });
});
