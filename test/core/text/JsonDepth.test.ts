import { expect, test } from 'vitest';
import * as JsonDepth from '../../../src/core/text/JsonDepth.js';

const lists = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

test.each([200, 201, 20_000])('default: %d levels', (depth) => {
  for (const text of [lists(depth), objects(depth)]) expect(JsonDepth.isTooDeep(text)).toBe(depth > 200);
});

test('behavior: what is beside each other, or in a string, is not deep', () => {
  expect(JsonDepth.isTooDeep(`[${'[],{},'.repeat(1_000)}0]`)).toBe(false);
  expect(JsonDepth.isTooDeep(JSON.stringify({ a: lists(9_000).slice(0, 9_000), b: `"\\${'{'.repeat(9_000)}` }))).toBe(
    false,
  );
  expect(JsonDepth.isTooDeep('')).toBe(false);
});
