/**
 * Five accounts of the cost of every kind of transfer: the quote, the record, the balances, the receipts and the
 * sponsor's balance. They agree to the base unit, and each component to the last printed digit in dollars.
 *
 * The suite runs a sample, in which each kind of transfer meets one way to share its cost, each time another. All of them:
 * FEES=all npx vitest run --config test/vitest.config.ts test/scenarios/feeAgreement.test.ts
 */

import type { Hex } from 'viem';
import { describe, expect, test } from 'vitest';
import * as Step from '../../src/core/api/schema/Step.js';
import * as Usd from '../../src/core/base/Usd.js';
import type { Chain } from '../../src/sandbox/chain/startChains.js';
import type * as RecordV3 from '../../src/sandbox/ledger/RecordV3.js';
import type * as QuoteAnswer from '../../src/sandbox/quote/QuoteAnswer.js';
import { inMemory } from '../../src/sandbox/storage/frameLog.js';
import { accounts, type Name } from '../../src/sandbox/values/devAccounts.js';
import { key, type Service, useService, type Wish } from '../support/customer.js';
import { bodyOf, signPermit } from '../support/gasless.js';
import { gaslessCustomer } from '../support/gaslessCustomer.js';
import { connect, connectAs } from '../support/nodeClients.js';
import { indexOf, settled } from '../support/venueTransfer.js';

const service = useService();

const ether = 10n ** 18n;

/** Decimals and price in millionths of a dollar: the sandbox's prices, stated independently. */
const tokens: Record<string, readonly [decimals: number, price: bigint]> = {
  ETH: [18, 2_500_000_000n],
  WETH: [18, 2_500_000_000n],
  USDC: [6, 1_000_000n],
  USDT: [6, 1_000_000n],
  DAI: [18, 1_000_000n],
  GULL: [18, 250_000n],
};

type Transfer = { type: string; from: string; to: string; amount: bigint; bps: bigint; rest?: Case['rest'] };

const acrossChains: Transfer[] = [
  { type: 'token bridge', from: 'alpha/USDC', to: 'beta/USDC', amount: 123_456_789n, bps: 0n },
  { type: 'token bridge', from: 'beta/ETH', to: 'alpha/ETH', amount: ether / 7n, bps: 0n },
  { type: 'token bridge', from: 'alpha/GULL', to: 'beta/GULL', amount: 333n * ether, bps: 0n },
  { type: 'stablecoin swap', from: 'alpha/USDC', to: 'beta/DAI', amount: 77_000_001n, bps: 1n },
  { type: 'stablecoin swap', from: 'beta/USDT', to: 'alpha/USDC', amount: 50_000_000n, bps: 1n },
  { type: 'major swap', from: 'alpha/USDC', to: 'beta/ETH', amount: 99_999_999n, bps: 6n },
  { type: 'major swap', from: 'alpha/WETH', to: 'beta/USDC', amount: ether / 9n, bps: 6n },
  { type: 'minor swap', from: 'alpha/GULL', to: 'beta/ETH', amount: 400n * ether + 1n, bps: 15n },
  { type: 'minor swap', from: 'beta/USDC', to: 'alpha/GULL', amount: 60_000_000n, bps: 15n },
];

const onOneChain: Transfer[] = [
  { type: 'wrap', from: 'alpha/ETH', to: 'alpha/WETH', amount: ether / 3n, bps: 0n },
  { type: 'unwrap', from: 'alpha/WETH', to: 'alpha/ETH', amount: ether / 3n, bps: 0n },
  { type: 'send', from: 'beta/USDC', to: 'beta/USDC', amount: 5_000_000n, bps: 0n },
  { type: 'stablecoin swap', from: 'alpha/USDC', to: 'alpha/DAI', amount: 88_888_888n, bps: 1n },
  { type: 'major swap', from: 'alpha/USDC', to: 'alpha/WETH', amount: 100_000_000n, bps: 6n },
  { type: 'major swap', from: 'beta/WETH', to: 'beta/USDC', amount: ether / 11n, bps: 6n },
  { type: 'minor swap', from: 'alpha/GULL', to: 'alpha/USDT', amount: 400n * ether, bps: 15n },
];

