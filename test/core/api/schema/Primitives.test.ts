import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import * as Primitives from '../../../../src/core/api/schema/Primitives.js';

const takes = (schema: z.core.$ZodType, value: unknown) => z.safeParse(schema, value).success;

describe('digits', () => {
  test('default', () => {
    fc.assert(fc.property(fc.bigInt({ min: 0n }), (amount) => takes(Primitives.digits, amount.toString())));
  });

  test('behavior: accepts digits only', () => {
    fc.assert(fc.property(fc.string(), (text) => takes(Primitives.digits, text) === isDigits(text)));
    for (const text of ['', '-1', '+1', '1.0', '1e3', '0x1', ' 1', '1\n', '１'])
      expect(takes(Primitives.digits, text), text).toBe(false);
    expect(takes(Primitives.digits, 1)).toBe(false);
  });
});

describe('address', () => {
  test.each([
    ['default', `0x${'aB'.repeat(20)}`, true],
    ['behavior: too short', `0x${'a'.repeat(39)}`, false],
    ['behavior: too long', `0x${'a'.repeat(41)}`, false],
    ['behavior: no prefix', 'a'.repeat(40), false],
    ['behavior: not hexadecimal', `0x${'g'.repeat(40)}`, false],
    ['behavior: a line end', `0x${'a'.repeat(40)}\n`, false],
  ])('%s', (_, text, taken) => {
    expect(takes(Primitives.address, text)).toBe(taken);
  });
});

describe('bytes', () => {
  test.each([
    ['default', '0x00ff', true],
    ['behavior: none', '0x', true],
    ['behavior: half a byte', '0x0', false],
    ['behavior: no prefix', '00', false],
  ])('%s', (_, text, taken) => {
    expect(takes(Primitives.bytes, text)).toBe(taken);
  });
});

describe('bytes32', () => {
  test('default', () => {
    expect(takes(Primitives.bytes32, `0x${'0'.repeat(64)}`)).toBe(true);
    expect(takes(Primitives.bytes32, `0x${'0'.repeat(62)}`)).toBe(false);
  });
});

describe('count', () => {
  test('default', () => {
    expect(takes(Primitives.count, 0)).toBe(true);
    expect(takes(Primitives.count, Number.MAX_SAFE_INTEGER)).toBe(true);
  });

  test.each([-1, 1.5, 2 ** 53, Number.NaN, '1'])('error: %s', (value) => {
    expect(takes(Primitives.count, value)).toBe(false);
  });
});

describe('object', () => {
  test('behavior: keeps an unknown key', () => {
    expect(z.parse(Primitives.object({ a: z.string() }), { a: 'x', b: 1 })).toEqual({ a: 'x', b: 1 });
  });
});

describe('strictObject', () => {
  test('error: an unknown key', () => {
    expect(takes(Primitives.strictObject({ a: z.string() }), { a: 'x', b: 1 })).toBe(false);
  });
});

function isDigits(text: string): boolean {
  return text !== '' && [...text].every((character) => '0123456789'.includes(character));
}
