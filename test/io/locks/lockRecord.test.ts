import { describe, expect, test } from 'vitest';
import * as lockRecord from '../../../src/io/locks/lockRecord.js';
import { lockElsewhere, lockOf } from '../../support/locks.js';

describe('read', () => {
  test('default', () => {
    const own = lockRecord.own('0123456789ab', true);
    expect(lockRecord.read(JSON.stringify(own))).toEqual(own);
    expect(lockRecord.isOwn(own)).toBe(true);
  });

  test.each([
    '',
    'null',
    '[]',
    '{}',
    '{"pid":1,"startTime":"1"}',
    lockOf().replace('0123456789ab', '../../etc'),
    lockElsewhere().replace('web-2', '\\u001b[2Jweb'),
  ])('behavior: invalid: %s', (text) => {
    expect(lockRecord.read(text)).toBeUndefined();
  });
});
