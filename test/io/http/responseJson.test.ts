import { expect, test } from 'vitest';
import * as Redaction from '../../../src/core/base/Redaction.js';
import { readJson } from '../../../src/io/http/responseJson.js';

const redact = Redaction.of(['hush-hush', '1234567890']);

test('behavior: masks secrets in strings, at any depth and in any escaping; undefined if not JSON', () => {
  const body = '{"a":[{"b":"x \\u0068ush-hush, hush\\u002dhush aHVzaC1odXNo"}],"n":1234567890,"s":"1234567890"}';
  expect(readJson(body, redact)).toEqual({ a: [{ b: 'x ***, *** ***' }], n: 1234567890, s: '***' });
  expect(readJson('hush-hush', redact)).toBeUndefined();
  expect(readJson(`${'['.repeat(9_000)}${']'.repeat(9_000)}`, redact)).toBeUndefined();
  expect(readJson(`[${'{},'.repeat(100_000)}{}]`, redact)).toBeUndefined();
});
