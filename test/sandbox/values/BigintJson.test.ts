import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as BigintJson from '../../../src/sandbox/values/BigintJson.js';

describe('from', () => {
  test('default', () => {
    expect(BigintJson.from({ a: 12n, b: [1, 'x', null, true], c: undefined })).toEqual({
      a: { $bigint: '12' },
      b: [1, 'x', null, true],
    });
  });

  test.each([[() => 1], [Number.NaN], [Symbol('x')]])('error: values that JSON cannot represent', (value) => {
    expect(() => BigintJson.from({ value })).toThrow(TypeError);
  });
});

describe('toValue', () => {
  test('behavior: round trip through text', () => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.bigInt(),
        fc.integer(),
        fc.string(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value')),
        fc.dictionary(
          fc.string().filter((name) => name !== '$bigint' && name !== '__proto__'),
          tie('value'),
        ),
      ),
    }));
    fc.assert(
      fc.property(value, (saved) => {
        const text = JSON.stringify(BigintJson.from(saved));
        expect(BigintJson.toValue(JSON.parse(text))).toEqual(saved);
      }),
    );
  });
});
