import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { BaseError, entries } from '../../../src/core/base/Errors.js';
import { toJson } from '../../../src/core/text/ErrorReport.js';
import * as ErrorSchema from '../../../src/core/text/ErrorSchema.js';

describe('schema', () => {
  test.each(entries().map(([code]) => code))('default: an error of the code %s', (code) => {
    const failure = toJson(new BaseError(code, 'M.', { facts: [['a', 'b']], requestId: '0x01', httpStatus: 500 }));
    expect(z.parse(ErrorSchema.schema, failure)).toEqual(failure);
  });

  test('error: a code of no table', () => {
    const failure = toJson(new BaseError('usage.invalid', 'M.'));
    expect(z.safeParse(ErrorSchema.schema, { ...failure, code: 'usage.odd' }).success).toBe(false);
  });
});
