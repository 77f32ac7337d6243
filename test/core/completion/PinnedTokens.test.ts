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
  PinnedTokens.layOver(network, text, deployment).chains.map(({ tokens }) =>
    tokens.map(({ symbol }) => symbol).slice(5),
  );

describe('layOver', () => {
  test('default: on its chain, after those that ferry ships', () => {
    expect(symbols(file(token), 'one')).toEqual([['PUFF'], [], []]);
  });

  test('behavior: of another deployment they are not, and of an unknown one they are', () => {
    expect([symbols(file(token), 'two')[0], symbols(file(token), undefined)[0]]).toEqual([[], ['PUFF']]);
  });

  test('behavior: a symbol is listed once', () => {
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
  ])('behavior: of %s nothing is taken', (text) => {
    expect(symbols(text, undefined)).toEqual([[], [], []]);
  });
});
