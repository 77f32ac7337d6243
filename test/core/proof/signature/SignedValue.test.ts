import { describe, expect, test } from 'vitest';
import * as SignedValue from '../../../../src/core/proof/signature/SignedValue.js';
import { decode, problems } from '../../../support/problems.js';

describe('uint256', () => {
  test('default', () => {
    expect(decode(SignedValue.uint256, '60000000')).toBe(60_000_000n);
    expect(decode(SignedValue.uint256, 60_000_000)).toBe(60_000_000n);
    expect(decode(SignedValue.uint256, String(2n ** 256n - 1n))).toBe(2n ** 256n - 1n);
  });

  test.each([
    '',
    ' 1',
    '0x10',
    '1.5',
    '1e3',
    '-1',
    -1,
    0.5,
    2 ** 53,
    null,
    true,
    [],
    String(2n ** 256n),
    '9'.repeat(79),
  ])('error: %j', (value) => {
    expect(problems(SignedValue.uint256, value)).toHaveLength(1);
  });
});

describe.each([
  ['address', SignedValue.address, 20],
  ['bytes32', SignedValue.bytes32, 32],
] as const)('%s', (_, schema, size) => {
  test('default: in lower case', () => {
    expect(decode(schema, `0x${'Ab'.repeat(size)}`)).toBe(`0x${'ab'.repeat(size)}`);
  });

  test.each([
    `0x${'ab'.repeat(size - 1)}`,
    `0x${'ab'.repeat(size)}00`,
    'ab'.repeat(size),
    `0x${'gg'.repeat(size)}`,
    '0x',
    1,
  ])('error: %j', (value) => {
    expect(problems(schema, value)).toHaveLength(1);
  });
});

describe('bytes', () => {
  test.each(['', '0xa', '0x0g', '0x12...', 1])('error: %j', (value) => {
    expect(problems(SignedValue.bytes, value)).toHaveLength(1);
  });
});
