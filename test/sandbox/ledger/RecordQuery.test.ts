import { beforeAll, describe, expect, test } from 'vitest';
import type { Ledger } from '../../../src/sandbox/ledger/ledger.js';
import * as RecordFacets from '../../../src/sandbox/ledger/RecordFacets.js';
import * as RecordQuery from '../../../src/sandbox/ledger/RecordQuery.js';
import { add, deposited, filled, ledgerAt, refunded } from '../../support/entries.js';
import * as market from '../../support/market.js';

const startMs = 1_790_000_000_000;
let ledger: Ledger & { setClock(ms: number): void };
let orderId = '';

// One second apart: 0 waits, 1 is pending, 2 is filled, 3 refunded, 4 a failed swap of the other account.
beforeAll(async () => {
  ledger = ledgerAt(startMs);
  const requests = [
    {},
    { amount: 50_000_000n },
    { to: 'beta/weth', request: { appFees: [{ recipient: market.other, fee: '100' }] } },
    { from: 'beta/usdc', to: 'alpha/usdc', hasKey: true, request: { referrer: 'shop' } },
    { from: 'alpha/usdc', to: 'alpha/weth', request: { user: market.other, refundTo: market.other } },
  ];
  for (const [index, one] of requests.entries()) {
    ledger.setClock(startMs + index * 1_000);
    const entry = await add(ledger, one);
    const { requestId } = entry.order;
    ledger.setClock(startMs + index * 1_000 + 400);
    if (index === 1 || index === 2 || index === 3) ledger.update(requestId, deposited(entry));
    if (index === 2) ledger.update(requestId, filled(entry, 10n ** 16n));
    if (index === 3) ledger.update(requestId, refunded(entry, 1n));
    if (index === 4) ledger.update(requestId, { status: 'failure', failReason: 'TRANSACTION_REVERTED' });
  }
  orderId = [...ledger.search()][1]?.order.protocol?.orderId ?? '';
});

function found(query: RecordQuery.Query): number[] {
  return RecordQuery.page(ledger, query).entries.map((entry) => entry.sequence - 1);
}

