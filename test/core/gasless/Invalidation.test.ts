import { describe, expect, test } from 'vitest';
import * as Invalidation from '../../../src/core/gasless/Invalidation.js';

const planOf = (primaryType: string) =>
  ({
    permits: [{ typed: { primaryType } }],
    quote: { input: 10_000_000n },
    intent: { origin: { token: { symbol: 'USDC', decimals: 6 }, chain: { name: 'alpha' } } },
  }) as never;

test.each([
  ['signed-batch', '', true],
  ['signed-permit', 'TransferWithAuthorization', true],
  ['signed-permit', 'ReceiveWithAuthorization', true],
  ['signed-permit', 'Permit', true],
  ['signed-permit', 'PermitBatchWitnessTransferFrom', false],
  ['signed-permit', 'Anything', false],
])('isPossible: %s %s', (type, primaryType, expected) => {
  expect(Invalidation.isPossible({ type } as never, planOf(primaryType))).toBe(expected);
});

describe('question', () => {
  const now = Date.UTC(2026, 10, 22, 14, 25);
  test('default: what is at stake and until when, unless that has passed', () => {
    const asked = (untilMs: number) => Invalidation.question(planOf('Permit'), untilMs, now);
    expect(asked(now + 6 * 60_000)).toBe(
      'Make void what was signed for 10 USDC on alpha, which is valid until 14:31Z? The account pays the gas of a transaction.',
    );
    expect(asked(now - 1)).not.toContain('valid until');
  });
});
