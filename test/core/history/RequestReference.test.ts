import { describe, expect, test } from 'vitest';
import type { RequestDocument } from '../../../src/core/history/RequestDocument.js';
import type { RequestQuery } from '../../../src/core/history/RequestQuery.js';
import * as RequestReference from '../../../src/core/history/RequestReference.js';
import type { RequestSource } from '../../../src/core/history/RequestSource.js';
import * as Journal from '../../../src/core/tracking/Journal.js';
import type { RunRecord } from '../../../src/core/tracking/RunStore.js';
import { call, intent } from '../../support/journals.js';

const id = `0x${'17'.repeat(32)}`;
const other = `0x${'18'.repeat(32)}`;
const hash = `0x${'5a'.repeat(32)}`;
const venueHash = '5b'.repeat(40);

function document(requestId: string, ...hashes: string[]): RequestDocument {
  const transactions = hashes.map((each) => ({ hash: each }));
  return { requestId, orderId: null, status: 'success', transactions } as unknown as RequestDocument;
}

/** Records that return everything they have, whatever the query. */
function source(...documents: RequestDocument[]): RequestSource & { asked: RequestQuery[] } {
  const asked: RequestQuery[] = [];
  return {
    asked,
    version: () => 'v3',
    async page(query) {
      asked.push(query);
      return { entries: documents.map((request) => ({ ok: true, request })), continuation: undefined };
    },
  };
}

describe('assert', () => {
  test.each([[id], [id.slice(2)], [venueHash], [`0x${venueHash}`], ['5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d']])(
    'default: %s',
    (name) => expect(() => RequestReference.assert(name)).not.toThrow(),
  );

  test.each([[''], ['not an id'], ['0x17\u001b[2J17171717']])('error: %j is none', (name) =>
    expect(() => RequestReference.assert(name)).toThrow(/is not a request id, order id, transaction hash or run/),
  );

  test.each([
    ['0x12345678', 8],
    [id.slice(0, 64), 62],
    [`${id}00`, 66],
    [id.slice(2, 50), 48],
  ])('error: %s has %i digits', (name, count) =>
    expect(() => RequestReference.assert(name)).toThrow(`has ${count} hexadecimal digits, and not 64`),
  );

  test('error: an address is not a request, but has requests', () => {
    expect(() => RequestReference.assert(`0x${'ab'.repeat(20)}`)).toThrow(/is an address/);
  });
});

test.each([
  ['20261121-093000-1f2e3d', true],
  ['093000-1f2e3d', true],
  ['-1f2e3d', true],
  ['3d', true],
  [id, false],
  ['0x1f2e3d', false],
  ['', false],
  ['not-a-name', false],
  ['120261121-093000-1f2e3d', false],
])('isOfRun: %j %j', (name, isOfRun) => {
  expect(RequestReference.isOfRun(name)).toBe(isOfRun);
});

describe('ofRun', () => {
  const record = (entries: readonly Journal.Entry[], isHeld = false): RunRecord => {
    const state = Journal.from(entries);
    return { id: state.run, lines: [], state, updatedAt: 0, problem: undefined, isOwn: true, isHeld };
  };

  test('default: for a call, the accepted request, else the one named in its body', () => {
    expect(RequestReference.ofRun(record(call.slice(0, 3)))).toBe('0x02');
    const named: Journal.Entry = { type: 'call', request: { requestId: '0x03' } };
    expect(RequestReference.ofRun(record([...call.slice(0, 1), named]))).toBe('0x03');
    expect(() => RequestReference.ofRun(record(call.slice(0, 2)))).toThrow(
      expect.objectContaining({ code: 'submit.unknown', funds: 'unknown', next: `ferry resume ${intent.run}` }),
    );
  });

  test('error: no request yet, or none at all', () => {
    expect(() => RequestReference.ofRun(record([intent], true))).toThrow(
      expect.objectContaining({ code: 'run.busy', next: `ferry runs show ${intent.run}` }),
    );
    const ended: Journal.Entry = { type: 'outcome', status: 'x', funds: 'untouched', code: 'prompt.declined' };
    expect(() => RequestReference.ofRun(record([intent, ended]))).toThrow(
      expect.objectContaining({
        code: 'run.unsigned',
        funds: 'untouched',
        facts: [
          ['started', intent.summary],
          ['ended with', 'prompt.declined'],
        ],
      }),
    );
  });
});

test.each([
  [id, true],
  [venueHash, false],
  [`0x${venueHash}`, false],
])('isId: %s is %s', (name, expected) => expect(RequestReference.isId(name)).toBe(expected));

test('find: by its id with a single query; an error if several requests match', async () => {
  const records = source(document(other), document(id));
  expect((await RequestReference.find(id.toUpperCase().replace('0X', '0x'), records))?.requestId).toBe(id);
  expect(records.asked).toHaveLength(1);
  const found = RequestReference.find(hash, source(document(id, hash), document(other, hash)));
  const facts = [id, other].map((each) => ['success', each]);
  await expect(found).rejects.toMatchObject({ code: 'usage.invalid', facts });
});
