import { describe, expect, test } from 'vitest';
import type * as RequestsV3 from '../../../src/core/api/RequestsV3.js';
import type * as FeeSponsorship from '../../../src/core/api/schema/FeeSponsorship.js';
import * as FeeBill from '../../../src/core/fees/FeeBill.js';
import * as FeeCheck from '../../../src/core/fees/FeeCheck.js';
import { network } from '../../../src/core/network/sandbox.js';
import * as FeeTotals from '../../../src/core/quote/FeeTotals.js';
import * as Quote from '../../../src/core/quote/Quote.js';
import * as bills from '../../support/bills.js';
import * as market from '../../support/market.js';
import * as recorded from '../../support/recorded.js';

describe('fromAnswer', () => {
  test('default: the quote’s input, output and components', async () => {
    const bill = await bills.quoted(100_000_000n, 'alpha/usdc', 'beta/usdt');
    expect(bill).toMatchObject({ source: 'quote', isGasless: false, actual: undefined, appFees: [] });
    expect(bill.input).toMatchObject({ symbol: 'USDC', decimals: 6, amount: 100_000_000n, usd: 100_000_000n });
    expect(bill.quoted.fees.platform).toBe(-10_000n);
    expect(bill.costs.map(({ kind }) => kind)).toEqual(['origin-gas']);
  });
  test('behavior: gasless if it has a permit to sign and the request does not say', async () => {
    const bill = await bills.quoted(100_000_000n, 'alpha/usdc', 'beta/usdc', { usePermit: true });
    expect(bill.costs).toEqual([]);
  });
});

describe('fromV3', () => {
  test('default: quoted, actual and the user’s gas', () => {
    const bill = bills.v3();
    expect(bill).toMatchObject({ source: 'record', status: 'success', requestType: 'Bridge', isGasless: false });
    expect(bill.quoted.amounts.execution).toBe(22_481n);
    expect(bill.actual?.fees.execution).toBe(-22_481n);
    expect(bill.costs).toMatchObject([{ kind: 'origin-gas', when: 'actual', usd: -1_345n, symbol: 'ETH' }]);
  });
  test('behavior: gasless, so the service paid the gas', () => {
    const bill = bills.v3(0, (record) => {
      record.features = ['gasless_execution'];
    });
    expect([bill.isGasless, bill.costs]).toEqual([true, []]);
  });
  test('error: a record without fees, which a request that was never paid has not', () => {
    const read = (data: RequestsV3.Record['data'] = {}, status = 'waiting') =>
      bills.v3(0, (record) => {
        Object.assign(record, { data, status });
      });
    expect(() => read()).toThrow('There is no breakdown of the fees');
    expect(() => read()).toThrow(expect.objectContaining({ hint: 'A request that was never paid has no fees.' }));
    const paid = { inTxs: [{ hash: '0x01' }] } as unknown as RequestsV3.Record['data'];
    const reason = expect.objectContaining({ hint: undefined, facts: [['missing', 'data.fees']] });
    expect(() => read(paid)).toThrow(reason);
    for (const status of ['success', 'refund']) expect(() => read({}, status)).toThrow(reason);
  });
});

test('fromV2: the same components, and the deprecated ones', () => {
  const [old, now] = [bills.v2(), bills.v3(2)];
  expect(old.quoted.fees).toEqual(now.quoted.fees);
  expect(old.isGasless).toBeUndefined();
  expect(old.deprecated?.fields.map(({ field }) => field)).toEqual(['gas', 'fixed', 'price', 'gateway']);
});

test('inputUsd: as stated, else by a component stated in both', () => {
  const bill = bills.v3();
  const { input, quoted } = bill;
  expect(FeeBill.inputUsd(bill)).toBe(input.usd);
  const untold = { ...input, usd: undefined };
  expect(FeeBill.inputUsd({ input: untold, quoted })).toBe(input.amount);
  expect(FeeBill.inputUsd({ input: untold, quoted: { ...quoted, amounts: {} } })).toBeUndefined();
});

