import { describe, expect, test } from 'vitest';
import { chainContext, createInstance, nodeOf } from '../../../src/sandbox/settlement/instance.js';
import { inMemory } from '../../../src/sandbox/storage/frameLog.js';
import { deployments } from '../../../src/sandbox/values/deployment.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';

const chains = [deployments.alpha, deployments.beta].map((chain) => ({ ...chain, rpcUrl: 'http://127.0.0.1:1' }));
const instance = createInstance({ chains, seed: 's', instance: 'i', clock: () => 7 });

describe('createInstance', () => {
  test('default: empty', () => {
    expect(instance).toMatchObject({ id: 'i', seed: 's', nodes: chains });
    expect(instance.clock()).toBe(7);
    expect([instance.ledger.entries(), instance.faults.list()]).toEqual([[], []]);
  });

  test('behavior: restored', () => {
    const logs = { ledger: inMemory(), venue: inMemory() };
    const { ledger } = createInstance({ chains, seed: 's', instance: 'i', logs });
    ledger.nextSequence();
    ledger.close();
    const again = createInstance({ chains, seed: 's', instance: 'i', logs });
    expect(again.ledger.nextSequence()).toBe(2);
    expect(Math.abs(again.clock() - Date.now())).toBeLessThan(1_000);
  });
});

describe('createInstance: faults', () => {
  test("behavior: skew shifts the service's clock, not the venue's", () => {
    const skewed = createInstance({ chains, seed: 's', instance: 'i', clock: () => 7 });
    const { id } = skewed.faults.add({ kind: 'skew', skewMs: 1_000 });
    expect(skewed.clock()).toBe(1_007);
    skewed.faults.clear(id);
    expect(skewed.clock()).toBe(7);
  });
});

describe('nodeOf', () => {
  test('default', () => {
    expect(nodeOf(instance, 313372)?.name).toBe('beta');
    expect(nodeOf(instance, 1)).toBeUndefined();
  });
});

describe('chainContext', () => {
  test('default: the solver and the relayer are the same on each chain', () => {
    for (const [id, name] of [
      [313371, 'alpha'],
      [313372, 'beta'],
    ] as const) {
      const { node, solver, relayer } = chainContext(instance, id);
      const addresses = [accounts.solver.address, accounts.relayer.address];
      expect([node.name, solver.address, relayer.address]).toEqual([name, ...addresses]);
    }
  });

  test('error: an unknown chain', () => {
    expect(() => chainContext(instance, 1)).toThrow('no chain 1');
  });
});
