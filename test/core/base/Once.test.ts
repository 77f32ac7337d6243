import { describe, expect, test } from 'vitest';
import { once, onceEach } from '../../../src/core/base/Once.js';

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

describe('onceEach', () => {
  test('default: each key is made once, until there are too many', async () => {
    const made: string[] = [];
    const of = onceEach(async (key: string) => made.push(key), 2);
    await Promise.all(['a', 'a', 'b'].map(of));
    expect(made).toEqual(['a', 'b']);
    await of('c');
    await of('a');
    expect(made).toEqual(['a', 'b', 'c', 'a']);
  });

  test('behavior: what failed is tried again', async () => {
    let attempts = 0;
    const of = onceEach(async (key: string) => {
      attempts++;
      if (attempts === 1) throw new Error(key);
      return key;
    });
    await expect(of('a')).rejects.toThrow('a');
    expect(await of('a')).toBe('a');
  });
});
