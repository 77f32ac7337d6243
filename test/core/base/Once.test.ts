import { expect, test } from 'vitest';
import { once } from '../../../src/core/base/Once.js';

test('default: creates the value on first use, and once for those who ask together', async () => {
  let count = 0;
  const value = once(async () => ++count);
  expect([value.made(), count]).toEqual([undefined, 0]);
  expect(await Promise.all([value(), value()])).toEqual([1, 1]);
  expect(await value.made()).toBe(1);
});

test('error: a failure is kept too', async () => {
  let count = 0;
  const value = once(() => Promise.reject(new Error(String(++count))));
  await expect(value()).rejects.toThrow('1');
  await expect(value()).rejects.toThrow('1');
});
