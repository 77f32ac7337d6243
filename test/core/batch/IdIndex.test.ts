import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as IdIndex from '../../../src/core/batch/IdIndex.js';

test('create: behaves like a map, whatever the ids are', () => {
  const entries = fc.array(fc.tuple(fc.string({ maxLength: 6 }), fc.nat()), { maxLength: 40 });
  fc.assert(
    fc.property(entries, fc.array(fc.string({ maxLength: 6 })), (stored, asked) => {
      const [index, map] = [IdIndex.create(), new Map<string, number>()];
      for (const [id, tag] of stored) {
        index.set(id, tag);
        map.set(id, tag);
      }
      expect(index.size).toBe(map.size);
      for (const id of [...map.keys(), ...asked]) expect(index.find(id)).toBe(map.get(id));
    }),
  );
});

test('create: finds each of many similar ids, and no other', () => {
  const index = IdIndex.create();
  const count = process.env.WHOLE ? 20_000 : 5_000;
  for (let id = 0; id < count; id++) index.set(`id-${id}`, id);
  expect(index.size).toBe(count);
  for (let id = 0; id < count; id++) if (index.find(`id-${id}`) !== id) throw new Error(`id-${id} is lost`);
  for (let id = count; id < 2 * count; id++)
    if (index.find(`id-${id}`) !== undefined) throw new Error(`id-${id} was never stored`);
});

test('add: stores what is new, and returns the tag of what is there', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 2 }), { maxLength: 60 }), (ids) => {
      const [index, map] = [IdIndex.create(), new Map<string, number>()];
      for (const [tag, id] of ids.entries()) {
        expect(index.add(id, tag)).toBe(map.get(id));
        if (!map.has(id)) map.set(id, tag);
      }
      expect(index.size).toBe(map.size);
      for (const id of ids) expect(index.find(id)).toBe(map.get(id));
    }),
  );
  const many = IdIndex.create();
  for (let id = 0; id < 5_000; id++) if (many.add(`id-${id}`, id) !== undefined) throw new Error(`id-${id} is there`);
  for (let id = 0; id < 5_000; id++) if (many.add(`id-${id}`, -1) !== id) throw new Error(`id-${id} is lost`);
});

test('tagOf: a whole number, and another one for each of many similar texts', () => {
  const tags = Array.from({ length: 10_000 }, (_, index) => IdIndex.tagOf(`0x${index.toString(16)}`));
  expect(new Set(tags).size).toBe(tags.length);
  expect(tags.every((tag) => Number.isSafeInteger(tag) && tag >= 0)).toBe(true);
  expect(IdIndex.tagOf('0x1')).toBe(tags[1]);
});
