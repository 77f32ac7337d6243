import { describe, expect, test } from 'vitest';
import { decode, toUtf8 } from '../../../src/io/files/textDecoding.js';
import { collect } from '../../support/collect.js';

const text = '{"a":"ä€"}\n{}\n';
const little = Buffer.from(text, 'utf16le');
const big = Buffer.from(little).swap16();
const mark = Buffer.from([0xfe, 0xff]);

const encodings: readonly (readonly [string, Buffer])[] = [
  ['UTF-8', Buffer.from(text)],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
  ['UTF-16 with a mark, as PowerShell writes it', Buffer.concat([Buffer.from(mark).swap16(), little])],
  ['UTF-16 of the other order with a mark', Buffer.concat([mark, big])],
  ['UTF-16 without a mark', little],
  ['UTF-16 of the other order without a mark', big],
];

describe('decode', () => {
  test.each(encodings)('default: %s', (_, bytes) => {
    expect(decode(bytes, { strict: true })).toBe(text);
  });

  test('behavior: less than two bytes', () => {
    expect(['', 'a'].map((each) => decode(Buffer.from(each)))).toEqual(['', 'a']);
  });

  test('error: bytes of another encoding', () => {
    expect(() => decode(Buffer.from([0x61, 0xe4]), { strict: true })).toThrow(TypeError);
    expect(decode(Buffer.from([0x61, 0xe4]))).toBe('a\ufffd');
  });
});

describe('toUtf8', () => {
  async function* by(size: number, bytes: Buffer): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }

  test.each(encodings)('default: %s, however it is cut', async (_, bytes) => {
    for (const size of [1, 2, 3, 100]) {
      const whole = Buffer.concat(await collect(toUtf8(by(size, bytes)))).toString();
      expect(whole.replace(/^\ufeff/, '')).toBe(text);
    }
  });

  test('behavior: one byte, and none', async () => {
    const decoded = async (bytes: string) => (await collect(toUtf8(by(1, Buffer.from(bytes))))).join('');
    expect([await decoded('a'), await decoded('')]).toEqual(['a', '']);
  });
});
