/** A bill explained, as JSON: every part with what it is, who gets it and what it is of the input. */
import * as z from 'zod/mini';
import * as Amount from '../base/Amount.js';
import * as Usd from '../base/Usd.js';
import * as Network from '../network/Network.js';
import * as FeeTotals from '../quote/FeeTotals.js';
import * as FeeBill from './FeeBill.js';
import * as FeeCheck from './FeeCheck.js';
import * as FeeExpectation from './FeeExpectation.js';
import * as FeeNotes from './FeeNotes.js';
import * as FeeParts from './FeeParts.js';
import * as FeeSchedule from './FeeSchedule.js';
import * as FeeStage from './FeeStage.js';
import type * as GasCost from './GasCost.js';
import * as TransactionType from './TransactionType.js';

/** Dollars, base units and units of the input, basis points of it. A cost is negative. Null where it is not told. */
const money = z.object({
  usd: z.string(),
  amount: z.nullable(z.string()),
  formatted: z.nullable(z.string()),
  bps: z.nullable(z.string()),
});

const worth = z.object({
  chain: z.nullable(z.string()),
  chainId: z.nullable(z.int()),
  symbol: z.nullable(z.string()),
  amount: z.nullable(z.string()),
  formatted: z.nullable(z.string()),
  usd: z.nullable(z.string()),
});

const nullableText = z.nullable(z.string());

export const schema = z.object({
  source: z.enum(['quote', 'record']),
  requestId: z.string(),
  /** The service's word, of a record. */
  status: nullableText,
  input: worth,
  /** As quoted, once delivered as delivered. */
  output: worth,
  gasless: z.nullable(z.boolean()),
  components: z.array(
    z.object({
      component: z.enum(['execution', 'swap', 'platform', 'app', 'sponsored', 'rent']),
      what: z.string(),
      paidTo: z.string(),
      quoted: money,
      actual: z.nullable(money),
      /** Dollars, actual less quoted: negative where more was charged. */
      difference: nullableText,
      /** Dollars of it that a sponsor pays. */
      sponsored: nullableText,
      /** What it is made of, as far as that can be told. */
      parts: z.array(z.object({ part: z.string(), what: z.string(), usd: z.string() })),
    }),
  ),
  total: z.object({ quoted: money, actual: z.nullable(money), difference: nullableText }),
  /** Costs that are in no component, and so not in the total. */
  outside: z.array(
    z.object({
      cost: z.enum(['origin-gas', 'venue-fee']),
      paidTo: z.enum(['network', 'venue']),
      when: z.enum(['quoted', 'actual']),
      usd: nullableText,
      amount: z.string(),
      formatted: z.string(),
      symbol: z.string(),
      bps: nullableText,
    }),
  ),
  /** The three figures that the service recommends to show. */
  recommended: z.object({ providerFee: z.string(), appFee: z.string(), swapImpact: z.string(), sponsored: z.string() }),
  /** The platform fee of the published schedule next to the one that is charged. */
  schedule: z.nullable(
    z.object({
      type: z.enum(['bridge', 'wrap', 'stablecoin', 'major', 'minor']),
      bps: z.string(),
      predicted: z.string(),
      charged: z.string(),
      difference: z.string(),
      onSchedule: z.boolean(),
    }),
  ),
  sponsorship: z.nullable(
    z.object({
      parts: z.array(
        z.object({ component: z.string(), total: z.string(), sponsored: z.string(), userPays: z.string() }),
      ),
      sponsored: nullableText,
      userPays: nullableText,
      capped: z.boolean(),
    }),
  ),
  /** The deprecated fields, and what of the components they are. */
  deprecated: z.nullable(
    z.object({
      fields: z.array(z.object({ field: z.string(), usd: z.string(), is: z.string() })),
      /** The part of the swap that is in `relayer`, and the part that no deprecated field has. */
      swapInside: nullableText,
      swapLeftOut: nullableText,
    }),
  ),
  checks: z.array(
    z.object({
      check: z.string(),
      verdict: z.enum(['holds', 'broken', 'cannot tell']),
      expected: z.string(),
      found: z.string(),
    }),
  ),
  notes: z.array(z.string()),
  /** What --check was held to, and what of it is not met. */
  expectation: z.nullable(
    z.object({ tolerance: z.string(), strictSchedule: z.boolean(), met: z.boolean(), unmet: z.array(z.string()) }),
  ),
});

export type Statement = z.output<typeof schema>;

/** What is known beside the bill. */
export type Knowledge = {
  network: Network.Network;
  /** Whether the venue knows the account that is paid as active; undefined where it was not asked. */
  isActive?: boolean | undefined;
  expectation?: FeeExpectation.Expectation | undefined;
};