describe('shortage', () => {
  /** A swap that was filled with less: the components leave out why. */
  const short = (missing: bigint): FeeBill.FeeBill => {
    const bill = bills.v3();
    const fees = { ...bill.quoted.fees, swap: -500_000n };
    const impactUsd = FeeTotals.total(fees);
    return {
      ...bill,
      quoted: { ...bill.quoted, fees, impactUsd },
      actual: { ...bill.quoted, fees, impactUsd: impactUsd - missing },
    };
  };

  test('default: what the components leave out is the shortage, and counts as charged', () => {
    const bill = short(440_000n);
    expect([FeeBill.shortage(bill), FeeBill.excess(bill)]).toEqual([440_000n, 440_000n]);
    const check = FeeCheck.from(bill).find((each) => each.check === 'components-actual');
    expect(check).toMatchObject({ verdict: 'holds', found: expect.stringMatching(/yielded 0\.440000 less$/) });
  });

  test('behavior: components that add up, more than was promised, and a transfer without a swap have none', () => {
    expect(FeeBill.shortage(short(0n))).toBe(0n);
    expect(FeeBill.shortage(short(-440_000n))).toBe(0n);
    const bill = short(440_000n);
    const unswapped = { ...bill, quoted: { ...bill.quoted, fees: { ...bill.quoted.fees, swap: 0n } } };
    expect(FeeBill.shortage(unswapped)).toBe(0n);
    const check = FeeCheck.from(unswapped).find((each) => each.check === 'components-actual');
    expect(check?.verdict).toBe('broken');
  });
});

test('sponsoring: inside, unless a total excludes it', () => {
  const bill = bills.v3();
  expect(FeeBill.sponsoring(bill)).toBe('inside');
  const fees = { swap: 0n, execution: -5_000n, platform: 0n, app: 0n, sponsored: 5_000n };
  const beside = { ...bill.quoted, fees, impactUsd: -5_000n };
  expect(FeeBill.sponsoring({ quoted: { ...beside, impactUsd: undefined }, actual: beside })).toBe('beside');
});

describe('sponsorshipOf', () => {
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
      expect(FeeBill.sponsorshipOf(phase)).toEqual({
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
      expect(FeeBill.sponsorshipOf({ ...phase, sponsoredTotal: usd('0.09') })?.isSum).toBe(false);
      const components = { execution: part('0.03', '0.02', '0.02') };
      expect(FeeBill.sponsorshipOf({ ...phase, components, sponsoredTotal: usd('0.02') })?.isSum).toBe(false);
    });
    test('behavior: undefined if not stated', () => {
      expect(FeeBill.sponsorshipOf(null)).toBeUndefined();
      expect(FeeBill.sponsorshipOf({ ...phase, sponsoredTotal: {} })?.isSum).toBeUndefined();
      const components = { ...phase.components, swap: { ...part('0', '0', '0'), total: {} } };
      expect(FeeBill.sponsorshipOf({ ...phase, components })?.isSum).toBeUndefined();
    });
  });

  test('ofRecord: as charged, or as quoted if the charged parts are missing', () => {
    const capped = { ...phase, capHit: false };
    expect(FeeBill.sponsorshipOfRecord({ quoted: phase, actual: capped })?.isCapped).toBe(false);
    expect(FeeBill.sponsorshipOfRecord({ quoted: phase, actual: { ...capped, components: {} } })?.isCapped).toBe(true);
    expect(FeeBill.sponsorshipOfRecord(undefined)).toBeUndefined();
  });
});

const answer = async (...asked: Parameters<typeof market.request>): Promise<Quote.Answer> =>
  Quote.read((await market.quote(market.request(...asked))).response);

describe('ofAnswer', () => {
  test('behavior: the user pays for an approval before a permit', () => {
    const permit = Quote.read(recorded.read('quote-permit-permit2') as Quote.Answer['response']);
    expect(permit.items.map(({ kind }) => kind)).toEqual(['transaction', 'signature']);
    expect(FeeBill.costsOfAnswer(permit, { isGasless: true })).toMatchObject([{ kind: 'origin-gas' }]);
    const alone = { ...permit, items: permit.items.filter(({ kind }) => kind === 'signature') };
    expect(FeeBill.costsOfAnswer(alone, { isGasless: true })).toEqual([]);
  });
  test('behavior: the fee is known without the deprecated fields', async () => {
    const quoted = await answer(100_000_000n, 'lighter/usdc', 'alpha/usdc');
    const bare = { ...quoted, response: { ...quoted.response, fees: undefined } };
    expect(FeeBill.costsOfAnswer(bare, { isGasless: undefined })).toMatchObject([
      { amount: 3_000_000n, usd: -3_000_000n },
    ]);
  });
});

test('ofTransactions: behavior: none if the service paid, on the venue, or if not stated', () => {
  const paid = { chainId: 313371, fee: '1000', feeUsd: '0.0025' };
  expect(FeeBill.costsOfTransactions([paid], { isGasless: true, network })).toEqual([]);
  const others = [{ ...paid, chainId: 3586256 }, { ...paid, fee: '0' }, { chainId: 313371 }, { ...paid, fee: '?' }];
  expect(FeeBill.costsOfTransactions(others, { isGasless: false, network })).toEqual([]);
});