const venue: Transfer[] = [
  { type: 'first venue deposit', from: 'alpha/USDC', to: 'lighter/USDC', amount: 50_000_000n, bps: 0n },
  { type: 'venue deposit', from: 'alpha/USDC', to: 'lighter/USDC', amount: 50_000_000n, bps: 0n },
  { type: 'venue deposit', from: 'beta/WETH', to: 'lighter/USDC', amount: ether / 50n, bps: 6n },
  { type: 'venue withdrawal', from: 'lighter/USDC', to: 'beta/USDC', amount: 40_000_000n, bps: 0n },
  { type: 'venue withdrawal', from: 'lighter/USDC', to: 'alpha/ETH', amount: 40_000_000n, bps: 6n },
];

/** Sponsorship options. The platform component has the service's name. */
const sponsorships: Record<string, Case['rest']> = {
  none: {},
  all: { subsidizeFees: true },
  some: { subsidizeFees: true, sponsoredFeeComponents: ['execution', 'relay'] },
  'up to 5 cents of all': { subsidizeFees: true, maxSubsidizationAmount: '50000' },
};

const appFees: Record<string, Case['rest']> = {
  none: {},
  two: {
    appFees: [
      { recipient: accounts.dev1.address, fee: '30' },
      { recipient: accounts.dev2.address, fee: '7' },
    ],
  },
};

/** Possible ways: no gas on the venue, permits only for USDC to the solver, sponsored gas on one chain. */
function waysOf({ type, from, to }: Transfer): Way[] {
  if (from.startsWith('lighter') || type === 'wrap' || from.endsWith('/ETH')) return ['own'];
  if (from.split('/')[0] === to.split('/')[0]) return ['own', 'sponsored batch'];
  return from.endsWith('/USDC') ? ['own', 'batch', 'sponsored batch', 'permit'] : ['own', 'batch'];
}

/** No and full sponsorship run with and without app fees; the others alternate. */
const payers = [
  { sponsor: 'none', app: 'none' },
  { sponsor: 'none', app: 'two' },
  { sponsor: 'all', app: 'none' },
  { sponsor: 'all', app: 'two' },
  { sponsor: 'some', app: 'two' },
  { sponsor: 'up to 5 cents of all', app: 'none' },
];

const all = process.env.FEES === 'all';

const cases = [...acrossChains, ...onOneChain, ...venue]
  .flatMap((transfer) => waysOf(transfer).map((way) => ({ ...transfer, way })))
  .flatMap((transfer, index) =>
    payers.filter((_, turn) => all || turn === index % payers.length).map((payer) => ({ ...transfer, ...payer })),
  );

describe('agreement', () => {
  test.each(cases)('$type from $from to $to, $way, sponsored: $sponsor, app fees: $app', async (each) => {
    if (each.type === 'first venue deposit') await service.restart({ venue: inMemory() });
    const seen = await observe(service, {
      ...each,
      amount: each.amount.toString(),
      account: each.way === 'own' ? 'dev3' : 'dev9',
      rest: {
        ...sponsorships[each.sponsor],
        ...appFees[each.app],
        ...(each.type === 'send' && { recipient: accounts.dev4.address }),
        ...(each.type === 'first venue deposit' && { recipient: '106' }),
        ...(each.type === 'venue deposit' && { recipient: '103' }),
        ...each.rest,
      },
    });
    assertBalances(each, seen);
    await assertReceipts(seen);
    assertComponents(each, seen);
    assertSponsor(each, seen);
    assertAppFees(each, seen);
    assertVenue(each, seen);
  });
});

/** The record's input and output match the user's balances, apart from gas. */
function assertBalances({ type, from, to }: Transfer, { record, changes, outsideCost, quote }: Observed): void {
  const { input, output } = amountsOf(record);
  expect(input).toBe(BigInt(quote.details.currencyIn.amount));
  expect(output).toBeGreaterThanOrEqual(BigInt(quote.details.currencyOut.minimumAmount));
  const expected: Record<string, bigint> = Object.fromEntries(Object.keys(changes).map((each) => [each, 0n]));
  const add = (currency: string, amount: bigint): void => {
    expected[currency] = (expected[currency] ?? 0n) + amount;
  };
  add(from, -input);
  if (type !== 'send') add(to, output);
  add(from.startsWith('lighter') ? from : `${from.split('/')[0]}/ETH`, -outsideCost);
  expect(changes).toEqual(expected);
}

