import { defaultLoaders } from 'cosmiconfig';
import { expect, test } from 'vitest';
import * as SmokeExample from '../../../src/core/checks/SmokeExample.js';
import * as SmokeFile from '../../../src/core/checks/SmokeFile.js';
import * as NetworkRegistry from '../../../src/core/network/NetworkRegistry.js';

test.each(NetworkRegistry.names)('default: a readable file with currencies of %s', async (name) => {
  const text = SmokeExample.format(await NetworkRegistry.load(name));
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
