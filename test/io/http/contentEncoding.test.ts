import * as zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decode } from '../../../src/io/http/contentEncoding.js';

const text = Buffer.from('{"ok":true}');

describe('decode', () => {
  test('default', () => {
    expect(decode(text, undefined, 100)).toEqual({ body: text });
    expect(decode(zlib.gzipSync(text), 'gzip', 100)).toEqual({ body: text });
  });

  test('behavior: an empty body has nothing to undo', () => {
    expect(decode(Buffer.alloc(0), 'gzip', 100)).toEqual({ body: Buffer.alloc(0) });
  });

  test('behavior: the limit is for what was compressed', () => {
    const body = zlib.gzipSync(Buffer.alloc(1000));
    expect(decode(body, 'gzip', 1000)).toEqual({ body: Buffer.alloc(1000) });
    expect(decode(body, 'gzip', 999)).toEqual({ failed: 'too-large' });
  });

  test('behavior: zstd, where Node.js has it', () => {
    // Made by zstd 1.5 of this text.
    const body = Buffer.from('KLUv/QRYWQAAeyJvayI6dHJ1ZX1qvhPH', 'base64');
    const has = 'zstdDecompressSync' in zlib;
    expect(decode(body, 'zstd', 100)).toEqual(has ? { body: text } : { failed: 'unknown' });
  });

  test('error: what is not as the header says', () => {
    expect(decode(text, 'gzip', 100)).toEqual({ failed: 'damaged' });
    expect(decode(text, 'compress', 100)).toEqual({ failed: 'unknown' });
  });
});
