/** Checks that the figures of a bill add up. */

import * as z from 'zod/mini';
import * as Usd from '../base/Usd.js';
import type * as FeeTotals from '../quote/FeeTotals.js';
import * as FeeBill from './FeeBill.js';
import * as FeeStage from './FeeStage.js';

export const schema = z.object({
  check: z.string(),
  verdict: z.enum(['holds', 'broken', 'cannot tell']),
  expected: z.string(),
  found: z.string(),
});

export type Check = z.output<typeof schema>;

/**
 * Runs every check that the bill has figures for: quoted and actual components add up to the total impact, the impact
 * is output minus input, `relayer` is the sum of its parts, and the sponsored parts add up to their total.
 */
export function from(bill: FeeBill.FeeBill): Check[] {
  const { actual, deprecated, sponsorship } = bill;
  const where = FeeBill.sponsoring(bill);
  return [
    components('components-quoted', bill.quoted, where),
    ...(actual && bill.status === 'success'
      ? [components('components-actual', actual, where, FeeBill.shortage(bill))]
      : []),
    ...impact(bill),
    ...(deprecated?.isRelayerSum === undefined
      ? []
      : [verdict('relayer-sum', deprecated.isRelayerSum, 'relayer equals relayerGas plus relayerService')]),
    ...(sponsorship?.isSum === undefined
      ? []
      : [verdict('sponsorship-sum', sponsorship.isSum, 'the sponsored parts add up to their total')]),
  ];
}

function components(check: string, phase: FeeStage.FeeStage, where: FeeTotals.Sponsoring, shortage = 0n): Check {
  const sum = Usd.formatWire(FeeStage.total(phase, where));
  const found = shortage > 0n ? `${sum}, and the swap on the origin yielded ${Usd.formatWire(shortage)} less` : sum;
  if (phase.impactUsd === undefined)
    return { check, verdict: 'cannot tell', expected: 'the total impact, which is not stated', found };
  const holds = shortage > 0n || FeeStage.sponsoring(phase) !== undefined;
  return { check, verdict: holds ? 'holds' : 'broken', expected: Usd.formatWire(phase.impactUsd), found };
}

/** Only a quote states its impact; that of a record is derived from output and input. */
function impact({ source, input, output, quoted }: FeeBill.FeeBill): Check[] {
  if (source !== 'quote' || input.usd === undefined || output.usd === undefined || quoted.impactUsd === undefined)
    return [];
  const off = output.usd - input.usd - quoted.impactUsd;
  return [
    {
      check: 'impact',
      verdict: off <= 3n && off >= -3n ? 'holds' : 'broken',
      expected: Usd.formatWire(output.usd - input.usd),
      found: Usd.formatWire(quoted.impactUsd),
    },
  ];
}

function verdict(check: string, holds: boolean, expected: string): Check {
  return { check, verdict: holds ? 'holds' : 'broken', expected, found: holds ? 'it does' : 'it does not' };
}
