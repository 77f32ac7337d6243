import { describe, expect, test } from 'vitest';
import { BaseError } from '../../src/core/base/Errors.js';
import * as PrivateKey from '../../src/venue/PrivateKey.js';

const digits = '0123456789abcdefABCD'.repeat(4);

describe('from', () => {
  test.each([digits, `0x${digits}`, digits.toUpperCase()])('default: %s', (text) => {
    const bytes = PrivateKey.from(text);
    expect(bytes).toHaveLength(40);
    expect([...bytes.subarray(0, 10)]).toEqual([0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0xab, 0xcd]);
  });

  test.each([
    ['', 'nothing'],
    [digits.slice(1), 'a digit less'],
    [`${digits}0`, 'a digit more'],
    [digits.slice(16), 'the length of an EVM key'],
    [`0X${digits}`, 'another prefix'],
    [`0x0x${digits}`, 'two prefixes'],
    [`${digits}\n`, 'a line end'],
    [` ${digits}`, 'a space'],
    [`${digits.slice(0, 79)}g`, 'another letter'],
  ])('error: %j, %s; does not reveal the text', (text) => {
    let thrown: unknown;
    try {
      PrivateKey.from(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(BaseError);
    if (!(thrown instanceof BaseError)) return;
    expect(thrown.code).toBe('auth.keystore');
    expect(JSON.stringify([thrown.message, thrown.facts, thrown.hint, thrown.cause])).not.toMatch(/[0-9a-f]{6}/i);
  });
});