/** The bill explained. */
export function from(bill: FeeBill.Bill, { network, isActive, expectation }: Knowledge): Statement {
  const { input, output, quoted, actual, sponsorship, deprecated } = bill;
  const inputUsd = FeeBill.inputUsd(bill);
  const of = { inputUsd, input: input.amount, decimals: input.decimals };
  const schedule = compare(bill, inputUsd, network);
  const checks = FeeCheck.from(bill);
  const where = FeeBill.sponsoring(bill);
  const excess = FeeBill.excess(bill);
  const total = {
    quoted: toMoney(FeeStage.total(quoted, where), undefined, of),
    actual: actual ? toMoney(FeeStage.total(actual, where), undefined, of) : null,
    difference: excess === undefined ? null : Usd.formatWire(-excess),
  };
  const unmet = expectation
    ? FeeExpectation.unmet({ checks, schedule, moreUsd: excess ?? 0n, inputUsd }, expectation)
    : [];
  return {
    source: bill.source,
    requestId: bill.requestId,
    status: bill.status ?? null,
    input: toWorth(input, network),
    output: toWorth(output, network),
    gasless: bill.isGasless ?? null,
    components: FeeParts.from(bill, { isActive }).map(({ name, what, paidTo, parts }) => {
      const [before, after] = [FeeParts.usd(quoted, name), actual && FeeParts.usd(actual, name)];
      const given = sponsorship?.parts.find(({ component }) => component === name);
      const stated = name === 'rent' ? undefined : quoted.amounts[name];
      return {
        component: name,
        what,
        paidTo,
        quoted: toMoney(before, stated, of),
        actual:
          actual && after !== undefined ? toMoney(after, name === 'rent' ? undefined : actual.amounts[name], of) : null,
        difference: excess !== undefined && after !== undefined ? Usd.formatWire(after - before) : null,
        sponsored: given ? Usd.formatWire(given.sponsored) : null,
        parts: parts.map(({ usd, ...rest }) => ({ ...rest, usd: Usd.formatWire(usd) })),
      };
    }),
    total,
    outside: bill.costs.map((cost) => toOutside(cost, inputUsd)),
    recommended: wire(FeeTotals.display(quoted.fees)),
    schedule: schedule
      ? {
          type: schedule.type,
          bps: String(schedule.bps),
          ...wire({ predicted: schedule.predicted, charged: schedule.charged, difference: schedule.difference }),
          onSchedule: schedule.isOnSchedule,
        }
      : null,
    sponsorship: sponsorship
      ? {
          parts: sponsorship.parts.map(({ component, total: whole, sponsored, userPays }) => ({
            component,
            ...wire({ total: whole, sponsored, userPays }),
          })),
          sponsored: orNull(sponsorship.sponsored),
          userPays: orNull(sponsorship.userPays),
          capped: sponsorship.isCapped,
        }
      : null,
    deprecated: deprecated
      ? {
          fields: deprecated.fields.map(({ usd, ...rest }) => ({ ...rest, usd: Usd.formatWire(usd) })),
          swapInside: orNull(deprecated.swapInside),
          swapLeftOut: orNull(deprecated.swapLeftOut),
        }
      : null,
    checks,
    notes: FeeNotes.from(bill, { isActive, schedule, network }),
    expectation: expectation
      ? {
          tolerance: FeeExpectation.format(expectation.tolerance),
          strictSchedule: expectation.isScheduleStrict,
          met: unmet.length === 0,
          unmet,
        }
      : null,
  };
}

function compare(
  bill: FeeBill.Bill,
  inputUsd: bigint | undefined,
  network: Network.Network,
): FeeSchedule.Comparison | undefined {
  const [origin, destination] = [bill.input, bill.output].map((side) => TransactionType.sideNamed(side, network));
  if (!origin || !destination || inputUsd === undefined) return undefined;
  const type = TransactionType.from(origin, destination);
  return FeeSchedule.compare(type, bill.quoted.fees.platform, { inputUsd, input: bill.input.amount });
}

type Whole = { inputUsd: bigint | undefined; input: bigint | undefined; decimals: number | undefined };

/** Dollars as money; the base units as stated, else at the price of the input. */
function toMoney(
  usd: bigint,
  stated: bigint | undefined,
  { inputUsd, input, decimals }: Whole,
): Statement['total']['quoted'] {
  const reckoned = inputUsd && input !== undefined ? (usd * input) / inputUsd : undefined;
  const amount = stated === undefined ? reckoned : usd < 0n ? -stated : stated;
  return {
    usd: Usd.formatWire(usd),
    amount: amount === undefined ? null : String(amount),
    formatted: amount === undefined || decimals === undefined ? null : Amount.format(amount, decimals),
    bps: inputUsd === undefined ? null : (Usd.formatBps(usd, inputUsd) ?? null),
  };
}

function toWorth(
  { chainId, symbol, decimals, amount, usd }: FeeBill.Worth,
  network: Network.Network,
): Statement['input'] {
  const chain = chainId === undefined ? undefined : Network.chainById(network, chainId);
  return {
    chain: chain?.name ?? null,
    chainId: chainId ?? null,
    symbol: symbol ?? null,
    amount: amount === undefined ? null : String(amount),
    formatted: amount === undefined || decimals === undefined ? null : Amount.format(amount, decimals),
    usd: orNull(usd),
  };
}

function toOutside(
  { kind, takenBy, when, usd, amount, symbol, decimals }: GasCost.Cost,
  inputUsd: bigint | undefined,
): Statement['outside'][number] {
  return {
    cost: kind,
    paidTo: takenBy,
    when,
    usd: orNull(usd),
    amount: String(amount),
    formatted: Amount.format(amount, decimals),
    symbol,
    bps: usd === undefined || inputUsd === undefined ? null : (Usd.formatBps(usd, inputUsd) ?? null),
  };
}

function orNull(usd: bigint | undefined): string | null {
  return usd === undefined ? null : Usd.formatWire(usd);
}

function wire<K extends string>(dollars: Readonly<Record<K, bigint>>): Record<K, string> {
  return Object.fromEntries(Object.entries<bigint>(dollars).map(([key, usd]) => [key, Usd.formatWire(usd)])) as Record<
    K,
    string
  >;
}
