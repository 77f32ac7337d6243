import { expect, test } from 'vitest';
import * as BatchLineRef from '../../../src/core/tracking/BatchLineRef.js';

const at = (id: string) => ({ ledger: '/l', id, digest: '0x01' });

test.each([
  ['one transfer, twice', { key: 'a' }, { key: 'a' }, true],
  ['two transfers', { key: 'a' }, { key: 'b' }, false],
  ['a line and the same typed by hand', { key: 'a', line: at('1') }, { key: 'a' }, true],
  ['a line twice', { key: 'a', line: at('1') }, { key: 'a', line: { ...at('1'), ledger: '/other' } }, true],
  ['two lines that ask for the same', { key: 'a', line: at('1') }, { key: 'a', line: at('2') }, false],
])('isSame: %s', (_, a, b, expected) => {
  expect(BatchLineRef.isSame(a, b)).toBe(expected);
  expect(BatchLineRef.isSame(b, a)).toBe(expected);
});
