import { expect, test } from 'vitest';
import * as ChainVm from '../../../src/core/network/ChainVm.js';
import { network as mainnet } from '../../../src/core/network/mainnet.js';

test.each([
  ['base', 'ethereum-vm'],
  ['monad', 'ethereum-vm'],
  ['hyperliquid', 'hyperliquid-vm'],
  ['lighter', 'lighter-vm'],
  ['solana', 'solana-vm'],
  ['bitcoin', 'bitcoin-vm'],
  ['tron', 'tron-vm'],
  ['ton', 'ton-vm'],
  ['xrp', 'xrp-vm'],
])('default: %s is %s', (slug, vm) => {
  expect(ChainVm.of([])(slug)).toBe(vm);
});

test('behavior: no chain of a shipped network conflicts with its slug', () => {
  const kinds = mainnet.chains.map(({ slug, vm }) => [vm, ChainVm.of(mainnet.chains)(slug)].join(' '));
  expect([...new Set(kinds)].sort()).toEqual([
    'bvm bitcoin-vm',
    'evm ethereum-vm',
    'hypevm hyperliquid-vm',
    'lvm lighter-vm',
    'svm solana-vm',
    'tonvm ton-vm',
    'tvm tron-vm',
  ]);
});

test.each(['Base', 'base ', '', 'constructor', '__proto__', '8453'])('error: "%s" is not a slug', (slug) => {
  expect(ChainVm.of(mainnet.chains)(slug)).toBeUndefined();
});

test('error: a slug with conflicting VM types is unknown', () => {
  expect(ChainVm.of([{ slug: 'solana', vm: 'evm' }])('solana')).toBeUndefined();
  const twice = [{ slug: 'dusk', vm: 'evm' } as const, { slug: 'dusk', vm: 'lvm' } as const];
  expect(ChainVm.of(twice)('dusk')).toBeUndefined();
  expect(ChainVm.of([{ slug: 'base', vm: 'evm' }])('base')).toBe('ethereum-vm');
});
