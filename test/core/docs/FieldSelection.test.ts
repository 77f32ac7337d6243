import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import * as FieldSelection from '../../../src/core/docs/FieldSelection.js';

const side = z.object({ amount: z.string(), usd: z.nullable(z.string()) });
const schema = z.union([
  z.object({ id: z.string(), minimum: side, steps: z.array(z.object({ to: z.string(), data: z.unknown() })) }),
  z.object({ batch: z.string(), extra: z.record(z.string(), z.object({ deep: z.int() })) }),
]);

function picked(text: string, value: unknown): string {
  return JSON.stringify(FieldSelection.pick(value, FieldSelection.read(text, schema)));
}

const document = {
  id: '1',
  minimum: { amount: '5', usd: null },
  steps: [
    { to: 'a', data: { x: 1 } },
    { to: 'b', data: 2 },
  ],
};

describe('pick', () => {
  test.each([
    ['id', '{"id":"1"}'],
    ['minimum,id', '{"minimum":{"amount":"5","usd":null},"id":"1"}'],
    ['minimum.amount, id', '{"minimum":{"amount":"5"},"id":"1"}'],
    ['minimum.usd,minimum.amount', '{"minimum":{"usd":null,"amount":"5"}}'],
    ['steps', '{"steps":[{"to":"a","data":{"x":1}},{"to":"b","data":2}]}'],
  ])('default: %s', (text, expected) => {
    expect(picked(text, document)).toBe(expected);
  });

  test('behavior: a field that the document does not have is null, and an inherited key is none', () => {
    expect(picked('id,batch,extra.x.deep', document)).toBe('{"id":"1","batch":null,"extra":null}');
    expect(picked('minimum.amount', { id: '1', minimum: null })).toBe('{"minimum":null}');
    expect(picked('extra.constructor', { extra: {} })).toBe('{"extra":{"constructor":null}}');
    const refusal = expect.objectContaining({ code: 'usage.invalid' });
    expect(() => FieldSelection.read('constructor', schema)).toThrow(refusal);
  });
});

test.each([
  ['minimun', 'minimun', 'Did you mean minimum?'],
  ['minimum.amont', 'minimum.amont', 'Did you mean minimum.amount?'],
  ['id.x', 'id.x', undefined],
  ['', '', undefined],
  ['id,', '', undefined],
])('read: error: %j', (text, named, hint) => {
  expect(() => FieldSelection.read(text, schema)).toThrow(
    expect.objectContaining({ code: 'usage.invalid', message: expect.stringContaining(`"${named}"`), hint }),
  );
});
