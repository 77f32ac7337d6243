import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import * as Announcements from '../../../src/core/batch/Announcements.js';
import { collect } from '../../support/collect.js';

test('among: what is said comes at once, between the values', async () => {
  const beside = Announcements.create<string>();
  async function* source() {
    yield 1;
    beside.say('a');
    beside.say('b');
    await turn();
    yield 2;
    await turn();
    beside.say('c');
    await turn();
    yield 3;
  }
  expect(await collect(beside.among(source()))).toEqual([1, 'a', 'b', 2, 'c', 3]);
});

test('among: what is said before an error comes before it', async () => {
  const seen: unknown[] = [];
  const beside = Announcements.create<string>();
  async function* source() {
    beside.say('a');
    await turn();
    if (seen.length > 0) throw new Error('end');
    yield 1;
  }
  const reading = (async () => {
    for await (const value of beside.among(source())) seen.push(value);
  })();
  await expect(reading).rejects.toThrow('end');
  expect(seen).toEqual(['a']);
});

test('among: a reader that stops ends the source', async () => {
  const beside = Announcements.create<string>();
  let isEnded = false;
  async function* source() {
    try {
      for (let value = 0; ; value++) yield value;
    } finally {
      isEnded = true;
    }
  }
  for await (const value of beside.among(source())) if (value === 2) break;
  expect(isEnded).toBe(true);
});
