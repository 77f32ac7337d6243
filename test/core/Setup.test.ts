import { describe, expect, test } from 'vitest';
import * as Setup from '../../src/core/Setup.js';
import { failure } from '../support/workbench.js';

const begin = (content: unknown = {}, name = 'mine'): Setup.Setup => ({
  name,
  file: { kind: 'user', path: '/u/config.json', content },
  changes: [],
});

const url = 'https://api.example.org';

describe('set', () => {
  test('default: the last word counts', () => {
    const once = Setup.set(begin(), 'baseUrl', 'https://other.example.org');
    expect(Setup.set(Setup.set(once, 'referrer', 'me'), 'baseUrl', url).changes).toEqual([
      ['networks.mine.referrer', 'me'],
      ['networks.mine.baseUrl', url],
    ]);
  });

  test('behavior: what the file says already is no change, and one that is taken back is none either', () => {
    const said = begin({ network: 'mine', networks: { mine: { baseUrl: url, realMoney: false } } });
    expect(Setup.set(said, 'baseUrl', url).changes).toEqual([]);
    expect(Setup.set(said, 'realMoney', 'false').changes).toEqual([]);
    expect(Setup.set(said, 'apiKey', undefined).changes).toEqual([]);
    expect(Setup.setWhole(said, 'network', 'mine').changes).toEqual([]);
    expect(Setup.set(Setup.set(said, 'baseUrl', 'https://other.example.org'), 'baseUrl', url).changes).toEqual([]);
  });
});

describe('said', () => {
  test('default: the file with the changes', () => {
    const setup = Setup.set(begin({ networks: { mine: { baseUrl: url, apiKey: 'hush' } } }), 'apiKey', undefined);
    expect(Setup.said(setup)?.baseUrl?.value).toBe(url);
    expect(Setup.said(setup)?.apiKey).toBeUndefined();
    expect(Setup.said(begin())).toBeUndefined();
  });

  test('error: a value that it cannot have', async () => {
    await failure('usage.invalid', () => Setup.said(Setup.set(begin(), 'baseUrl', 'example.org')));
  });
});

describe('network', () => {
  test('default: as it would be', async () => {
    let setup = Setup.set(begin(), 'baseUrl', url);
    setup = Setup.set(Setup.set(setup, 'chains.alpha.id', '313371'), 'chains.alpha.rpcUrl', 'http://127.0.0.1:8545');
    expect(await Setup.network(setup)).toMatchObject({
      name: 'mine',
      baseUrl: url,
      realMoney: true,
      chains: [{ id: 313371, name: 'alpha', rpcUrl: 'http://127.0.0.1:8545' }],
    });
  });

  test('behavior: a shipped one keeps what it has', async () => {
    const { baseUrl, chains } = await Setup.network(begin({}, 'testnet'));
    expect([baseUrl, chains.length > 0]).toEqual([expect.stringMatching(/^https:/), true]);
  });

  test('error: without a base URL there is none', async () => {
    await failure('config.unknown-network', () => Setup.network(begin()));
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
      setup = Setup.set(setup, key, value);
    expect(Setup.rows(setup)).toEqual([
      { key: 'networks.mine.apiKey', value: '***' },
      { key: 'networks.mine.chains.base.rpcUrl', value: 'https://rpc.example.org/…' },
      { key: 'networks.mine.referrer', value: null },
    ]);
  });
});
