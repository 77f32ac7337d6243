import { expect, test } from 'vitest';
import * as JsonKeys from '../../../src/core/text/JsonKeys.js';

test.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"amount":"1","to":{"x":1},"\\u0061mount" : "5"}', 'amount'],
  ['[{"a":1},{"b":[{"c":1,"d":"}","c":2}]}]', 'c'],
  ['{"":1,"":2}', ''],
  ['{"a\\"":1,"a\\"":2}', 'a"'],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
])('default: %s', (text, key) => {
  expect(JsonKeys.repeated(text)).toBe(key);
});

test('behavior: the same key of another object, and the same text as a value, are not repeated', () => {
  const whole = { a: { a: 'a' }, b: [{ a: '"a":' }, { a: '\\' }], c: ['a', 'a', '{"a":1,"a":1}'] };
  expect(JsonKeys.repeated(JSON.stringify(whole, null, 2))).toBeUndefined();
  for (const text of ['', '1', '"a"', '[]', '{}']) expect(JsonKeys.repeated(text)).toBeUndefined();
});
