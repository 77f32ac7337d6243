/** An explained bill as JSON: every component with its meaning, its payee and its share of the input. */
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
import * as RecordedAppFees from './RecordedAppFees.js';
import * as TransactionType from './TransactionType.js';

/**
 * An amount in decimal dollars, in base units and token units of the input, and in basis points of the input. Costs are
 * negative. Null if unknown.
 */
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
  status: nullableText,
  input: worth,
  /** As quoted, or as delivered once the request is filled. */
  output: worth,
  gasless: z.nullable(z.boolean()),
  components: z.array(
    z.object({
      component: z.enum(['execution', 'swap', 'platform', 'app', 'sponsored', 'rent']),
      what: z.string(),
      paidTo: z.string(),
      quoted: money,
      actual: z.nullable(money),
      /** Actual minus quoted in dollars: negative if more was charged. */
      difference: nullableText,
      /** Dollars that a sponsor pays. */
      sponsored: nullableText,
      /** The parts of the component, as far as they are known. */
      parts: z.array(z.object({ part: z.string(), what: z.string(), usd: z.string() })),
    }),
  ),
  total: z.object({ quoted: money, actual: z.nullable(money), difference: nullableText }),
  /** The app fees of a record, quoted and charged; empty for a quote, which does not state them. */
  appFees: RecordedAppFees.schema,
  /** Costs that no component, and so not the total, includes. */
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
  /** The figures that the service recommends displaying. */
  recommended: z.object({ providerFee: z.string(), appFee: z.string(), swapImpact: z.string(), sponsored: z.string() }),
  /** The platform fee by the published schedule compared with the charged one. */
  schedule: z.nullable(
    z.object({
      type: z.enum(TransactionType.types),
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
  /** The deprecated fields, and the components that they correspond to. */
  deprecated: z.nullable(
    z.object({
      fields: z.array(z.object({ field: z.string(), usd: z.string(), is: z.string() })),
      /** The part of the swap that `relayer` includes, and the part that no deprecated field includes. */
      swapInside: nullableText,
      swapLeftOut: nullableText,
    }),
  ),
  checks: z.array(FeeCheck.schema),
  notes: z.array(z.string()),
  /** The requirements of --check, and those that are not met. */
  expectation: z.nullable(
    z.object({ tolerance: z.string(), strictSchedule: z.boolean(), met: z.boolean(), unmet: z.array(z.string()) }),
  ),
});

export type Statement = z.output<typeof schema>;

export type Knowledge = {
  network: Network.Network;
  /** Whether the receiving account is active at the venue; undefined if unknown. */
  isActive?: boolean | undefined;
  expectation?: FeeExpectation.Expectation | undefined;
};

export function from(bill: FeeBill.FeeBill, { network, isActive, expectation }: Knowledge): Statement {
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
    difference: Usd.orNull(excess && -excess),
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
      const paid = sponsorship?.parts.find(({ component }) => component === name);
      const stated = name === 'rent' ? undefined : quoted.amounts[name];
      return {
        component: name,
        what,
        paidTo,
        quoted: toMoney(before, stated, of),
        actual:
          actual && after !== undefined ? toMoney(after, name === 'rent' ? undefined : actual.amounts[name], of) : null,
        difference: excess !== undefined && after !== undefined ? Usd.formatWire(after - before) : null,
        sponsored: Usd.orNull(paid?.sponsored),
        parts: parts.map(({ usd, ...rest }) => ({ ...rest, usd: Usd.formatWire(usd) })),
      };
    }),
    total,
    appFees: [...bill.recordedAppFees],
    outside: bill.costs.map((cost) => ({
      cost: cost.kind,
      paidTo: cost.takenBy,
      when: cost.when,
      usd: Usd.orNull(cost.usd),
      ...Amount.toDocument(cost.amount, cost.decimals),
      symbol: cost.symbol,
      bps: Usd.formatBps(cost.usd, inputUsd) ?? null,
    })),
    recommended: Usd.wires(FeeTotals.display(quoted.fees)),
    schedule: schedule
      ? {
          type: schedule.type,
          bps: String(schedule.bps),
          ...Usd.wires({ predicted: schedule.predicted, charged: schedule.charged, difference: schedule.difference }),
          onSchedule: schedule.isOnSchedule,
        }
      : null,
    sponsorship: sponsorship
      ? {
          parts: sponsorship.parts.map(({ component, total: whole, sponsored, userPays }) => ({
            component,
            ...Usd.wires({ total: whole, sponsored, userPays }),
          })),
          sponsored: Usd.orNull(sponsorship.sponsored),
          userPays: Usd.orNull(sponsorship.userPays),
          capped: sponsorship.isCapped,
        }
      : null,
    deprecated: deprecated
      ? {
          fields: deprecated.fields.map(({ usd, ...rest }) => ({ ...rest, usd: Usd.formatWire(usd) })),
          swapInside: Usd.orNull(deprecated.swapInside),
          swapLeftOut: Usd.orNull(deprecated.swapLeftOut),
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
  bill: FeeBill.FeeBill,
  inputUsd: bigint | undefined,
  network: Network.Network,
): FeeSchedule.Comparison | undefined {
  const [origin, destination] = [bill.input, bill.output].map((side) => TransactionType.sideNamed(side, network));
  if (!origin || !destination || inputUsd === undefined) return undefined;
  const type = TransactionType.from(origin, destination);
  return FeeSchedule.compare(type, bill.quoted.fees.platform, { inputUsd, input: bill.input.amount });
}

type Whole = { inputUsd: bigint | undefined; input: bigint | undefined; decimals: number | undefined };

/** An amount of dollars with its base units: as stated, else converted at the input's price. */
function toMoney(
  usd: bigint,
  stated: bigint | undefined,
  { inputUsd, input, decimals }: Whole,
): Statement['total']['quoted'] {
  const converted = inputUsd && input !== undefined ? (usd * input) / inputUsd : undefined;
  const amount = stated === undefined ? converted : usd < 0n ? -stated : stated;
  return {
    usd: Usd.formatWire(usd),
    amount: amount === undefined ? null : String(amount),
    formatted: amount === undefined || decimals === undefined ? null : Amount.format(amount, decimals),
    bps: Usd.formatBps(usd, inputUsd) ?? null,
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
    usd: Usd.orNull(usd),
  };
}
