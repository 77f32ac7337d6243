import { expect, test } from 'vitest';
import type * as RequestsV3 from '../../../src/core/api/RequestsV3.js';
import { BaseError } from '../../../src/core/base/Errors.js';
import * as Supersession from '../../../src/core/tracking/Supersession.js';

const { signal } = new AbortController();

/** Records in which each request was superseded by the one that the table names. */
function records(table: Readonly<Record<string, string | null>>, refuse?: () => BaseError) {
  let asked = 0;
  return {
    asked: () => asked,
    async requests({ id = '' }: RequestsV3.Query): Promise<RequestsV3.Response> {
      asked += 1;
      if (refuse) throw refuse();
      const supersededByRequestId = table[id];
      if (supersededByRequestId === undefined) return { requests: [], odd: [] };
      const record = { id: id.toUpperCase().replace('0X', '0x'), status: 'waiting', supersededByRequestId };
      return { requests: [record], odd: [] };
    },
  };
}

test('default', async () => {
  const succession = Supersession.from(records({ '0x0a': '0x0b', '0x0b': null }), signal);
  expect(await succession.successor('0x0a')).toBe('0x0b');
  expect(await succession.successor('0x0b')).toBeUndefined();
  expect(await succession.successor('0x0c')).toBeUndefined();
  expect(succession.superseded()).toEqual(['0x0a']);
});

test.each([['0x0A'], ['0x01; rm -rf ~'], ['']])('behavior: %j takes no place', async (by) => {
  expect(await Supersession.from(records({ '0x0a': by }), signal).successor('0x0a')).toBeUndefined();
});

test('behavior: a circle ends', async () => {
  const succession = Supersession.from(records({ '0x0a': '0x0b', '0x0b': '0x0A' }), signal);
  await succession.successor('0x0a');
  expect(await succession.successor('0x0b')).toBeUndefined();
});

test.each([
  ['auth.refused', undefined, 1],
  ['service.refused', 404, 1],
  ['service.unavailable', 503, 2],
] as const)('behavior: after %s with %j two questions reach the service %i times', async (code, httpStatus, asked) => {
  const refusing = records({}, () => new BaseError(code, 'no', { httpStatus }));
  const succession = Supersession.from(refusing, signal);
  for (const id of ['0x0a', '0x0a']) expect(await succession.successor(id)).toBeUndefined();
  expect(refusing.asked()).toBe(asked);
});

test('error: an abort', async () => {
  const stopped = new BaseError('prompt.declined', 'Stopped.');
  const refusing = records({}, () => stopped);
  await expect(Supersession.from(refusing, AbortSignal.abort(stopped)).successor('0x0a')).rejects.toBe(stopped);
});
