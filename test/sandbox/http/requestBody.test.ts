import { describe, expect, test } from 'vitest';
import { readBody } from '../../../src/sandbox/http/validation.js';

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

  test('error: content-length above the limit', async () => {
    const request = post('{}', { 'content-type': 'application/json', 'content-length': '9999999' });
    await expect(readBody(request)).rejects.toMatchObject({ status: 413 });
  });
});
