import { expect, test } from 'vitest';
import { lost, lostText, toLost } from '../../../src/commands/sandbox/lostState.js';

test('toLost', () => {
  const data = toLost({ instance: 'ab', atMs: 0, why: 'is damaged' });
  expect(lost.parse(data)).toEqual({ instance: 'ab', at: '1970-01-01T00:00:00.000Z', why: 'is damaged' });
  expect([toLost(null), toLost(undefined)]).toEqual([null, null]);
});

test('lostText', () => {
  expect(lostText({ instance: 'ab', at: '', why: 'is damaged' })).toBe(
    'The state of the instance ab is damaged. Its requests, balances and transactions are gone; runs that were made on it say so.',
  );
  expect(lostText({ instance: null, at: '', why: 'is incomplete' })).toContain('The state before is incomplete.');
});
