import { expect, test } from 'vitest';
import * as NetworkSetup from '../../../src/core/config/NetworkSetup.js';

const begin = (content: unknown = {}, name = 'mine'): NetworkSetup.NetworkSetup => ({
  name,
  file: { kind: 'user', path: '/u/config.json', content },
  changes: [],
});

const url = 'https://api.example.org';

test('set: behavior: an unchanged value is not a change, nor is one that is reverted', () => {
  const said = begin({ network: 'mine', networks: { mine: { baseUrl: url, realMoney: false } } });
  expect(NetworkSetup.set(said, 'baseUrl', url).changes).toEqual([]);
  expect(NetworkSetup.set(said, 'realMoney', 'false').changes).toEqual([]);
  expect(NetworkSetup.set(said, 'apiKey', undefined).changes).toEqual([]);
  expect(NetworkSetup.setWhole(said, 'network', 'mine').changes).toEqual([]);
  expect(
    NetworkSetup.set(NetworkSetup.set(said, 'baseUrl', 'https://other.example.org'), 'baseUrl', url).changes,
  ).toEqual([]);
});

test('rows: no secrets', () => {
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
