import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as FlatJson from '../../src/venue/FlatJson.js';
import { anyText } from '../support/anyText.js';

describe('from', () => {
  test('default', () => {
    const text = ' {"a" : 1,\n"b":"x\\/\\u002B\\"","c":[ 1 , -2,3],"d":null,"e":[], "":9007199254740993\t} \r\n';
    expect([...FlatJson.from(text)]).toEqual([
      ['a', 1n],
      ['b', 'x/+"'],
      ['c', [1n, -2n, 3n]],
      ['d', null],
      ['e', []],
      ['', 9007199254740993n],
    ]);
  });

  test('behavior: accepts what JSON.parse accepts, without rounding', () => {
    const integer = fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n });
    const value = fc.oneof(integer, anyText(), fc.constant(null), fc.array(integer));
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.string(), value), { selector: ([key]) => key, minLength: 1 }),
        (members) => {
          const written = (each: FlatJson.Value): string => {
            if (typeof each === 'bigint') return String(each);
            return each === null || typeof each === 'string' ? JSON.stringify(each) : `[${each.join(', ')}]`;
          };
          const text = `{${members.map(([key, each]) => `${JSON.stringify(key)}: ${written(each)}`).join()}}`;
          expect([...FlatJson.from(text)]).toEqual(members);
        },
      ),
    );
  });

  test.each([
    ['', 'it is not a flat object'],
    ['null', 'it is not a flat object'],
    ['{}', 'it is not a flat object'],
    ['[1]', 'it is not a flat object'],
    ['{a:1}', 'it is not a flat object'],
    ['{"a":1,}', 'it is not a flat object'],
    ['{"a\\x":1}', 'it is not a flat object'],
    ['{"a":1}}', 'there is text after the object'],
    ['{"a":1}{"a":1}', 'there is text after the object'],
    ['{"a":1,"a":1}', 'it is duplicated'],
    ['{"a":1,"\\u0061":2}', 'it is duplicated'],
    ...[
      '1.0',
      '1e3',
      '01',
      '-',
      '+1',
      'true',
      '{}',
      '{"b":1}',
      '[[1]]',
      '["x"]',
      '[1,]',
      '"x',
      '"\\x"',
      '"\n"',
      '1 2',
      '',
    ].map((value): [string, string] => [
      `{"a":${value}}`,
      'its value is not a string, an integer, a list of integers or null',
    ]),
  ])('error: %j', (text, reason) => {
    expect(() => FlatJson.from(text)).toThrow(
      expect.objectContaining({ code: 'sign.failed', facts: expect.arrayContaining([['reason', reason]]) }),
    );
  });

  test('error: anything but JSON of this form', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        try {
          const members = FlatJson.from(text);
          expect(Object.keys(JSON.parse(text))).toHaveLength(members.size);
        } catch (error) {
          expect(error).toMatchObject({ code: 'sign.failed' });
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('behavior: rejects a long invalid text quickly', () => {
    for (const text of [
      `{"a":[${'1 '.repeat(1e5)}`,
      `{"a":"${'\\'.repeat(1e5)}`,
      `{${' '.repeat(1e5)}`,
      `{"a":[${'1,'.repeat(1e5)}`,
    ])
      expect(() => FlatJson.from(text)).toThrow('The signed transaction cannot be parsed.');
  });
});
