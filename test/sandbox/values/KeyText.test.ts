import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as BaseCodec from '../../../src/core/order/BaseCodec.js';
import * as KeyText from '../../../src/sandbox/values/KeyText.js';

describe('encode', () => {
  test('default', () => {
    expect(KeyText.encode(new Uint8Array(32))).toBe('1'.repeat(32));
    expect(KeyText.encode(Buffer.from('Hello World!'))).toBe('2NEpo7TZRRrLZSi2U');
  });
});

describe('decode', () => {
  test('default: what was encoded, as the client decodes it too', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40, minLength: 1 }), (bytes) => {
        const text = KeyText.encode(bytes);
        expect(Uint8Array.from(KeyText.decode(text) ?? [])).toEqual(bytes);
        expect(BaseCodec.decode(text, BaseCodec.bitcoin)).toEqual(bytes);
      }),
    );
  });

  test.each(['', '0', 'O', 'I', 'l', ' 2', '2'.repeat(91)])('error: "%s"', (text) => {
    expect(KeyText.decode(text)).toBeUndefined();
  });
});
