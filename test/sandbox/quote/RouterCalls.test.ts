import { describe, expect, test } from 'vitest';
import * as Step from '../../../src/core/api/schema/Step.js';
import * as Tampering from '../../../src/sandbox/quote/Tampering.js';
import * as market from '../../support/market.js';
import * as calldata from '../../support/routerCalldata.js';

const thief = `0x${'99'.repeat(20)}` as const;

async function calldataOf(from: string, to: string): Promise<`0x${string}`> {
  const { response } = await market.quote(market.request(10n ** 18n, from, to));
  return Step.evmTransaction.parse(response.steps.at(-1)?.items[0]?.data).data;
}

describe('changed', () => {
  test.each([
    ['alpha/gull', 'beta/usdc'],
    ['alpha/eth', 'alpha/usdc'],
  ])('default: each part, and nothing else: %s to %s', async (from, to) => {
    const data = await calldataOf(from, to);
    const before = calldata.decode(data);
    expect(Tampering.changed(data, (parts) => parts)).toBe(data);
    const read = (changed: `0x${string}` | undefined) => calldata.decode(changed ?? '0x');
    expect(read(Tampering.changed(data, (parts) => ({ ...parts, refundTo: thief })))).toEqual({
      ...before,
      refundTo: thief,
    });
    expect(read(Tampering.changed(data, (parts) => ({ ...parts, metadata: '0x12', suffix: '0x34' })))).toEqual({
      ...before,
      metadata: '0x12',
      suffix: '0x34',
    });
  });

  test('behavior: other calldata', async () => {
    expect(Tampering.changed(await calldataOf('alpha/eth', 'beta/eth'), (parts) => parts)).toBe(undefined);
    expect(Tampering.changed('0x', (parts) => parts)).toBe(undefined);
  });
});

describe('withSwap', () => {
  test('default', async () => {
    const { calls } = calldata.decode(await calldataOf('alpha/gull', 'beta/usdc'));
    const changed = Tampering.withSwap(calls, (terms) => ({ ...terms, minReturnAmount: 7n }));
    expect(changed.map((call, index) => call.callData === calls[index]?.callData)).toEqual([true, false, true]);
    expect(Tampering.withSwap(calls, (terms) => terms)).toEqual(calls);
  });
});
