import { describe, expect, test } from 'vitest';
import * as RecordFacets from '../../../src/sandbox/ledger/RecordFacets.js';
import { add, deposited, filled, ledgerAt } from '../../support/entries.js';
import * as market from '../../support/market.js';

describe('wordsOf', () => {
  test('default: has a word for every value of every facet', async () => {
    const ledger = ledgerAt(0);
    const first = await add(ledger, {
      hasKey: true,
      request: { appFees: [{ recipient: market.other, fee: '100' }], referrer: 'shop' },
    });
    const paid = ledger.update(first.order.requestId, deposited(first));
    const entry = ledger.update(first.order.requestId, filled(paid, 1n));
    const words = RecordFacets.wordsOf(entry);
    for (const facet of Object.keys(RecordFacets.facets) as RecordFacets.Facet[])
      for (const value of facet === 'id' ? [] : RecordFacets.facets[facet](entry))
        expect(RecordFacets.wordsFor(facet, value.toUpperCase()).some((word) => words.includes(word))).toBe(true);
    expect(words).toContain(RecordFacets.appFeeWord(market.other));
    expect(words).toContain(RecordFacets.keyWord('sandbox'));
    for (const term of RecordFacets.termsOf(entry))
      expect(RecordFacets.wordsForTerm(term).some((word) => words.includes(word))).toBe(true);
  });

  test('behavior: of a swap on one chain, also its transaction', async () => {
    const entry = await add(ledgerAt(0), { from: 'alpha/usdc', to: 'alpha/weth' });
    const step = entry.quote.steps.find(({ id }) => id !== 'approve')?.items[0]?.data as { from: string; to: string };
    expect(RecordFacets.wordsOf(entry)).toContain(RecordFacets.stepWord(step as never));
  });
});
