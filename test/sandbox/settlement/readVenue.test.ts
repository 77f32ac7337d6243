import { describe, expect, test } from 'vitest';
import { readVenue, venueDescription } from '../../../src/sandbox/settlement/readVenue.js';
import { createVenue } from '../../../src/sandbox/venue/createVenue.js';

const venue = createVenue({ clock: Date.now, instance: 'test' });

describe('readVenue', () => {
  test('default: the named accounts with their fees', () => {
    const read = readVenue(venue, ['100', '106', '4711', undefined, '0x12', '100']);
    expect(read.accounts).toEqual([
      { index: '100', balance: 10_000_000_000n, transferFee: 3_000_000n, activationFee: 0n },
      { index: '106', balance: 0n, transferFee: 3_000_000n, activationFee: 1_000_000n },
      { index: '7', balance: 100_000_000_000_000n, transferFee: 0n, activationFee: 0n },
    ]);
    expect(read.tokens[0]).toMatchObject({ symbol: 'USDC (Perp)', asset: 'USDC', solverBalance: 100_000_000_000_000n });
  });
});

describe('venueDescription', () => {
  test("default: the client network's, with the venue's service account", () => {
    expect(venueDescription).toMatchObject({ vm: 'lvm', id: 3586256, slug: 'lighter', minTransfer: 1_000_000n });
    expect(venueDescription.relayer).toBe(String(venue.relayerIndex));
  });
});
