import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { HttpError } from '../../../src/sandbox/http/HttpError.js';
import { fromQuery, read, readBody } from '../../../src/sandbox/http/validation.js';
import { thrownBy } from '../../support/thrown.js';

const schema = z.strictObject({
  id: z.int(),
  name: z.string(),
  flag: z.optional(z.boolean()),
  tags: z.optional(z.array(z.string())),
  inner: z.optional(z.strictObject({ count: z.int().check(z.minimum(1)) })),
});

describe('read', () => {
  test('behavior: coerces types and drops unknown properties at any depth', () => {
    const input = { id: '1', name: 2, flag: 'true', tags: 'one', inner: { count: '3', more: 1 }, more: {} };
    const before = structuredClone(input);
    expect(read(schema, 'body', input)).toEqual({ id: 1, name: '2', flag: true, tags: ['one'], inner: { count: 3 } });
    expect(input).toEqual(before);
  });

  test("behavior: coerces null to the type's empty value", () => {
    expect(read(schema, 'body', { id: 1, name: null, flag: null })).toEqual({ id: 1, name: '', flag: false });
  });

  test.each([
    [{ name: 'x' }, "body must have required property 'id'"],
    [{ id: 'x' }, "body must have required property 'name'"],
    [{ id: 'x', name: '' }, 'body/id must be number'],
    [{ id: 1, name: 'x', inner: {} }, "body/inner must have required property 'count'"],
    [{ id: 1, name: 'x', inner: { count: 0 } }, 'body/inner/count must be >= 1'],
    [{ id: 1, name: 'x', tags: [{}] }, 'body/tags/0 must be string'],
    [1, 'body must be object'],
    [null, 'body must be object'],
  ])('error: %j', (input, message) => {
    expect(thrownBy(HttpError, () => read(schema, 'body', input))).toMatchObject({
      status: 400,
      body: { code: 'FST_ERR_VALIDATION', message },
    });
  });
});

describe('fromQuery', () => {
  test('default: a repeated name becomes an array', () => {
    expect(fromQuery(new URLSearchParams('a=1&b=2&b=3&c='))).toEqual({ a: '1', b: ['2', '3'], c: '' });
  });

  test('behavior: no name can reach the prototype', () => {
    const query = fromQuery(new URLSearchParams('__proto__=x'));
    expect(Object.getPrototypeOf(query)).toBe(Object.prototype);
    expect(Object.keys(query)).toEqual(['__proto__']);
  });
});

function post(
  body: string | ReadableStream,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Request {
  return new Request('http://localhost/', { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
}

describe('readBody', () => {
  test('default', async () => {
    expect(await readBody(post('{"a":"ü"}'))).toEqual({ a: 'ü' });
    expect(await readBody(post('1', { 'content-type': 'Application/JSON; charset=utf-8' }))).toBe(1);
  });

  test.each([
    ['{"a":', 'application/json', 400, 'FST_ERR_CTP_INVALID_JSON_BODY'],
    ['', 'application/json', 400, 'FST_ERR_CTP_EMPTY_JSON_BODY'],
    ['{}', 'text/plain', 415, 'FST_ERR_CTP_INVALID_MEDIA_TYPE'],
    [`"${'x'.repeat(1 << 20)}"`, 'application/json', 413, 'FST_ERR_CTP_BODY_TOO_LARGE'],
  ])('error: %.10s as %s', async (body, type, status, code) => {
    await expect(readBody(post(body, { 'content-type': type }))).rejects.toMatchObject({ status, body: { code } });
  });

  test('error: a body that says that it is too long is not read', async () => {
    const request = post('{}', { 'content-type': 'application/json', 'content-length': '9999999' });
    await expect(readBody(request)).rejects.toMatchObject({ status: 413 });
  });

  test('error: stops reading a body of unknown length at the limit', async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(65_536));
      },
    });
    await expect(readBody(post(endless))).rejects.toMatchObject({ status: 413 });
    expect(pulled).toBeLessThan(30);
  });
});
