import { expect, test } from 'vitest';
import * as QuoteV1 from '../../../../src/core/api/foreign/QuoteV1.js';

test('default', () => {
  expect(QuoteV1.endpoint).toEqual({ method: 'POST', path: '/quote' });
});
