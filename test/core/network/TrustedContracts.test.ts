import { describe, expect, test } from 'vitest';
import type { Address } from '../../../src/core/base/Address.js';
import type { Chain } from '../../../src/core/network/Network.js';
import { network } from '../../../src/core/network/sandbox.js';
import * as TrustedContracts from '../../../src/core/network/TrustedContracts.js';
import { failure } from '../../support/workbench.js';

const shipped = network.chains[0] as Chain;
const bare: Chain = { ...shipped, contracts: {}, tokens: [] };
const place = { network: 'mine', deployment: 'https://mine.example', chainId: shipped.id };
const one: Address = '0x1111111111111111111111111111111111111111';
const two: Address = '0x2222222222222222222222222222222222222222';
const three: Address = '0x3333333333333333333333333333333333333333';
const day = Date.UTC(2026, 0, 31);
const later = day + 86_400_000;

const depository = (address: Address) => ({ contracts: { depository: address }, tokens: [] });
const token = (symbol: string, address: Address) => ({
  contracts: {},
  tokens: [{ symbol, name: `The ${symbol}`, address, decimals: 9 }],
});

/** The pins after changes, one per day. */
function pinned(chain: Chain, ...changes: TrustedContracts.Changes[]): TrustedContracts.Pins {
  return changes.reduce<TrustedContracts.Pins>(
    (pins, each, i) => TrustedContracts.change(pins, place, chain, each, day + i * 86_400_000),
    [],
  );
}

describe('from', () => {
  test('default', () => {
    const pins = pinned(bare, depository(one), depository(two), token('GULL', three));
    expect(TrustedContracts.from(TrustedContracts.format(pins), 'f')).toEqual(pins);
  });

  const file = JSON.parse(TrustedContracts.format(pinned(bare, depository(one))));
  const changed = (parts: object) => JSON.stringify({ ...file, chains: [{ ...file.chains[0], ...parts }] });
  const router = (address: string) => changed({ contracts: { router: { address, at: '2026-01-31T00:00:00Z' } } });
  test.each([
    ['nothing', ''],
    ['no JSON', '{"version":1,"chains":['],
    ['an unknown key', JSON.stringify({ ...file, more: 1 })],
    ['an unknown key of a chain', changed({ more: 1 })],
    ['an unknown contract', changed({ contracts: { vault: { address: one, at: '2026-01-31T00:00:00Z' } } })],
    ['a contract that is no address', router('0x1')],
    ['a contract whose checksum is wrong', router('0xFbfbfDdd6e35dA57b7B0F9a2C10E34Be70B3A4E9')],
    ['a date that is none', changed({ contracts: { router: { address: one, at: 'today' } } })],
  ])('error: %s', async (_, text) => {
    const error = await failure('config.unreadable', () => TrustedContracts.from(text, '/u/pins.json'));
    expect(error.facts).toContainEqual(['file', '/u/pins.json']);
  });

  test('error: a file written by a newer ferry', async () => {
    await failure('config.invalid', () => TrustedContracts.from(JSON.stringify({ version: 2, pins: {} }), 'f'));
  });
});

test('deployment: the origin of the base URL, or the instance of the sandbox, whatever its URL', () => {
  const at = (baseUrl: string | undefined) =>
    TrustedContracts.deployment({ ...network, name: 'mine', baseUrl }, undefined);
  expect(at('https://Mine.example:443/v2/?k=s3cr3t')).toBe('https://mine.example');
  expect(at('http://mine.example')).not.toBe(at('https://mine.example'));
  expect(at('https://mine.example:8443')).not.toBe(at('https://mine.example'));
  expect(at(undefined)).toBeUndefined();
  expect(TrustedContracts.deployment({ ...network, baseUrl: 'http://127.0.0.1:3000' }, 'abc')).toBe('abc');
  expect(TrustedContracts.deployment({ ...network, baseUrl: 'http://127.0.0.1:3000' }, undefined)).toBeUndefined();
});

test.each([
  ['network', { network: 'yours' }],
  ['deployment', { deployment: 'https://yours.example' }],
  ['chain', { chainId: 1 }],
])('at: pins do not apply to another %s', (_, parts) => {
  const pins = pinned(bare, depository(one));
  expect(TrustedContracts.at(pins, place)?.contracts.depository?.address).toBe(one);
  expect(TrustedContracts.at(pins, { ...place, ...parts })).toBeUndefined();
});

