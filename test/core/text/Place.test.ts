import { expect, test } from 'vitest';
import * as Place from '../../../src/core/text/Place.js';

test('inWords: real money is named', () => {
  expect(Place.inWords({ name: 'mainnet', realMoney: true })).toBe('mainnet, real money');
  expect(Place.inWords({ name: 'sandbox', realMoney: false })).toBe('sandbox');
});