/** Every transaction of the record has its receipt's cost. */
async function assertReceipts({ record, outsideCost }: Observed): Promise<void> {
  const { alpha, beta } = service.chains;
  for (const { txHash, chainId, fee } of [...(record.data?.inTxs ?? []), ...(record.data?.outTxs ?? [])]) {
    const chain = [alpha, beta].find(({ id }) => id === chainId);
    const cost = chain ? await gasOf(chain, txHash ?? '') : (service.venue.transfer(txHash ?? '')?.usdcFee ?? -1n);
    expect(BigInt(fee ?? -1)).toBe(cost);
  }
  // The approval before it is not in the record.
  const [first] = record.data?.inTxs ?? [];
  if (outsideCost > 0n) expect(outsideCost).toBeGreaterThanOrEqual(BigInt(first?.fee ?? 0));
}

/** Quoted and actual components sum to output minus input at the sandbox's prices; each matches section 8. */
function assertComponents({ from, to, bps, type, way }: Transfer & { way: Way }, seen: Observed): void {
  const { record, quote } = seen;
  const { quoted, actual } = feesOf(record);
  const { input, output } = amountsOf(record);
  const value = worth(to, output) - worth(from, input);
  expectNear(sum(actual), value, 5n);
  const promised = worth(to, BigInt(quote.details.currencyOut.amount)) - worth(from, input);
  expectNear(sum(quoted), promised, 5n);
  expectNear(micro(quote.details.totalImpact.usd), promised, 1n);
  const { execution, swap, app, sponsored, ...rest } = quote.details.expandedPriceImpact;
  const [platform] = Object.values(rest) as { usd: string }[];
  const recorded = { execution, swap, platform, app, sponsored };
  expect(Object.entries(recorded).map(([name, part]) => [name, micro(part?.usd)])).toEqual(
    Object.keys(recorded).map((name) => [name, quoted[name as Part]]),
  );
  const isFree = ['wrap', 'unwrap', 'send'].includes(type);
  expectNear(actual.platform, -(worth(from, input) * bps) / 10_000n, 1n);
  const inGas = way === 'own' ? 0n : micro(record.data?.inTxs?.[0]?.feeUsd);
  const outGas = quote.protocol ? micro(record.data?.outTxs?.[0]?.feeUsd) : 0n;
  expect(actual.execution).toBe(-((isFree ? 0n : 20_000n) + inGas + outGas));
}

/** The sponsor's balance fell by the recorded amount, at most the fees, the cap and the quote. */
function assertSponsor(
  { sponsor, way }: { sponsor: string; way: Way },
  { record, sponsorPaid, quote }: Observed,
): void {
  const { quoted, actual } = feesOf(record);
  expect(sponsorPaid).toBe(actual.sponsored);
  const { feeSponsorship, fees } = record.data ?? {};
  if (sponsor === 'none' && way !== 'sponsored batch') {
    expect(sponsorPaid).toBe(0n);
    expect(feeSponsorship).toBeNull();
    return;
  }
  const gas = way === 'sponsored batch' ? micro(record.data?.inTxs?.[0]?.feeUsd) : 0n;
  expect(actual.sponsored - gas).toBeLessThanOrEqual(quoted.sponsored);
  if (sponsor.startsWith('up to')) expect(actual.sponsored - gas).toBeLessThanOrEqual(50_000n);
  const amount = fees?.actual?.sponsored?.amount;
  expect(feeSponsorship?.actual).toMatchObject({ sponsoredTotal: { amount }, sponsorPayment: { amount } });
  for (const phase of [quote.feeSponsorship?.quoted, feeSponsorship?.quoted, feeSponsorship?.actual]) {
    if (!phase) continue;
    const parts = Object.values(phase.components).map(({ total, sponsored, userPays }) =>
      [total, sponsored, userPays].map((part) => BigInt(part.amount ?? -1)),
    );
    const all = (index: number): bigint => parts.reduce((total, part) => total + (part[index] ?? 0n), 0n);
    expect(all(1)).toBe(BigInt(phase.sponsoredTotal.amount ?? -1));
    expect(all(2)).toBe(BigInt(phase.userPaysTotal.amount ?? -1));
    // If the pools yielded more than quoted, nothing is left to pay and the sponsor paid the quoted amount.
    for (const [total = 0n, paid = 0n, left = 0n] of parts)
      expect(left).toBe(phase === feeSponsorship?.actual && paid > total ? 0n : total - paid);
  }
}

