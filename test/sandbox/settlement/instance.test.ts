import { describe, expect, test } from 'vitest';
import { chainContext, createInstance } from '../../../src/sandbox/settlement/instance.js';
import { deployments } from '../../../src/sandbox/values/deployment.js';

const chains = [deployments.alpha, deployments.beta].map((chain) => ({ ...chain, rpcUrl: 'http://127.0.0.1:1' }));
const instance = createInstance({ chains, seed: 's', instance: 'i', clock: () => 7 });

describe('createInstance: faults', () => {
  test("behavior: skew shifts the service's clock, not the venue's", () => {
    const skewed = createInstance({ chains, seed: 's', instance: 'i', clock: () => 7 });
    const { id } = skewed.faults.add({ kind: 'skew', skewMs: 1_000 });
    expect(skewed.clock()).toBe(1_007);
    skewed.faults.clear(id);
    expect(skewed.clock()).toBe(7);
  });
});

describe('chainContext', () => {
  test('error: an unknown chain', () => {
    expect(() => chainContext(instance, 1)).toThrow('no chain 1');
  });
});
