import { describe, expect, test } from 'vitest';
import * as PanicCode from '../../../src/core/trace/PanicCode.js';

describe('words', () => {
  test.each([0x00, 0x01, 0x11, 0x12, 0x21, 0x22, 0x31, 0x32, 0x41, 0x51])(
    'default: %d has its own description',
    (number) => {
      const all = [0x00, 0x01, 0x11, 0x12, 0x21, 0x22, 0x31, 0x32, 0x41, 0x51].map((each) =>
        PanicCode.words(BigInt(each)),
      );
      expect(all.filter((each) => each === PanicCode.words(BigInt(number)))).toHaveLength(1);
      expect(PanicCode.words(BigInt(number))).not.toBe('unknown');
    },
  );
  test('behavior: any other code is unknown', () => {
    expect(PanicCode.words(2n ** 255n)).toBe('unknown');
  });
});

describe('code', () => {
  test.each([
    [1n, '0x01'],
    [0x51n, '0x51'],
    [0x1234n, '0x1234'],
  ])('default: %d is %s', (number, text) => {
    expect(PanicCode.code(number)).toBe(text);
  });
});
