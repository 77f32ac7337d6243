import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { BaseError, entries } from '../../../src/core/base/Errors.js';
import { toJson } from '../../../src/core/text/ErrorReport.js';
import * as ErrorSchema from '../../../src/core/text/ErrorSchema.js';

test.each(entries().map(([code]) => code))('schema: an error of the code %s', (code) => {
  const failure = toJson(new BaseError(code, 'M.', { facts: [['a', 'b']], requestId: '0x01', httpStatus: 500 }));
  expect(z.parse(ErrorSchema.schema, failure)).toEqual(failure);
});
