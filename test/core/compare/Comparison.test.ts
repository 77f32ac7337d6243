import { describe, expect, test } from 'vitest';
import { BaseError, type Code } from '../../../src/core/base/Errors.js';
import * as Usd from '../../../src/core/base/Usd.js';
import * as Comparison from '../../../src/core/compare/Comparison.js';
import type * as TransferIntent from '../../../src/core/quote/TransferIntent.js';
import { comparison, quotedAt, refusal, results } from '../../support/comparisons.js';
import { intent } from '../../support/quoted.js';

const usd = ({ usd: text }: { usd: string }): bigint => Usd.from(text) ?? 0n;
const app = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

async function only(
  amount: string,
  from: string,
  to: string,
  typed?: TransferIntent.Typed,
): Promise<Comparison.Priced> {
  const { rows } = await comparison([amount], from, [to], typed);
  const [row] = rows;
  if (!row?.quote) throw new Error('no quote');
  return row.quote;
}

describe('from', () => {
  test.each([
    ['a bridge', '100', 'alpha/usdc', 'beta/usdc', {}],
    ['a swap', '1', 'alpha/eth', 'beta/gull', {}],
    ['an app fee', '100', 'alpha/usdc', 'beta/usdc', { appFee: [`${app}:30`] }],
  ])('default: the cost of %s is its fees plus the costs outside them', async (_, amount, from, to, typed) => {
    const { fees, cost, outside, send } = await only(amount, from, to, typed);
    const parts = [fees.execution, fees.swap, fees.platform, fees.app, fees.sponsored];
    expect(parts.map(usd).reduce((sum, each) => sum + each, 0n)).toBe(usd(fees.total));
    expect(usd(cost)).toBe(usd(fees.total) + (outside ? usd(outside) : 0n));
    expect(cost.bps).toBe(Usd.formatBps(usd(cost), usd(send)));
  });

  test('behavior: origin gas is outside the fees, unless the service submits', async () => {
    expect((await only('1', 'alpha/eth', 'beta/eth')).outside).toMatchObject({ takenBy: 'network' });
    expect((await only('100', 'alpha/usdc', 'beta/usdc', { gasless: true })).outside).toBeNull();
  });
});

const failed = (...codes: Code[]): Comparison.Comparison => {
  const asked = intent('1', 'alpha/eth', 'beta/eth');
  const came = codes.map((code) => ({ intent: asked, error: new BaseError(code, 'No.') }));
  return Comparison.from(asked.origin, came, quotedAt);
};

test('worst: behavior: the worst of several codes; undefined if there is a quote', async () => {
  expect(Comparison.worst(failed('service.timeout', 'auth.refused', 'service.refused'))).toBe('auth.refused');
  expect(Comparison.worst(failed('chain.no-rpc', 'service.timeout'))).toBe('service.timeout');
  const [priced] = await results(['1'], 'alpha/eth', ['beta/eth']);
  const asked = intent('2', 'alpha/eth', 'beta/eth');
  if (!priced) throw new Error('nothing');
  const both = Comparison.from(asked.origin, [priced, { intent: asked, error: refusal('X', 'x') }], quotedAt);
  expect(Comparison.worst(both)).toBeUndefined();
});

test.each<[Code, boolean]>([
  ['service.unreachable', true],
  ['service.redirected', true],
  ['auth.refused', true],
  ['service.refused', false],
  ['service.rate-limited', false],
  ['service.timeout', false],
])('isForAll: %s is %s', (code, expected) => {
  expect(Comparison.isForAll(new BaseError(code, 'No.'))).toBe(expected);
});
