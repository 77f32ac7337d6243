/** The shape of a bill explained, as `ferry fees explain --json` gives it. */
import * as z from 'zod/mini';

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
