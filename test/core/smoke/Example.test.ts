import { defaultLoaders } from 'cosmiconfig';
import { describe, expect, test } from 'vitest';
import * as Networks from '../../../src/core/Networks.js';
import * as Smoke from '../../../src/core/Smoke.js';
import * as Example from '../../../src/core/smoke/Example.js';

describe('sandbox', () => {
  test('default: quotes, executions of every kind, a refund and a refusal', () => {
    const { cases } = Smoke.read(Example.sandbox, 'x');
    expect(cases.filter(({ does }) => does === 'quote').length).toBeGreaterThanOrEqual(4);
    expect(cases.filter(({ does }) => does === 'execute').length).toBeGreaterThanOrEqual(4);
    expect(cases.some(({ options }) => options.gasless)).toBe(true);
    expect(cases.some(({ expect: { status } }) => status === 'refund')).toBe(true);
    expect(cases.some(({ expect: { code } }) => code !== undefined)).toBe(true);
  });
});

describe('format', () => {
  test.each(Networks.names)('default: a file that can be read, with currencies of %s', async (name) => {
    const text = Example.format(await Networks.load(name));
    expect(text).toMatchSnapshot();
    const { cases, cap } = Smoke.read(defaultLoaders['.yaml']('smoke.yaml', text), 'smoke.yaml');
    expect(cases.map(({ does }) => does)).toEqual(['quote', 'quote', 'execute']);
    expect(Object.keys(cap ?? {})).toEqual([cases[0]?.from]);
  });

  test('behavior: without a token on both chains, the native asset and less of it', async () => {
    const network = await Networks.load('sandbox');
    const chains = network.chains.map((chain) => ({ ...chain, tokens: [] }));
    expect(Example.format({ ...network, chains })).toContain('amount: "0.01"\n    from: alpha/eth\n    to: beta/eth');
  });
});
