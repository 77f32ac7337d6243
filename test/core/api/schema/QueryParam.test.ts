import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import * as QueryParam from '../../../../src/core/api/schema/QueryParam.js';
import { decode, problems } from '../../../support/problems.js';

describe('integer', () => {
  test('default', () => {
    const schema = QueryParam.integer();
    fc.assert(
      fc.property(fc.nat(Number.MAX_SAFE_INTEGER), (value) => {
        expect(z.decode(schema, z.encode(schema, value))).toBe(value);
      }),
    );
  });

  test.each(['', '-1', '1.5', 'a', '9007199254740993'])('error: "%s"', (text) => {
    expect(problems(QueryParam.integer(), text)).toHaveLength(1);
  });

  test('error: outside the bounds', () => {
    const schema = QueryParam.integer({ minimum: 1, maximum: 50 });
    expect(problems(schema, '0')).toEqual(['expected at least 1']);
    expect(problems(schema, '51')).toEqual(['expected at most 50']);
    expect(decode(schema, '50')).toBe(50);
  });
});

describe('flag', () => {
  test('default', () => {
    expect(decode(QueryParam.flag, 'true')).toBe(true);
    expect(decode(QueryParam.flag, 'false')).toBe(false);
    expect(z.encode(QueryParam.flag, false)).toBe('false');
  });

  test('error: any other word', () => {
    expect(problems(QueryParam.flag, '1')).toEqual(['expected one of true, false']);
  });
});

describe('decimal', () => {
  test('default', () => {
    expect(decode(QueryParam.decimal, '10.50')).toBe('10.50');
    expect(problems(QueryParam.decimal, '-1')).toEqual(['expected a decimal number as a string']);
  });
});

describe('params', () => {
  test('behavior: omits absent parameters', () => {
    expect(QueryParam.params({ a: '1', b: undefined, c: '' })).toEqual([
      ['a', '1'],
      ['c', ''],
    ]);
  });
});
