import { describe, expect, test } from 'vitest';
import { network as mainnet } from '../../src/core/networks/mainnet.js';
import { network as sandbox } from '../../src/core/networks/sandbox.js';
import * as Vm from '../../src/core/Vm.js';

describe('of', () => {
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
    expect(Vm.of([])(slug)).toBe(vm);
  });

  test('behavior: the chains of a network too', () => {
    expect(Vm.of([])('alpha')).toBeUndefined();
    expect(Vm.of(sandbox.chains)('alpha')).toBe('ethereum-vm');
    expect(Vm.of([{ slug: 'venue', vm: 'lvm' }])('venue')).toBe('lighter-vm');
  });

  test('behavior: no chain of a shipped network is of another kind than its slug', () => {
    const kinds = mainnet.chains.map(({ slug, vm }) => [vm, Vm.of(mainnet.chains)(slug)].join(' '));
    expect([...new Set(kinds)].sort()).toEqual(['evm ethereum-vm', 'lvm lighter-vm']);
  });

  test.each(['Base', 'base ', '', 'constructor', '__proto__', '8453'])('error: "%s" is no slug', (slug) => {
    expect(Vm.of(mainnet.chains)(slug)).toBeUndefined();
  });

  test('error: a slug of two kinds is of none', () => {
    expect(Vm.of([{ slug: 'solana', vm: 'evm' }])('solana')).toBeUndefined();
    const twice = [{ slug: 'dusk', vm: 'evm' } as const, { slug: 'dusk', vm: 'lvm' } as const];
    expect(Vm.of(twice)('dusk')).toBeUndefined();
    expect(Vm.of([{ slug: 'base', vm: 'evm' }])('base')).toBe('ethereum-vm');
  });
});
