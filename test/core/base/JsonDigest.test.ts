import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as JsonDigest from '../../../src/core/base/JsonDigest.js';

test('default: ignores key order and undefined members', () => {
  expect(JsonDigest.of({ a: 1, b: [{ c: 'x', d: null }] })).toBe(
    JsonDigest.of({ b: [{ d: null, c: 'x', e: undefined }], a: 1 }),
  );
});
test('behavior: different content has a different digest', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      const sorted = (value: unknown): string =>
        JSON.stringify(value, (_, each) =>
          typeof each === 'object' && each !== null && !Array.isArray(each)
            ? Object.fromEntries(Object.entries(each).sort(([x], [y]) => (x < y ? -1 : 1)))
            : each,
        );
      expect(JsonDigest.of(a) === JsonDigest.of(b)).toBe(sorted(a) === sorted(b));
    }),
  );
});