/** Each app accrues its share of the input; sends collect nothing. */
function assertAppFees({ app, type }: { app: string; type: string }, { record }: Observed): void {
  const isFree = app === 'none' || type === 'send';
  const accrued = record.data?.appFees?.actual ?? [];
  expect(accrued.map(({ recipient, bps }) => [recipient, bps])).toEqual(
    isFree ? [] : appFees.two?.appFees?.map(({ recipient, fee }) => [recipient, fee]),
  );
  const input = inFeeCurrency(amountsOf(record).input, record);
  for (const { amount, bps } of accrued) expectNear(BigInt(amount ?? -1), (input * BigInt(bps ?? 0)) / 10_000n, 1n);
  const all = accrued.reduce((total, { amount }) => total + BigInt(amount ?? 0), 0n);
  expect(record.data?.fees?.actual?.app?.amount).toBe(all.toString());
  expect(record.data?.fees?.quoted?.app?.amount).toBe(all.toString());
}

/** What the input is worth in the currency of the fees: that of the deposit, if the router swaps before it. */
function inFeeCurrency(input: bigint, { data }: Observed['record']): bigint {
  const from = data?.route?.quoted?.origin?.inputCurrency?.currency?.symbol ?? '';
  const to = data?.appFees?.currency?.symbol ?? '';
  const [paid, charged] = [tokens[from], tokens[to]];
  if (from === to || !paid || !charged) return input;
  return (input * paid[1] * 10n ** BigInt(charged[0])) / (charged[1] * 10n ** BigInt(paid[0]));
}

/** The venue's charges are outside the fees, except the activation fee, which is part of the swap. */
function assertVenue({ type, from }: Transfer, { quote, record, outsideCost }: Observed): void {
  if (from.startsWith('lighter')) {
    expect(outsideCost).toBe(3_000_000n);
    expect(quote.fees?.gas?.amount).toBe(outsideCost.toString());
  }
  const [out] = record.data?.outTxs ?? [];
  const activationFee = service.venue.transfer(out?.txHash ?? '')?.activationFee;
  expect(activationFee).toBe(type === 'first venue deposit' ? 1_000_000n : type === 'venue deposit' ? 0n : undefined);
  if (type === 'first venue deposit') expectNear(feesOf(record).quoted.swap, -1_005_000n, 1n);
}

type Part = 'execution' | 'swap' | 'platform' | 'app' | 'sponsored';

function feesOf({ data }: Observed['record']): Record<'quoted' | 'actual', Record<Part, bigint>> {
  const read = (breakdown: object | null | undefined): Record<Part, bigint> => {
    const { execution, swap, platform, app, sponsored } = (breakdown ?? {}) as Record<Part, { usd: string }>;
    return {
      execution: micro(execution.usd),
      swap: micro(swap.usd),
      platform: micro(platform.usd),
      app: micro(app.usd),
      sponsored: micro(sponsored.usd),
    };
  };
  return { quoted: read(data?.fees?.quoted), actual: read(data?.fees?.actual) };
}

function amountsOf({ data }: Observed['record']): { input: bigint; output: bigint } {
  const { origin, destination } = data?.route?.actual ?? {};
  return {
    input: BigInt(origin?.inputCurrency?.amount ?? -1),
    output: BigInt(destination?.outputCurrency?.amount ?? -1),
  };
}

/** Millionths of a dollar, rounded down. */
function worth(currency: string, amount: bigint): bigint {
  const [decimals, price] = tokens[currency.split('/')[1] ?? ''] ?? [0, 0n];
  return (amount * price) / 10n ** BigInt(decimals);
}

function sum(fees: Record<Part, bigint>): bigint {
  return Object.values(fees).reduce((total, usd) => total + usd, 0n);
}

function expectNear(found: bigint, wanted: bigint, tolerance: bigint): void {
  const off = found - wanted;
  expect(off < 0n ? -off : off, `${found} is not ${wanted}`).toBeLessThanOrEqual(tolerance);
}

type Way = 'own' | 'batch' | 'sponsored batch' | 'permit';

/** A transfer from an account to itself or to another account. */
type Case = {
  from: string;
  to: string;
  amount: string;
  way: Way;
  account: Name;
  rest: Partial<Wish>;
};

type Observed = {
  quote: QuoteAnswer.Response & { requestId: string };
  record: RecordV3.Record;
  /** Balance changes of the user in base units, by currency such as `alpha/USDC`. */
  changes: Record<string, bigint>;
  /** Gas cost of the user's transactions in wei, from their receipts; on the venue, its fee in millionths of USDC. */
  outsideCost: bigint;
  /** What the sponsor paid, in millionths of a dollar. */
  sponsorPaid: bigint;
};

