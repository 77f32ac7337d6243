import { describe, expect, test } from 'vitest';
import type * as FeeSponsorship from '../../../src/core/api/schema/FeeSponsorship.js';
import * as SponsoredFees from '../../../src/core/fees/SponsoredFees.js';

const usd = (amountUsd: string) => ({ amountUsd });
const part = (total: string, sponsored: string, userPays: string): FeeSponsorship.Component => ({
  selected: true,
  total: usd(total),
  sponsored: usd(sponsored),
  userPays: usd(userPays),
});

const phase: FeeSponsorship.Phase = {
  selectedComponents: ['execution', 'someword'],
  capHit: true,
  components: { execution: part('0.03', '0.02', '0.01'), someword: part('0.06', '0.06', '0') },
  sponsoredTotal: usd('0.08'),
  userPaysTotal: usd('0.01'),
};

describe('from', () => {
  test('default: each component, the platform under any name', () => {
    expect(SponsoredFees.from(phase)).toEqual({
      parts: [
        { component: 'execution', total: 30_000n, sponsored: 20_000n, userPays: 10_000n },
        { component: 'platform', total: 60_000n, sponsored: 60_000n, userPays: 0n },
      ],
      sponsored: 80_000n,
      userPays: 10_000n,
      isCapped: true,
      isSum: true,
    });
  });
  test('behavior: parts that do not add up', () => {
    expect(SponsoredFees.from({ ...phase, sponsoredTotal: usd('0.09') })?.isSum).toBe(false);
    const components = { execution: part('0.03', '0.02', '0.02') };
    expect(SponsoredFees.from({ ...phase, components, sponsoredTotal: usd('0.02') })?.isSum).toBe(false);
  });
  test('behavior: undefined if not stated', () => {
    expect(SponsoredFees.from(null)).toBeUndefined();
    expect(SponsoredFees.from({ ...phase, sponsoredTotal: {} })?.isSum).toBeUndefined();
    const components = { ...phase.components, swap: { ...part('0', '0', '0'), total: {} } };
    expect(SponsoredFees.from({ ...phase, components })?.isSum).toBeUndefined();
  });
});

describe('ofRecord', () => {
  test('default: as charged, or as quoted if the charged parts are missing', () => {
    const capped = { ...phase, capHit: false };
    expect(SponsoredFees.ofRecord({ quoted: phase, actual: capped })?.isCapped).toBe(false);
    expect(SponsoredFees.ofRecord({ quoted: phase, actual: { ...capped, components: {} } })?.isCapped).toBe(true);
    expect(SponsoredFees.ofRecord(undefined)).toBeUndefined();
  });
});
