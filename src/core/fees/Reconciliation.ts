/**
 * Relates the deprecated `fees` to the components. `relayer` is the sum of `relayerGas` and `relayerService`, and
 * covers execution, platform and the solver's rebalancing. It excludes exchange fees, and the origin gas if the user
 * pays it.
 */
import type * as QuoteV2 from '../api/QuoteV2.js';
import type * as RequestsV2 from '../api/RequestsV2.js';
import * as Usd from '../base/Usd.js';
import type * as Quote from '../quote/Quote.js';

/** The deprecated fields in millionths of a dollar; costs are negative. Undefined if the answer does not state them. */
export type Reconciliation = {
  fields: readonly Field[];
  isRelayerSum: boolean | undefined;
  /** The part of the swap component that `relayer` includes: rebalancing. */
  swapInside: bigint | undefined;
  /** The part of the swap component that no deprecated field includes: exchange fees and price impact. */
  swapLeftOut: bigint | undefined;
};

/** One deprecated field, and the components that it corresponds to. */
export type Field = { field: string; usd: bigint; is: string };

type OldQuoteFees = NonNullable<QuoteV2.Response['fees']>;

const meanings = {
  gas: 'origin gas, or the venue’s fee: outside the components',
  relayer: 'execution, platform and the rebalancing part of swap',
  relayerGas: 'the gas part of execution',
  relayerService: 'the flat fee, platform and rebalancing',
  app: 'app',
  subsidized: 'sponsored',
} as const satisfies Partial<Record<keyof OldQuoteFees, string>>;

/** Explains the deprecated fields of a quote; undefined if there are none. */
export function ofAnswer({ response, fees }: Quote.Answer): Reconciliation | undefined {
  const old = response.fees;
  if (!old) return undefined;
  const fields = ofWords(old, meanings, inDollars);
  const relayer = fields.find(({ field }) => field === 'relayer')?.usd;
  const swapInside = relayer === undefined || !fees ? undefined : relayer - fees.execution - fees.platform;
  return {
    fields,
    isRelayerSum: isRelayerSum(old),
    swapInside,
    swapLeftOut: swapInside === undefined || !fees ? undefined : fees.swap - swapInside,
  };
}

/** The deprecated fees of a requests/v2 record: in base units and in dollars, or amounts with their currency. */
export type OldFees = Pick<NonNullable<RequestsV2.Record['data']>, 'fees' | 'feesUsd'>;

const oldMeanings = {
  gas: 'execution',
  fixed: 'a fixed fee that is no longer charged',
  price: 'swap, as valued at the time',
  gateway: 'platform',
} as const satisfies Partial<Record<keyof RequestsV2.OldFees, string>>;

/** Explains the deprecated fields of a requests/v2 record in either form; undefined if there are none in dollars. */
export function ofRecord({ fees, feesUsd }: OldFees): Reconciliation | undefined {
  const stated = ofWords(feesUsd, oldMeanings, (value) => (typeof value === 'string' ? value : value.amountUsd));
  const amounts = ofWords(fees, meanings, inDollars);
  const fields = stated.length > 0 ? stated : amounts;
  if (fields.length === 0 && !feesUsd) return undefined;
  return { fields, isRelayerSum: undefined, swapInside: undefined, swapLeftOut: undefined };
}

type OldFee = NonNullable<RequestsV2.OldFees['gas']>;

function inDollars(fee: OldFee): string | null | undefined {
  return typeof fee === 'string' ? undefined : fee.amountUsd;
}

function ofWords(
  old: RequestsV2.OldFees | null | undefined,
  words: Partial<Record<keyof RequestsV2.OldFees, string>>,
  dollars: (value: OldFee) => string | null | undefined,
): Field[] {
  return Object.entries(words).flatMap(([field, is]): Field[] => {
    const value = old?.[field as keyof RequestsV2.OldFees];
    const usd = Usd.from((value && dollars(value)) ?? '');
    return usd === undefined ? [] : [{ field, usd: field === 'subsidized' ? usd : -usd, is }];
  });
}

/** Compares base units if all three are in one currency, else dollars within one unit each. */
function isRelayerSum({ relayer, relayerGas, relayerService }: OldQuoteFees): boolean | undefined {
  if (!relayer || !relayerGas || !relayerService) return undefined;
  const all = [relayer, relayerGas, relayerService];
  const currencies = new Set(all.map(({ currency: { chainId, address } }) => `${chainId}/${address.toLowerCase()}`));
  if (currencies.size === 1)
    return BigInt(relayer.amount) === BigInt(relayerGas.amount) + BigInt(relayerService.amount);
  const [sum, gas, service] = all.map(({ amountUsd }) => Usd.from(amountUsd ?? ''));
  if (sum === undefined || gas === undefined || service === undefined) return undefined;
  const off = sum - gas - service;
  return off <= 3n && off >= -3n;
}
