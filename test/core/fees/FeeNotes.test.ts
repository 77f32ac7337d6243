import { expect, test } from 'vitest';
import type * as FeeBill from '../../../src/core/fees/FeeBill.js';
import * as FeeNotes from '../../../src/core/fees/FeeNotes.js';
import type * as FeeSchedule from '../../../src/core/fees/FeeSchedule.js';
import { network } from '../../../src/core/network/sandbox.js';
import * as FeeTotals from '../../../src/core/quote/FeeTotals.js';
import * as bills from '../../support/bills.js';

const bridge: FeeSchedule.Comparison = {
  type: 'bridge',
  bps: 0n,
  predicted: 0n,
  charged: 0n,
  difference: 0n,
  isOnSchedule: true,
};

function notes(bill: FeeBill.FeeBill, known: Partial<FeeNotes.BillContext> = {}): string {
  return FeeNotes.from(bill, { isActive: undefined, schedule: bridge, network, ...known }).join('\n');
}

test('behavior: what the swap on the origin yielded less, which no component states', () => {
  const bill = bills.v3();
  const fees = { ...bill.quoted.fees, swap: -500_000n };
  const stage = { ...bill.quoted, fees, impactUsd: FeeTotals.total(fees) };
  const short = { ...bill, quoted: stage, actual: { ...stage, impactUsd: stage.impactUsd - 440_000n } };
  expect(notes(short)).toMatch(/^The swap on the origin yielded \$0\.4400 less than was expected\./);
});
test('behavior: the venue’s fee, also if it exceeds the withdrawal', async () => {
  const bill = await bills.quoted(100_000_000n, 'lighter/usdc', 'alpha/usdc');
  expect(notes(bill)).toMatch(/takes 3 USDC \(Perp\) in addition, which no component includes\. /);
  expect(notes({ ...bill, input: { ...bill.input, amount: 1_000_000n } })).toContain('as much as the withdrawal');
  expect(notes({ ...bills.v3(), input: bill.input })).toContain('The record does not state it');
});
test('behavior: the activation fee, as certain as the data allows', async () => {
  const fresh = await bills.quoted(100_000_000n, 'alpha/usdc', 'lighter/usdc', { recipient: '106' });
  const known = await bills.quoted(100_000_000n, 'alpha/usdc', 'lighter/usdc');
  expect(notes(fresh, { isActive: false })).toContain('the swap includes the venue’s activation fee of 1 USD');
  expect(notes(fresh, { isActive: true })).toBe('');
  expect(notes(fresh)).toContain('A bridge exchanges nothing');
  expect(notes(fresh, { schedule: { ...bridge, type: 'major' } })).toContain('may include');
  expect(notes({ ...fresh, deprecated: undefined })).toContain('may include');
  expect(notes(known)).toBe('');
  expect(notes(known, { isActive: false })).toContain('too small to include its activation fee');
});
test('behavior: a platform fee off schedule, with the service’s classification', () => {
  const schedule: FeeSchedule.Comparison = {
    type: 'stablecoin',
    bps: 1n,
    predicted: -1_000_000n,
    charged: 0n,
    difference: 1_000_000n,
    isOnSchedule: false,
  };
  expect(notes(bills.v3(), { schedule })).toBe(
    'The platform fee is $0.00; the schedule says -$1.00 for a stablecoin swap (1 bps). Campaigns may differ. The service classifies the request as "Bridge".',
  );
});
test('behavior: the progress of a record', () => {
  const bill = bills.v3();
  expect(notes({ ...bill, actual: undefined })).toContain('not known until the request is filled');
  expect(notes({ ...bill, status: 'refund' })).toContain('withheld from the refund');
  expect(notes({ ...bill, input: { ...bill.input, usd: undefined } })).toContain('it is derived');
  expect(notes({ ...bill, isGasless: true })).toContain('Gasless');
});