/** Quotes, pays as the case says, waits for the outcome and reads everything twice: from the record and the chains. */
async function observe(service: Service, { from, to, way, account, rest, ...asked }: Case): Promise<Observed> {
  const { sponsorBalance } = gaslessCustomer(service);
  const quote = await service.quote({
    from,
    to,
    amount: asked.amount,
    account,
    headers: key,
    recipient: holderOf(to, account),
    ...(way === 'batch' && { originGasOverhead: 80_000 }),
    ...(way === 'permit' && { usePermit: true }),
    ...rest,
  });
  const native = `${from.split('/')[0]}/${from.startsWith('lighter') ? 'USDC' : 'ETH'}`;
  const currencies = [...new Set([from, to, native])];
  const holdings = () => Promise.all(currencies.map((each) => holds(service, each, account, quote)));
  const [before, sponsorBefore] = [await holdings(), sponsorBalance()];
  const outsideCost = await pay(service, quote, way, account);
  expect(await service.end(quote.requestId)).toMatchObject({ status: 'success' });
  const after = await holdings();
  return {
    quote,
    record: await service.record(quote.requestId),
    changes: Object.fromEntries(currencies.map((each, index) => [each, (after[index] ?? 0n) - (before[index] ?? 0n)])),
    outsideCost,
    sponsorPaid: sponsorBefore - sponsorBalance(),
  };
}

/** The gas of a mined transaction by its receipt, in wei. */
async function gasOf(chain: Chain, hash: string): Promise<bigint> {
  const { gasUsed, effectiveGasPrice } = await connect(chain).getTransactionReceipt({ hash: hash as Hex });
  return gasUsed * effectiveGasPrice;
}

/** A decimal dollar amount in millionths. */
function micro(text: string | null | undefined): bigint {
  const found = Usd.from(text ?? '');
  if (found === undefined) throw new Error(`${text} is no amount of dollars.`);
  return found;
}

async function pay(service: Service, quote: Observed['quote'], way: Way, account: Name): Promise<bigint> {
  const { chainId } = quote.details.currencyIn.currency;
  const { alpha, beta } = service.chains;
  const chain = [alpha, beta].find(({ id }) => id === chainId);
  if (!chain) return (await settled(service.venue, await service.pay(quote, account))).usdcFee;
  if (way === 'own') return await payOneByOne(service, chain, quote, account);
  if (way === 'permit') {
    const { path, body } = await signPermit(quote, account);
    expect((await service.post(path, body)).status).toBe(200);
    return 0n;
  }
  const body = await bodyOf(chain, account, quote);
  const executionOptions = { ...body.executionOptions, subsidizeFees: way === 'sponsored batch' };
  const answer = await service.post('/execute', { ...body, executionOptions }, key);
  expect([answer.status, await answer.json()]).toEqual([200, expect.anything()]);
  return 0n;
}

/** Sends the quote's transactions as a wallet does; returns their cost from the receipts. */
async function payOneByOne(
  service: Service,
  chain: Chain,
  quote: QuoteAnswer.Response,
  account: Name,
): Promise<bigint> {
  const client = connectAs(chain, accounts[account]);
  let cost = 0n;
  for (const { data } of quote.steps.flatMap((step) => step.items)) {
    const { to, data: calldata, value, gas } = Step.evmTransaction.parse(data);
    const hash = await client.sendTransaction({ to, data: calldata, value: BigInt(value), gas: BigInt(gas ?? 0) });
    await client.waitForTransactionReceipt({ hash });
    cost += await gasOf(chain, hash);
    // A wallet notifies the service at once; otherwise the service would notice a moment later.
    await service.post('/transactions/single', {
      requestId: quote.requestId,
      chainId: String(chain.id),
      tx: JSON.stringify({ hash, from: accounts[account].address, to, data: calldata, value, chainId: chain.id }),
    });
  }
  return cost;
}

function holderOf(currency: string, account: Name): string {
  return currency.startsWith('lighter') ? String(indexOf(account)) : accounts[account].address;
}

/** The balance of the account; on the venue, of the account in the quote. */
async function holds(service: Service, currency: string, account: Name, quote: QuoteAnswer.Response): Promise<bigint> {
  if (!currency.startsWith('lighter')) return await service.holds(accounts[account].address, currency);
  const { recipient } = quote.details;
  const index = /^\d+$/.test(recipient) ? Number(recipient) : indexOf(account);
  return service.venue.account(index)?.usdc ?? 0n;
}
