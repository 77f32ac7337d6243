import { describe, expect, test } from 'vitest';
import * as Calldata from '../../../src/sandbox/pricing/Calldata.js';
import * as Permit from '../../../src/sandbox/pricing/Permit.js';
import * as market from '../../support/market.js';
import * as published from '../../support/published.js';
import * as Shape from '../../support/shape.js';

const { alpha, user } = market;
const token = market.token(alpha, 'USDC');
const orderId = `0x${'0d'.repeat(32)}` as const;
const requestId = `0x17910346${'b9'.repeat(28)}` as const;

const purpose: Permit.Purpose = { contracts: alpha.contracts, user, token: token.address, orderId, requestId };
const permit = Permit.from(purpose, { amount: 5n, validUntil: 9n });
const made = Permit.toStep(permit, { chain: alpha, token, requestId, output: 'DAI' });

published.describePublished('toStep: published', () => {
  test("behavior: the service's format", () => {
    const { steps } = published.read('live/quote-permit-eip3009-1.json') as { steps: unknown[] };
    // The published answer lacks the texts and the check.
    const { action: _, description: __, ...ours } = made;
    const items = made.items.map(({ check: ___, ...item }) => item);
    expect(Shape.differences(Shape.from({ ...ours, items }), Shape.from(steps[0]))).toEqual([]);
    expect(Shape.differences(Shape.from(steps[0]), Shape.from({ ...ours, items }))).toEqual([]);
  });
});

describe('toCall', () => {
  test.each(['0x', '0x12', `${'0x'}${'11'.repeat(64)}`, `0x${'11'.repeat(66)}`] as const)(
    'error: %s is not a signature',
    (odd) => {
      expect(() => Permit.toCall(permit, odd, purpose)).toThrow();
    },
  );
});

test('metadataOf: the digits of the request id backwards, and a byte; nothing else is read as one', () => {
  const requestId = `0x${'12'.repeat(31)}34` as const;
  const metadata = `0x43${'21'.repeat(31)}00` as const;
  expect(Calldata.metadataOf(requestId)).toBe(metadata);
  expect(Calldata.requestIdOf(metadata)).toBe(requestId);
  for (const other of ['0x', requestId, `0x43${'21'.repeat(31)}01`] as const)
    expect(Calldata.requestIdOf(other)).toBe(undefined);
});
