import { describe, expect, test } from 'vitest';
import * as NonceRule from '../../../src/core/execution/NonceRule.js';
import type { Turn } from '../../../src/core/ports/Ports.js';

test.each([
  [undefined, 0n, undefined],
  [undefined, 3n, { from: 0n, to: 3n }],
  [5n, 5n, undefined],
  [5n, 7n, { from: 5n, to: 7n }],
  // Signed and not mined yet, or a chain that was reset.
  [5n, 4n, undefined],
] as const)('gap: known %s, next %s', (known, next, expected) => {
  expect(NonceRule.gap(known, next)).toEqual(expected);
});

describe('use and assertNext', () => {
  const used: [bigint, string | undefined][] = [];
  const turn: Turn = {
    known: () => 5n,
    use: (next, sequence) => used.push([next, sequence]),
    commit: async () => {},
    release: () => {},
  };
  const place = { turn, owner: '0xaa', chain: 'base' };

  test('default: the nonces are recorded before they are used, and not by asking for the next', () => {
    NonceRule.assertNext(place, 5n);
    NonceRule.use(place, 5n);
    NonceRule.use(place, 4n, { sequence: 'x' });
    expect(used).toEqual([
      [6n, undefined],
      [5n, 'x'],
    ]);
  });

  test.each([NonceRule.use, NonceRule.assertNext])('error: others have used one since', (act) => {
    expect(() => act(place, 6n)).toThrow(
      expect.objectContaining({ code: 'run.foreign-nonce', exit: 2, next: 'ferry runs reconcile base' }),
    );
  });
});

test('format', () => {
  expect(NonceRule.format({ from: 4n, to: 5n })).toBe('nonce 4');
  expect(NonceRule.format({ from: 4n, to: 7n })).toBe('nonces 4 to 6');
});