describe('change', () => {
  test('default: changes the pins of one chain, keeps the others', () => {
    const others = TrustedContracts.change([], { ...place, chainId: 1 }, bare, depository(three), day);
    const pins = TrustedContracts.change(others, place, bare, depository(one), later);
    expect(pins).toEqual([...others, { ...place, contracts: { depository: { address: one, at: later } }, tokens: [] }]);
  });

  test('behavior: an existing pin keeps its date, pinning the shipped address removes it', () => {
    expect(pinned(bare, depository(one), depository(one))).toEqual(pinned(bare, depository(one)));
    const own = shipped.contracts.depository as Address;
    expect(pinned(shipped, depository(one), depository(own))).toEqual([]);
  });

  test('behavior: matches a token’s symbol in any case', () => {
    expect(pinned(bare, token('GULL', one), token('gull', two))[0]?.tokens).toMatchObject([
      { symbol: 'gull', address: two, instead: one },
    ]);
  });
});

describe('contracts', () => {
  const known = (chain: Chain, pins: TrustedContracts.Pins) =>
    TrustedContracts.contracts(chain, TrustedContracts.at(pins, place)).find(
      ({ contract }) => contract === 'depository',
    );

  test('default: shipped, pinned, accepted', () => {
    expect(known(shipped, [])).toMatchObject({ address: shipped.contracts.depository, source: 'shipped' });
    expect(known(bare, [])).toBeUndefined();
    expect(known(bare, pinned(bare, depository(one)))).toMatchObject({ address: one, source: 'pinned', at: day });
    expect(known(shipped, pinned(shipped, depository(one)))).toMatchObject({
      address: one,
      source: 'accepted',
      instead: shipped.contracts.depository,
    });
    expect(known(bare, pinned(bare, depository(one), depository(two)))).toMatchObject({
      address: two,
      source: 'accepted',
      at: later,
      instead: one,
    });
  });

  test('behavior: an address that ships later overrides one accepted in place of an older address', () => {
    const pins = pinned(shipped, depository(one));
    const updated = { ...shipped, contracts: { ...shipped.contracts, depository: three } };
    expect(known(updated, pins)).toMatchObject({ address: three, source: 'shipped' });
    expect(known(updated, TrustedContracts.change(pins, place, updated, depository(two), later))).toMatchObject({
      address: two,
      source: 'accepted',
      instead: three,
    });
  });

  test('behavior: accepting twice still replaces the shipped address', () => {
    expect(known(shipped, pinned(shipped, depository(one), depository(two)))).toMatchObject({
      address: two,
      instead: shipped.contracts.depository,
    });
  });
});

describe('tokens', () => {
  const known = (chain: Chain, pins: TrustedContracts.Pins) =>
    TrustedContracts.tokens(chain, TrustedContracts.at(pins, place));

  test('default', () => {
    expect(known(bare, pinned(bare, token('SEAL', one)))).toMatchObject([
      { source: 'pinned', token: { symbol: 'SEAL', address: one, decimals: 9 } },
    ]);
    expect(known(shipped, pinned(shipped, token('usdc', one)))).toMatchObject([{ source: 'accepted', address: one }]);
  });

  test('behavior: an address that ships later overrides a pin', () => {
    expect(known(shipped, pinned(bare, token('USDC', one)))).toEqual([]);
  });
});

test('layOver: what is pinned takes its place; without pins the chain is unchanged', () => {
  const pins = TrustedContracts.at(pinned(shipped, depository(one), token('usdc', two), token('SEAL', three)), place);
  const laid = TrustedContracts.layOver(shipped, pins);
  expect(laid.contracts).toEqual({ ...shipped.contracts, depository: one });
  expect(laid.tokens.map(({ symbol }) => symbol)).toEqual(['WETH', 'USDT', 'DAI', 'GULL', 'KELP', 'usdc', 'SEAL']);
  expect(laid.tokens.find(({ symbol }) => symbol === 'usdc')).toMatchObject({ address: two, decimals: 9 });
  expect(TrustedContracts.layOver(shipped, undefined)).toBe(shipped);
});
