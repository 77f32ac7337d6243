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
