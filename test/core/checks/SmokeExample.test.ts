import { defaultLoaders } from 'cosmiconfig';
import { describe, expect, test } from 'vitest';
import * as SmokeExample from '../../../src/core/checks/SmokeExample.js';
import * as SmokeFile from '../../../src/core/checks/SmokeFile.js';
import * as NetworkRegistry from '../../../src/core/network/NetworkRegistry.js';

test('sandbox: quotes, executions of every kind, a refund and a refusal', () => {
  const { cases } = SmokeFile.read(SmokeExample.sandbox, 'x');
  expect(cases.filter(({ does }) => does === 'quote').length).toBeGreaterThanOrEqual(4);
  expect(cases.filter(({ does }) => does === 'execute').length).toBeGreaterThanOrEqual(4);
  expect(cases.some(({ options }) => options.gasless)).toBe(true);
  expect(cases.some(({ expect: { status } }) => status === 'refund')).toBe(true);
  expect(cases.some(({ expect: { code } }) => code !== undefined)).toBe(true);
});

describe('format', () => {
  test.each(NetworkRegistry.names)('default: a readable file with currencies of %s', async (name) => {
    const text = SmokeExample.format(await NetworkRegistry.load(name));
    expect(text).toMatchSnapshot();
    const { cases, cap } = SmokeFile.read(defaultLoaders['.yaml']('smoke.yaml', text), 'smoke.yaml');
    expect(cases.map(({ does }) => does)).toEqual(['quote', 'quote', 'execute']);
    expect(Object.keys(cap ?? {})).toEqual([cases[0]?.from]);
  });

  test('behavior: without a token on both chains, a smaller amount of the native asset', async () => {
    const network = await NetworkRegistry.load('sandbox');
    const chains = network.chains.map((chain) => ({ ...chain, tokens: [] }));
    expect(SmokeExample.format({ ...network, chains })).toContain(
      'amount: "0.01"\n    from: alpha/eth\n    to: beta/eth',
    );
  });
});
