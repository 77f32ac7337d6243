import { describe, expect, test } from 'vitest';
import * as Memo from '../../src/venue/Memo.js';
import { failure } from '../support/workbench.js';

const digits = '961eea24786419e1762795f731bab0c443584f06875d881b1873673b084a20f4';

describe('read', () => {
  test.each([
    [`0x${digits}`, `0x${digits}`],
    [`0x${digits.toUpperCase()}`, `0x${digits}`],
    [digits, `0x${digits}`],
    ['0x', `0x${'00'.repeat(32)}`],
    ['0xAB01', `0xab01${'00'.repeat(30)}`],
    ['0xabc', `0xabc${'0'.repeat(61)}`],
  ])('default: %s', (text, memo) => {
    expect(Memo.read(text)).toBe(memo);
  });

  test.each([
    '',
    'a memo of thirty-two characters.',
    digits.slice(2),
    `${digits}00`,
    `0x${digits}00`,
    '0xzz',
    `0X${digits}`,
    ` 0x${digits}`,
    `0x${digits}\n`,
    `${digits}\n`,
  ])('behavior: %j is not a memo', (text) => {
    expect(Memo.read(text)).toBeUndefined();
  });
});

describe('from', () => {
  test('default', () => {
    expect(Memo.from(digits)).toBe(`0x${digits}`);
  });

  test('error: a text', async () => {
    const error = await failure('quote.unsupported-step', () => Memo.from('thank you'));
    expect(error.exit).toBe(5);
  });
});
