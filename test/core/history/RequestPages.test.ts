import { expect, test } from 'vitest';
import { BaseError } from '../../../src/core/base/Errors.js';
import * as RequestDocument from '../../../src/core/history/RequestDocument.js';
import * as RequestPages from '../../../src/core/history/RequestPages.js';
import type { RequestQuery } from '../../../src/core/history/RequestQuery.js';
import type { Entry, Page } from '../../../src/core/history/RequestSource.js';
import { network } from '../../../src/core/network/sandbox.js';
import { facts, failure } from '../../support/failures.js';

const createdAt = '2026-09-21T14:13:20.500Z';

function request(number: number): RequestDocument.RequestDocument {
  return RequestDocument.fromV3({ id: `0x${number}`, status: 'success', createdAt }, network);
}

function entry(number: number): Entry {
  return { ok: true, request: request(number) };
}

type Source = { page(query: RequestQuery): Promise<Page> };

/** A source of `count` requests in pages of a fixed maximum size, whatever the query. */
function shelf(total: number, most = 50) {
  const asked: RequestQuery[] = [];
  const page = async (query: RequestQuery): Promise<Page> => {
    asked.push(query);
    const start = Number(query.continuation ?? 0);
    const end = Math.min(start + Math.min(query.limit ?? 20, most), total);
    const requests = Array.from({ length: end - start }, (_, i) => entry(start + i));
    return { entries: requests, continuation: end < total ? String(end) : undefined };
  };
  return { page, asked };
}

async function list(query: RequestQuery, source: Source, limit = Number.POSITIVE_INFINITY) {
  const ids: string[] = [];
  const listing = RequestPages.run(query, source, limit);
  for (let step = await listing.next(); ; step = await listing.next()) {
    if (step.done) return { ids, ...step.value };
    ids.push(step.value.ok ? step.value.request.requestId : step.value.unreadable.path);
  }
}

test('default: all pages, each of the service’s largest size', async () => {
  const source = shelf(120);
  const { ids, ...listed } = await list({ user: '0x01' }, source);
  expect(listed).toEqual({ listed: 120, unreadable: 0, more: false });
  expect(new Set(ids).size).toBe(120);
  expect(source.asked).toEqual([
    { user: '0x01', limit: 50 },
    { user: '0x01', limit: 50, continuation: '50' },
    { user: '0x01', limit: 50, continuation: '100' },
  ]);
});

test('behavior: requests no more than needed', async () => {
  const source = shelf(120);
  expect(await list({}, source, 70)).toMatchObject({ listed: 70, more: true });
  expect(source.asked.map(({ limit }) => limit)).toEqual([50, 20]);
  expect(await list({}, shelf(120), 120)).toMatchObject({ listed: 120, more: false });
  expect(await list({}, shelf(0), 20)).toEqual({ ids: [], listed: 0, unreadable: 0, more: false });
});

test('behavior: a service that returns more or less than requested', async () => {
  expect(await list({}, shelf(30, 7), 20)).toMatchObject({ listed: 20, more: true });
  const generous = { page: async () => ({ entries: [entry(1), entry(2)], continuation: undefined }) };
  expect(await list({}, generous, 1)).toEqual({ ids: ['0x1'], listed: 1, unreadable: 0, more: true });
});

test.each<[string, (query: RequestQuery) => Page, number]>([
  ['the same cursor twice', () => ({ entries: [entry(1)], continuation: 'a' }), 2],
  [
    'cursors in a circle',
    ({ continuation }) => ({ entries: [entry(1)], continuation: continuation === 'a' ? 'b' : 'a' }),
    3,
  ],
  [
    'empty pages without an end',
    ({ continuation }) => ({ entries: [], continuation: String(Number(continuation ?? 0) + 1) }),
    0,
  ],
])('error: %s', async (_, answer, listed) => {
  const error = await failure(list({}, { page: async (query) => answer(query) }));
  expect(error).toMatchObject({ code: 'service.malformed' });
  expect(facts(error).listed).toBe(`${listed} requests before the error`);
});

test.each<[RequestQuery, string | undefined]>([
  [{}, `Wait. To continue from there, add --until ${createdAt}.`],
  [{ sortDirection: 'asc' }, `Wait. To continue from there, add --since ${createdAt}.`],
  [{ sortBy: 'amountUsd' }, 'Wait.'],
])('error: a failure between two pages says how many were listed, sorted by %j', async (query, hint) => {
  const source = shelf(120);
  const limited = new BaseError('service.rate-limited', 'Too many.', { hint: 'Wait.', httpStatus: 429 });
  const failing = {
    page: async (asked: RequestQuery) => {
      if (asked.continuation === '100') throw limited;
      return source.page(asked);
    },
  };
  const error = await failure(list(query, failing));
  expect(error).toMatchObject({ code: 'service.rate-limited', retryable: true, httpStatus: 429, hint });
  expect(facts(error).listed).toBe('100 requests before the error');
  expect(await failure(list({ continuation: '100' }, failing))).toBe(limited);
});
