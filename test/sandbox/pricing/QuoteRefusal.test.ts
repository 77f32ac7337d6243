import { describe, expect, test } from 'vitest';
import * as ErrorBody from '../../../src/core/api/ErrorBody.js';
import { RefusalError } from '../../../src/sandbox/pricing/QuoteRefusal.js';

describe('RefusalError', () => {
  test('default', () => {
    const error = new RefusalError('AMOUNT_TOO_LOW', 'The fees exceed the input amount');
    expect(error).toMatchObject({
      message: 'The fees exceed the input amount',
      status: 400,
      body: { message: 'The fees exceed the input amount', errorCode: 'AMOUNT_TOO_LOW' },
    });
    expect(ErrorBody.refusal.parse(error.body)).toEqual(error.body);
  });

  test.each(['UNAUTHORIZED', 'UNAUTHORIZED_QUOTE'] as const)('behavior: %s is a 401', (code) => {
    expect(new RefusalError(code, 'Please provide an api key').status).toBe(401);
  });
});
