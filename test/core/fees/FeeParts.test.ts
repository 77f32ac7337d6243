import { describe, expect, test } from 'vitest';
import type * as FeeBill from '../../../src/core/fees/FeeBill.js';
import * as FeeParts from '../../../src/core/fees/FeeParts.js';
import * as bills from '../../support/bills.js';

const unknown = { isActive: undefined };

function partsOf(bill: FeeBill.FeeBill, name: FeeParts.Name, isActive?: boolean): unknown {
  const line = FeeParts.from(bill, { isActive }).find((each) => each.name === name);
  return line && Object.fromEntries(line.parts.map(({ part, usd }) => [part, usd]));
}

describe('from', () => {
  test('default: flat fee, gas, rebalancing and exchange', async () => {
    const bill = await bills.quoted(100_000_000n, 'alpha/usdc', 'beta/eth');
    const { execution, swap } = bill.quoted.fees;
    expect(partsOf(bill, 'execution')).toEqual({ flat: -20_000n, gas: execution + 20_000n });
    expect(partsOf(bill, 'swap')).toEqual({ rebalancing: -10_000n, exchange: swap + 10_000n });
  });
  test('behavior: app, rent and sponsored are listed only if not zero', async () => {
    const bill = await bills.quoted(100_000_000n, 'alpha/usdc', 'beta/usdc');
    const names = (of: FeeBill.FeeBill): string[] => FeeParts.from(of, unknown).map(({ name }) => name);
    expect(names(bill)).toEqual(['execution', 'swap', 'platform']);
    const fees = { ...bill.quoted.fees, app: -1n, sponsored: 1n };
    const full = { ...bill, quoted: { ...bill.quoted, fees, rent: -1n } };
    expect(names(full)).toEqual(['execution', 'swap', 'platform', 'app', 'rent', 'sponsored']);
    const [app] = FeeParts.from(
      { ...full, appFees: [{ recipient: `0x${'ab'.repeat(20)}`, bps: '30' }] },
      unknown,
    ).slice(3);
    expect(app?.paidTo).toBe('0xabab…abab');
  });
  test('behavior: the activation fee, if the account is known to be inactive', async () => {
    const fresh = await bills.quoted(100_000_000n, 'alpha/usdc', 'lighter/usdc', { recipient: '106' });
    expect(partsOf(fresh, 'swap', false)).toEqual({ activation: -1_000_000n, rebalancing: -10_000n });
    expect(partsOf(fresh, 'swap', true)).toEqual({ rebalancing: -10_000n, exchange: -1_000_000n });
  });
});

test.each([
  [0n, false, 'none: no solver takes part'],
  [-20_000n, false, 'the flat fee'],
  [-22_700n, false, 'the flat fee and gas on the destination'],
  [-22_700n, undefined, 'the flat fee and gas on the destination'],
  [-22_700n, true, 'the flat fee and gas on the destination and the origin'],
  [-100n, false, 'what the service takes to execute it'],
])('executionInWords: %d, without gas of one’s own: %j', (execution, isGasless, words) => {
  expect(FeeParts.executionInWords(execution, isGasless)).toBe(words);
});