describe('page', () => {
  test('default: the newest first', () => {
    expect(RecordQuery.page(ledger, { includeTotal: true })).toMatchObject({ total: 5, continuation: undefined });
    expect(found({})).toEqual([4, 3, 2, 1, 0]);
  });

  test.each<[RecordQuery.Query, readonly number[]]>([
    [{ user: market.other.toLowerCase() }, [4]],
    [{ recipient: market.user }, [3, 2, 1, 0]],
    [{ status: 'success' }, [2]],
    [{ status: 'pending' }, [1]],
    [{ status: 'refund' }, [3]],
    [{ failReason: 'slippage' }, [3]],
    [{ requestType: 'same-chain swap' }, [4]],
    [{ requestType: 'Bridge' }, [3, 1, 0]],
    [{ originChainId: 313372 }, [3]],
    [{ destinationChainId: 313371 }, [4, 3]],
    [{ chainId: 313372 }, [3, 2, 1, 0]],
    [{ currencyOutSymbol: 'weth' }, [4, 2]],
    [{ referrer: 'shop' }, [3]],
    [{ apiKey: 'sandbox-key' }, [3]],
    [{ features: 'app_fees' }, [2]],
    [{ features: 'app_fees, fast_fill' }, [2]],
    [{ features: 'fast_fill,gas_top_up' }, []],
    [{ depositTxHash: `0x${'a'.repeat(64)}` }, [3, 2, 1]],
    [{ fillTxHash: `0x${'b'.repeat(64)}` }, [2]],
    [{ refundTxHash: `0x${'c'.repeat(64)}` }, [3]],
    [{ hash: `0x${'c'.repeat(64)}` }, [3]],
    [{ term: `0x${'b'.repeat(64)}` }, [2]],
    [{ term: market.other }, [4]],
    [{ term: 'nothing' }, []],
    [{ amountUsdMax: '60' }, [1]],
    [{ amountUsdMin: '100' }, [4, 3, 2, 0]],
    [{ appFeesAmountUsdMin: '0.5' }, [2]],
    [{ fillTimeMin: '0.2' }, [4, 3, 2, 1]],
    [{ startTimestamp: startMs / 1000 + 1, endTimestamp: startMs / 1000 + 2 }, [2, 1]],
    [{ startBlock: 7, endBlock: 7 }, [2]],
    [{ user: market.user, status: 'success' }, [2]],
  ])('behavior: %j', (query, sequences) => {
    expect(found(query)).toEqual(sequences);
  });

  test('behavior: by its ids', () => {
    expect(found({ orderId })).toEqual([1]);
    expect(found({ term: orderId.toUpperCase() })).toEqual([1]);
    expect(found({ id: [...ledger.search()][3]?.order.requestId })).toEqual([3]);
  });

  test('behavior: other sort orders', () => {
    expect(found({ sortDirection: 'asc' })).toEqual([0, 1, 2, 3, 4]);
    expect(found({ sortBy: 'amountUsd' })).toEqual([1, 0, 2, 3, 4]);
    expect(found({ sortBy: 'amountUsd', sortDirection: 'desc' })).toEqual([4, 3, 2, 0, 1]);
    expect(found({ sortBy: 'updatedAt' })).toEqual([4, 3, 2, 1, 0]);
  });

  test.each<RecordQuery.Query>([{}, { sortBy: 'amountUsd' }, { sortDirection: 'asc' }, { includeTotal: true }])(
    'behavior: paging %j returns every request once',
    (query) => {
      const seen: number[] = [];
      let continuation: string | undefined;
      do {
        const page = RecordQuery.page(ledger, { ...query, limit: 2, ...(continuation && { continuation }) });
        seen.push(...page.entries.map((entry) => entry.sequence - 1));
        expect(page.total).toBe(query.includeTotal ? 5 : undefined);
        continuation = page.continuation;
      } while (continuation !== undefined);
      expect(seen).toEqual(found(query));
    },
  );

  test.each([
    ['[{"status":"success"},{"status":["refund","failure"]}]', [4, 3, 2]],
    ['[{"status":"not:success","originChainId":313371}]', [4, 1, 0]],
    ['[{"not:status":["success","refund"]}]', [4, 1, 0]],
    ['[{"failReason":null}]', [2, 1, 0]],
    ['[{"not:failReason":null}]', [4, 3]],
    ['[{"user":["not:0x70997970c51812dc3a010c7d01b50e0d17dc79c8"]}]', [3, 2, 1, 0]],
    ['[]', []],
  ])('behavior: filters %s', (filters, sequences) => {
    expect(found({ filters })).toEqual(sequences);
  });

  test.each([
    [{ filters: '{' }, 'valid JSON'],
    [{ filters: '{}' }, 'array of groups'],
    [{ filters: '[1]' }, 'array of groups'],
    [{ filters: '[{"colour":"red"}]' }, 'unknown field: colour'],
    [{ filters: '[{"status":["success",null]}]' }, 'null'],
    [{ continuation: 'x' }, 'continuation'],
  ])('error: %j', (query, message) => {
    expect(() => found(query)).toThrow(message);
  });
});

describe('RecordFacets: wordsOf', () => {
  test('default: has a word for every value of every facet', async () => {
    const kept = ledgerAt(0);
    const first = await add(kept, {
      hasKey: true,
      request: { appFees: [{ recipient: market.other, fee: '100' }], referrer: 'shop' },
    });
    const paid = kept.update(first.order.requestId, deposited(first));
    const entry = kept.update(first.order.requestId, filled(paid, 1n));
    const words = RecordFacets.wordsOf(entry);
    for (const facet of Object.keys(RecordFacets.facets) as RecordFacets.Facet[])
      for (const value of facet === 'id' ? [] : RecordFacets.facets[facet](entry))
        expect(RecordFacets.wordsFor(facet, value.toUpperCase()).some((word) => words.includes(word))).toBe(true);
    expect(words).toContain(RecordFacets.word('appFee', market.other));
    expect(words).toContain(RecordFacets.word('apiKey', 'sandbox'));
    for (const term of RecordFacets.termsOf(entry))
      expect(RecordFacets.wordsForTerm(term).some((word) => words.includes(word))).toBe(true);
  });

  test('behavior: of a swap on one chain, also its transaction', async () => {
    const entry = await add(ledgerAt(0), { from: 'alpha/usdc', to: 'alpha/weth' });
    const step = entry.quote.steps.find(({ id }) => id !== 'approve')?.items[0]?.data as { from: string; to: string };
    expect(RecordFacets.wordsOf(entry)).toContain(RecordFacets.stepWord(step as never));
  });
});
