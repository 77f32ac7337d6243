import { describe, expect, test } from 'vitest';
import * as PinnedTokens from '../../../src/core/completion/PinnedTokens.js';
import { network } from '../../../src/core/network/sandbox.js';

const address = '0x00000000000000000000000000000000000000AA';
const token = { symbol: 'PUFF', name: 'Puffin', decimals: 6, address, at: '2026-01-01T00:00:00.000Z' };
const file = (...tokens: unknown[]) =>
  JSON.stringify({
    version: 1,
    chains: [{ network: 'sandbox', deployment: 'one', chainId: 313371, contracts: {}, tokens }],
  });
const symbols = (text: string, deployment?: string) =>
  PinnedTokens.layOver(network, text, deployment).chains.map(({ tokens }, index) =>
    tokens.slice(network.chains[index]?.tokens.length).map(({ symbol }) => symbol),
  );

describe('layOver', () => {
  test('behavior: omits those of another deployment, includes all if the deployment is unknown', () => {
    expect([symbols(file(token), 'two')[0], symbols(file(token), undefined)[0]]).toEqual([[], ['PUFF']]);
  });

  test('behavior: lists a symbol once', () => {
    expect(symbols(file(token, { ...token, symbol: 'puff' }, { ...token, symbol: 'Usdc' }), 'one')[0]).toEqual([
      'PUFF',
    ]);
  });

  test.each([
    '',
    'null',
    '[]',
    '{"chains":7}',
    '{"chains":[null,7]}',
    file(null, 7, {}, { symbol: 7 }),
    '{"chains":[{"tokens":{}}]}',
  ])('behavior: ignores %s', (text) => {
    expect(symbols(text, undefined)).toEqual([[], [], [], []]);
  });
});
