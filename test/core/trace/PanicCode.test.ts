import { expect, test } from 'vitest';
import * as PanicCode from '../../../src/core/trace/PanicCode.js';

test.each([0x00, 0x01, 0x11, 0x12, 0x21, 0x22, 0x31, 0x32, 0x41, 0x51])(
  'words: %d has its own description',
  (number) => {
    const all = [0x00, 0x01, 0x11, 0x12, 0x21, 0x22, 0x31, 0x32, 0x41, 0x51].map((each) =>
      PanicCode.words(BigInt(each)),
    );
    expect(all.filter((each) => each === PanicCode.words(BigInt(number)))).toHaveLength(1);
    expect(PanicCode.words(BigInt(number))).not.toBe('unknown');
  },
);
