/**
 * The deprecated `fees` next to the components. `relayer` is the sum of `relayerGas` and `relayerService`, and covers
 * execution, platform and the solver's rebalancing; what exchanges take, and where the user pays it the origin's gas,
 * are not in it.
 */
import type * as LegacyFees from '../api/schema/LegacyFees.js';
import * as Usd from '../base/Usd.js';
import type * as Quote from '../quote/Quote.js';

/** Dollars are millionths and costs are negative. Undefined where the answer does not say. */
export type Reconciliation = {
  fields: readonly Field[];
  /** Whether `relayer` is the sum of its parts. */
  isRelayerSum: boolean | undefined;
  /** The part of the swap that `relayer` includes: rebalancing. */
  swapInside: bigint | undefined;
  /** The part of the swap that the deprecated fields leave out: exchange fees and price impact. */
  swapLeftOut: bigint | undefined;
};

/** One deprecated field, and what of the components it is. */
export type Field = { field: string; usd: bigint; is: string };

const meanings = {
  gas: 'what the origin’s network, or the venue, takes: outside the components',
  relayer: 'execution, platform and the rebalancing of the swap',
  relayerGas: 'the gas in the execution',
  relayerService: 'the flat fee, platform and rebalancing',
  app: 'app',
  subsidized: 'sponsored',
} as const satisfies Partial<Record<keyof LegacyFees.DeprecatedFees, string>>;

/** What the deprecated fields of a quote are; undefined where there are none. */
export function ofAnswer({ response, fees }: Quote.Answer): Reconciliation | undefined {
  const old = response.fees;
  if (!old) return undefined;
  const fields = (Object.keys(meanings) as (keyof typeof meanings)[]).flatMap((field): Field[] => {
    const usd = Usd.from(old[field]?.amountUsd ?? '');
    if (usd === undefined) return [];
    return [{ field, usd: field === 'subsidized' ? usd : -usd, is: meanings[field] }];
  });
  const relayer = fields.find(({ field }) => field === 'relayer')?.usd;
  const swapInside = relayer === undefined ? undefined : relayer - fees.execution - fees.platform;
  return {
    fields,
    isRelayerSum: isRelayerSum(old),
    swapInside,
    swapLeftOut: swapInside === undefined ? undefined : fees.swap - swapInside,
  };
}

/** The dollars of the deprecated object of requests/v2, which has words of its own. */
export type OldFees = Readonly<Record<string, string | null | undefined>>;

const oldMeanings: Readonly<Record<string, string>> = {
  gas: 'execution',
  fixed: 'a fixed part that is no longer charged',
  price: 'swap, as it was valued then',
  gateway: 'platform',
};

/** What the deprecated fields of a record of requests/v2 are. */
export function ofRecord(feesUsd: OldFees | null | undefined): Reconciliation | undefined {
  if (!feesUsd) return undefined;
  const fields = Object.entries(oldMeanings).flatMap(([field, is]): Field[] => {
    const usd = Usd.from(feesUsd[field] ?? '');
    return usd === undefined ? [] : [{ field, usd: -usd, is }];
  });
  return { fields, isRelayerSum: undefined, swapInside: undefined, swapLeftOut: undefined };
}

/** In base units where the three are of one currency, else in dollars within a unit for each. */
function isRelayerSum({ relayer, relayerGas, relayerService }: LegacyFees.DeprecatedFees): boolean | undefined {
  if (!relayer || !relayerGas || !relayerService) return undefined;
  const all = [relayer, relayerGas, relayerService];
  const currencies = new Set(all.map(({ currency: { chainId, address } }) => `${chainId}/${address.toLowerCase()}`));
  if (currencies.size === 1)
    return BigInt(relayer.amount) === BigInt(relayerGas.amount) + BigInt(relayerService.amount);
  const [sum, gas, service] = all.map(({ amountUsd }) => Usd.from(amountUsd));
  if (sum === undefined || gas === undefined || service === undefined) return undefined;
  const off = sum - gas - service;
  return off <= 3n && off >= -3n;
}
