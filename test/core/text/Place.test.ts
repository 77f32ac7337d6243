import { expect, test } from 'vitest';
import * as Place from '../../../src/core/text/Place.js';

test('inWords: real money is named', () => {
  expect(Place.inWords({ name: 'mainnet', realMoney: true })).toBe('mainnet, real money');
  expect(Place.inWords({ name: 'sandbox', realMoney: false })).toBe('sandbox');
});

test('withName: the address in full, and the user’s name for it', () => {
  const place = { addressNames: new Map([['0x70997970c51812dc3a010c7d01b50e0d17dc79c8', 'ada']]) };
  const ada = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  expect([Place.nameOf(ada, place), Place.withName(ada, place)]).toEqual(['ada', `${ada} (ada)`]);
  expect([Place.nameOf(ada, undefined), Place.withName(ada, {})]).toEqual([undefined, ada]);
});
