import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as JournalCaps from '../../../src/core/tracking/JournalCaps.js';

const amount = fc.option(fc.bigInt({ min: 0n, max: 2n ** 256n }), { nil: undefined });

describe('toCaps', () => {
  test('default: what was written is read as it was, whatever its size', () => {
    fc.assert(
      fc.property(
        fc.record({
          maxImpactBps: fc.nat(10_000),
          maxAgeMs: fc.nat(),
          maxFeeUsd: amount,
          minOut: amount,
          maxIn: amount,
          maxVenueFee: amount,
        }),
        (caps) => {
          const text = JSON.stringify(JournalCaps.from(caps));
          expect(JournalCaps.toCaps(JournalCaps.schema.parse(JSON.parse(text)))).toEqual(caps);
        },
      ),
    );
  });
});
