import { describe, expect, test } from 'vitest';
import * as LocalNames from '../../../src/core/completion/LocalNames.js';
import { network } from '../../../src/core/network/sandbox.js';
import * as Journal from '../../../src/core/tracking/Journal.js';
import * as journals from '../../support/journals.js';

describe('from', () => {
  const all = Object.entries(journals).flatMap(([name, entries]) =>
    Array.isArray(entries)
      ? entries.map((_, at): [string, readonly Journal.Entry[]] => [`${name} ${at}`, entries.slice(0, at + 1)])
      : [],
  );

  test.each(all)('default: agrees with the journal: %s', (_, entries) => {
    const state = Journal.from(entries);
    expect(LocalNames.previewOf(journals.textOf(entries))).toMatchObject({
      summary: state.summary,
      isUnfinished: Journal.isUnfinished(state),
    });
  });

  test('behavior: the request of the last quote', () => {
    const id = `0x${'a'.repeat(64)}`;
    const entries: Journal.Entry[] = [
      journals.intent,
      { type: 'quote', requestId: `0x${'b'.repeat(64)}`, document: {} },
      { type: 'quote', requestId: id, document: {} },
    ];
    expect(LocalNames.previewOf(journals.textOf(entries))?.requestId).toBe(id);
    const odd: Journal.Entry = { type: 'quote', requestId: '$(touch x)', document: {} };
    expect(LocalNames.previewOf(journals.textOf([journals.intent, odd]))?.requestId).toBeUndefined();
  });

  test.each([
    '',
    'null',
    '{"entry":null}',
    '{"entry":{"type":"quote"}}',
    '\u0000\u0001',
    '{"entry":{"type":"intent","summary":7}}',
  ])('behavior: %j is not a journal', (text) => {
    expect(LocalNames.previewOf(text)).toBeUndefined();
  });
});

const address = '0x00000000000000000000000000000000000000AA';
const token = { symbol: 'PUFF', name: 'Puffin', decimals: 6, address, at: '2026-01-01T00:00:00.000Z' };
const file = (...tokens: unknown[]) =>
  JSON.stringify({
    version: 1,
    chains: [{ network: 'sandbox', deployment: 'one', chainId: 313371, contracts: {}, tokens }],
  });
const symbols = (text: string, deployment?: string) =>
  LocalNames.withPins(network, text, deployment).chains.map(({ tokens }, index) =>
    tokens.slice(network.chains[index]?.tokens.length).map(({ symbol }) => symbol),
  );

describe('layOver', () => {
  test('behavior: omits those of another deployment, and lists a symbol once', () => {
    expect([symbols(file(token), 'two')[0], symbols(file(token), undefined)[0]]).toEqual([[], ['PUFF']]);
    const again = file(token, { ...token, symbol: 'puff' }, { ...token, symbol: 'Usdc' });
    expect(symbols(again, 'one')[0]).toEqual(['PUFF']);
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
