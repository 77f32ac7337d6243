import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import * as Usd from '../../../src/core/base/Usd.js';
import * as FeeExpectation from '../../../src/core/fees/FeeExpectation.js';
import * as FeeStatement from '../../../src/core/fees/FeeStatement.js';
import * as bills from '../../support/bills.js';

const usd = (text: string | null | undefined): bigint => Usd.from(text ?? '') ?? 0n;

test.each([
  [100_000_000n, 'alpha/usdc', 'beta/usdc', 'bridge', '0'],
  [10n ** 18n, 'alpha/eth', 'alpha/weth', 'wrap', '0'],
  [100_000_000n, 'alpha/usdc', 'beta/usdt', 'stablecoin', '1'],
  [10n ** 18n, 'alpha/eth', 'beta/usdc', 'major', '6'],
  [100_000_000n, 'alpha/usdc', 'alpha/gull', 'minor', '15'],
  [100_000_000n, 'alpha/usdc', 'lighter/usdc', 'bridge', '0'],
  [100_000_000n, 'lighter/usdc', 'beta/eth', 'major', '6'],
])('default: %s of %s to %s is a %s at %s bps, and adds up', async (amount, from, to, type, bps) => {
  const statement = bills.statement(await bills.quoted(amount, from, to));
  expect(z.parse(FeeStatement.schema, statement)).toEqual(statement);
  expect(statement.schedule).toMatchObject({ type, bps, onSchedule: true });
  expect(statement.checks.every(({ verdict }) => verdict === 'holds')).toBe(true);
  const sum = statement.components.reduce((all, each) => all + usd(each.quoted.usd), 0n);
  expect(sum).toBe(usd(statement.total.quoted.usd));
  for (const { parts, quoted } of statement.components.filter((each) => each.parts.length > 0))
    expect(parts.reduce((all, part) => all + usd(part.usd), 0n)).toBe(usd(quoted.usd));
  const { providerFee, appFee, swapImpact, sponsored } = statement.recommended;
  expect(usd(providerFee) + usd(appFee) + usd(swapImpact) + usd(sponsored)).toBe(sum);
});

test('behavior: dollars, units of the input, and basis points', async () => {
  const { components } = bills.statement(await bills.quoted(200_000_000n, 'alpha/usdc', 'beta/eth'));
  expect(components.find(({ component }) => component === 'platform')).toMatchObject({
    quoted: { usd: '-0.120000', amount: '-120000', formatted: '-0.12', bps: '-6.0' },
    actual: null,
    difference: null,
  });
});

test('behavior: quoted against charged', () => {
  const bill = bills.v3();
  if (!bill.actual) throw new Error('filled');
  const fees = { ...bill.actual.fees, execution: bill.actual.fees.execution - 1_000n };
  const dearer = { ...bill, actual: { ...bill.actual, fees, impactUsd: undefined } };
  const { total, components } = bills.statement(dearer);
  expect(total.difference).toBe('-0.001000');
  expect(components[0]).toMatchObject({
    component: 'execution',
    difference: '-0.001000',
    actual: { usd: '-0.023481' },
  });
});

test('behavior: the requirements of --check', () => {
  const bill = bills.v3();
  const expectation = { tolerance: FeeExpectation.initial, isScheduleStrict: true };
  expect(bills.statement(bill, { expectation }).expectation).toEqual({
    tolerance: '0.5%',
    strictSchedule: true,
    met: true,
    unmet: [],
  });
  const quoted = { ...bill.quoted, fees: { ...bill.quoted.fees, platform: -500n } };
  const { unmet, met } = bills.statement({ ...bill, quoted }, { expectation }).expectation ?? {};
  expect(met).toBe(false);
  expect(unmet?.map((each) => each.split(':')[0])).toEqual(['components-quoted', 'platform-fee']);
});

test('behavior: null if not stated', () => {
  const bill = bills.v3();
  const nothing = { chainId: 1, address: undefined, symbol: undefined, decimals: undefined, amount: undefined };
  const bare = { ...bill, input: { ...nothing, usd: undefined }, quoted: { ...bill.quoted, amounts: {} } };
  const statement = bills.statement(bare);
  expect(statement.schedule).toBeNull();
  expect(statement.input).toMatchObject({ chain: null, symbol: null, amount: null, formatted: null, usd: null });
  expect(statement.total.quoted).toMatchObject({ amount: null, formatted: null, bps: null });
});
