import { describe, expect, test } from 'vitest';
import * as Authorization from '../../../../src/core/api/schema/Authorization.js';
import { decode, problems } from '../../../support/problems.js';

const authorization = { chainId: 1, address: `0x${'11'.repeat(20)}`, nonce: 0, yParity: 1, r: '0x1', s: '0x2' };

describe('schema', () => {
  test('default', () => {
    expect(decode(Authorization.schema, authorization)).toEqual(authorization);
  });

  test.each(Object.keys(authorization))('error: no %s', (key) => {
    const rest: Record<string, unknown> = { ...authorization };
    delete rest[key];
    expect(problems(Authorization.schema, rest)).toEqual([expect.stringMatching(`^${key}: missing`)]);
  });

  test('error: a malformed address, an unknown field', () => {
    expect(problems(Authorization.schema, { ...authorization, address: '0x11', v: 27 })).toEqual([
      'address: expected an address (0x and 40 hexadecimal digits)',
      'v: unknown field',
    ]);
  });
});
