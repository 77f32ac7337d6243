import { expect, test } from 'vitest';
import type * as FeeBill from '../../../src/core/fees/FeeBill.js';
import * as FeeCheck from '../../../src/core/fees/FeeCheck.js';
import * as bills from '../../support/bills.js';

const verdicts = (bill: FeeBill.FeeBill): Record<string, unknown> =>
  Object.fromEntries(FeeCheck.from(bill).map((c) => [c.check, c.verdict]));

test('behavior: a record adds up, quoted and actual', () => {
  expect(verdicts(bills.v3())).toEqual({ 'components-quoted': 'holds', 'components-actual': 'holds' });
  expect(verdicts(bills.v2())).toMatchObject({ 'components-quoted': 'cannot tell', 'components-actual': 'holds' });
});
test('behavior: a component off by six millionths is broken', async () => {
  const bill = await bills.quoted(100_000_000n, 'alpha/usdc', 'beta/usdc');
  const off = (by: bigint): FeeBill.FeeBill => {
    const fees = { ...bill.quoted.fees, execution: bill.quoted.fees.execution - by };
    return { ...bill, quoted: { ...bill.quoted, fees } };
  };
  expect(verdicts(off(5n))).toMatchObject({ 'components-quoted': 'holds' });
  expect(verdicts(off(6n))).toMatchObject({ 'components-quoted': 'broken' });
});
test('behavior: an impact that is off by four millionths, either way, is broken', async () => {
  const bill = await bills.quoted(100_000_000n, 'alpha/usdc', 'beta/usdc');
  const impactUsd = (bill.output.usd ?? 0n) - (bill.input.usd ?? 0n);
  const off = (by: bigint) => verdicts({ ...bill, quoted: { ...bill.quoted, impactUsd: impactUsd + by } }).impact;
  expect([-4n, -3n, 3n, 4n].map(off)).toEqual(['broken', 'holds', 'holds', 'broken']);
});
test('behavior: the deprecated and the sponsored sums', async () => {
  const bill = await bills.quoted(100_000_000n, 'alpha/usdc', 'beta/usdc');
  const { deprecated } = bill;
  const sponsorship = { parts: [], sponsored: 1n, userPays: 0n, isCapped: false, isSum: false };
  const broken = { ...bill, deprecated: deprecated && { ...deprecated, isRelayerSum: false }, sponsorship };
  expect(verdicts(broken)).toMatchObject({ 'relayer-sum': 'broken', 'sponsorship-sum': 'broken' });
});
