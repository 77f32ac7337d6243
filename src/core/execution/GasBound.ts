/**
 * Bounds on the gas of the account's own transactions. Fees, estimates and the base fee are one node's word, so what is
 * signed is held to the fees that the quote states and to a cap in dollars, at prices that are not the node's.
 *
 * Above the bound on the fee per gas or the tip, the figure is lowered, and refused if the base fee alone is above.
 * Above the bound on the gas limit or the cap it is refused. `--allow gas` lifts the bounds that are multiples, never
 * the cap. The figure that a person was shown bounds what is signed afterwards.
 *
 * Prices come from the quote, else from the service, never from the node. The fee for data on the parent chain, which
 * most rollups charge beside the gas, is not in the figure: a transaction cannot bound it, and the node sets no part of
 * it. Within the bounds a node can still lie: three times the fee of the quote is the most that it can cause.
 */

import type * as z from 'zod/mini';
import * as Amount from '../base/Amount.js';
import { BaseError } from '../base/Errors.js';
import * as Usd from '../base/Usd.js';
import type * as Network from '../network/Network.js';
import type { GasOffer, GasPrice, Service } from '../ports/Ports.js';
import * as Currency from '../quote/Currency.js';
import type { Finding } from '../quote/Finding.js';
import * as Quote from '../quote/Quote.js';
import type * as QuoteDocument from '../quote/QuoteDocument.js';
import type { Caps } from '../quote/TransferIntent.js';

/** What bounds the gas on a chain. */
export type Bounds = {
  chain: Pick<Network.Chain, 'name' | 'native' | 'maxTipWei'>;
  /** The fees that the quote states, or that were signed before; undefined if there are none. */
  stated: GasPrice | undefined;
  /** Millionths of a dollar for a whole native token, each by another source. The highest counts. */
  prices: readonly bigint[];
  /** Most that the gas may cost, in millionths of a dollar. */
  maxUsd: bigint;
  /** Highest tip per unit of gas in wei, in place of the chain's. */
  maxTipWei: bigint | undefined;
  /** Whether the gas must have a price in dollars. */
  realMoney: boolean;
  /** Whether the user accepts what only the node says. */
  isAllowed: boolean;
  /** Most that the user was shown before agreeing, in wei; undefined if nobody was asked. */
  agreed?: bigint | undefined;
};

/** Most that the gas of some transactions can cost. */
export type Bill = {
  /** Units of gas. */
  limit: bigint;
  /** wei */
  maxFeePerGas: bigint;
  /** wei */
  amount: bigint;
  /** Millionths of a dollar; undefined if no price is known. */
  usd: bigint | undefined;
};

/** Most that gas may cost if the user says nothing else: 25 dollars. */
export const defaultMaxUsd = 25_000_000n;

/** The highest tip where the base fee and the chain's data allow no more: 3 gwei. */
export const defaultMaxTipWei = 3_000_000_000n;

/** How many times the stated fee per gas may be exceeded. */
const feeMultiple = 3n;

/** How many times the usual gas a node's estimate may be. */
const estimateMultiple = 5n;

/** Margin on an estimate, in percent. */
const marginPercent = 25n;

/** Units of gas that transactions usually use. */
const usualGas = { approve: 80_000n, other: 150_000n, unstated: 700_000n };

/** wei per whole native token, whatever decimals the token has as a currency. */
const weiPerToken = 10n ** 18n;

/** An estimate in dollars is rounded to millionths: below this many it is no price. */
const leastDigits = 10n;

/** The bounds for a quote. `prices` are those from elsewhere. */
export function from(
  quote: Quote.Quote,
  caps: Pick<Caps, 'maxGasUsd' | 'maxTipWei'> = {},
  {
    realMoney = false,
    allow = [],
    prices = [],
  }: { realMoney?: boolean; allow?: readonly string[]; prices?: readonly bigint[] } = {},
): Bounds {
  return {
    chain: quote.intent.origin.chain,
    stated: statedBy(quote),
    prices: [...pricesOf(quote), ...prices],
    maxUsd: caps.maxGasUsd ?? defaultMaxUsd,
    maxTipWei: caps.maxTipWei,
    realMoney,
    isAllowed: allow.includes('gas'),
  };
}

/** The prices of the native token that a quote implies, in millionths of a dollar. */
export function pricesOf({ originGas, input, inputUsd, intent }: Quote.Quote): bigint[] {
  if (intent.origin.chain.vm !== 'evm') return [];
  const sent =
    Currency.isNative(intent.origin) && inputUsd !== undefined ? { amount: input, usd: inputUsd } : undefined;
  return [originGas, sent].flatMap((each) =>
    each && each.amount > 0n && each.usd >= leastDigits ? [(each.usd * weiPerToken) / each.amount] : [],
  );
}

/** The service's price of the native token, in millionths of a dollar; undefined if it states none. */
export async function servicePrice(
  { id, native }: Pick<Network.Chain, 'id' | 'native'>,
  service: Pick<Service, 'tokenPrice'>,
): Promise<bigint | undefined> {
  // Without a price the bounds are fewer, and say so: that the service is out is no reason to fail here.
  const price = await service.tokenPrice({ chainId: id, address: native.address }).catch(() => undefined);
  if (price === undefined || !(price > 0) || price > 1e9) return undefined;
  return Usd.from(price.toFixed(Usd.decimals));
}

/** The highest fees that the quote's transactions state; undefined if they state none. */
function statedBy(quote: Quote.Quote): GasPrice | undefined {
  const found = Quote.transactions(quote).flatMap(({ fees }) => (fees && fees.maxFeePerGas > 0n ? [fees] : []));
  if (found.length === 0) return undefined;
  return {
    maxFeePerGas: Amount.greatest(found.map(({ maxFeePerGas }) => maxFeePerGas)),
    maxPriorityFeePerGas: Amount.greatest(found.map(({ maxPriorityFeePerGas }) => maxPriorityFeePerGas)),
  };
}

/**
 * The fees to sign with: those of the node, the tip and the whole lowered to the bounds.
 *
 * @throws verify.cap if the base fee alone is above the bound, so that a transaction within it would never be mined
 */
export function price(offer: GasOffer, bounds: Bounds): GasPrice {
  const { baseFeePerGas } = offer;
  const ceiling = bounds.stated && !bounds.isAllowed ? feeMultiple * bounds.stated.maxFeePerGas : undefined;
  if (ceiling !== undefined && baseFeePerGas > ceiling)
    throw new BaseError(
      'verify.cap',
      `The node of ${bounds.chain.name} asks for more than three times the fee that was stated before.`,
      {
        facts: [
          ['base fee by the node', gwei(offer.baseFeePerGas)],
          ['tip by the node', gwei(offer.maxPriorityFeePerGas)],
          ['fee per gas stated before', gwei(bounds.stated?.maxFeePerGas ?? 0n)],
          ['allowed', gwei(ceiling)],
        ],
        hint: `Compare the fees with another node of ${bounds.chain.name}. If they are right, request a new quote, or add --allow gas: then --max-gas-usd alone bounds them.`,
      },
    );
  const tip = Amount.least([
    offer.maxPriorityFeePerGas,
    tipBound(offer, bounds),
    ...(ceiling === undefined ? [] : [ceiling - baseFeePerGas]),
  ]);
  // The base fee rises by at most an eighth per block, so twice the current fee covers five full blocks.
  const wanted = 2n * baseFeePerGas + tip;
  const maxFeePerGas = ceiling === undefined || wanted < ceiling ? wanted : ceiling;
  return { maxFeePerGas, maxPriorityFeePerGas: tip };
}

/** The highest tip that is signed: a fixed one, or twice the base fee, or what the quote states independently. */
function tipBound({ baseFeePerGas }: GasOffer, { chain, stated, maxTipWei }: Bounds): bigint {
  if (maxTipWei !== undefined) return maxTipWei;
  return Amount.greatest([chain.maxTipWei ?? defaultMaxTipWei, 2n * baseFeePerGas, stated?.maxPriorityFeePerGas ?? 0n]);
}

/** A sentence for the user if the node suggests a tip above the highest that is paid on the chain. */
export function noteOf(offer: GasOffer, bounds: Bounds): string | undefined {
  const most = tipBound(offer, bounds);
  if (offer.maxPriorityFeePerGas <= most) return undefined;
  return `The node of ${bounds.chain.name} suggests a tip of ${gwei(offer.maxPriorityFeePerGas)} per gas. ferry pays at most ${gwei(most)}; FERRY_MAX_TIP sets another maximum, in gwei.`;
}

/** The gas that a transaction of a quote is expected to use: what the quote states, else what is usual. */
export function expected({ gas, call }: Pick<Quote.Transaction, 'gas' | 'call'>): bigint {
  if (gas !== undefined) return gas;
  if (call?.function === 'approve') return usualGas.approve;
  return call?.function.startsWith('deposit') ? usualGas.other : usualGas.unstated;
}

/** The most that a node may estimate for a transaction of a quote. A figure of the quote only raises it. */
export function mostEstimated(transaction: Pick<Quote.Transaction, 'gas' | 'call'>): bigint {
  const { gas = 0n } = transaction;
  return estimateMultiple * Amount.greatest([gas, expected({ ...transaction, gas: undefined })]);
}

/** The most that a node may estimate for revoking an allowance, and for a transaction without calldata. */
export const mostForApproval = estimateMultiple * usualGas.approve;
export const mostForEmpty = estimateMultiple * usualGas.other;

/** An estimate with a margin for changes until the transaction is mined. */
export function withMargin(gas: bigint): bigint {
  return (gas * (100n + marginPercent)) / 100n;
}

/**
 * The gas that a transaction needs, by what it used in a simulation. That is after refunds, which are at most a fifth of
 * what was used before them. A call inside gets at most 63/64 of the gas that is left, so some has to be left over at
 * each depth: the margin on an estimate covers fourteen, and a simulation with this very limit shows that it is enough.
 */
export function needed(used: bigint): bigint {
  return Amount.divideUp(used * 5n, 4n);
}

/**
 * The gas limit for a node's estimate.
 *
 * @throws verify.cap if the node estimates several times what such a transaction uses
 */
export function limit(estimate: bigint, most: bigint, bounds: Bounds): bigint {
  if (estimate > most && !bounds.isAllowed)
    throw new BaseError(
      'verify.cap',
      `The node of ${bounds.chain.name} estimates far more gas than such a transaction uses.`,
      {
        facts: [
          ['estimated by the node', String(estimate)],
          ['allowed', String(most)],
        ],
        hint: `Compare the estimate with another node of ${bounds.chain.name}. If it is right, add --allow gas: then --max-gas-usd alone bounds it.`,
      },
    );
  return withMargin(estimate);
}

/** Most that so much gas can cost at these fees, with the wei that were signed for before. */
export function bill(gas: bigint, { maxFeePerGas }: GasPrice, bounds: Bounds, used = 0n): Bill {
  return { limit: gas, maxFeePerGas, ...cost(used + gas * maxFeePerGas, bounds) };
}

/** An amount of wei with its price. */
export function cost(amount: bigint, { prices }: Bounds): Pick<Bill, 'amount' | 'usd'> {
  // Rounded up, so that it is never less than it will be.
  const usd = prices.length > 0 ? Amount.divideUp(amount * Amount.greatest(prices), weiPerToken) : undefined;
  return { amount, usd };
}

/** Most that the transactions of a quote are expected to cost. */
export function billOf(quote: Quote.Quote, fees: GasPrice, bounds: Bounds): Bill {
  const gas = Quote.transactions(quote).reduce((sum, each) => sum + withMargin(expected(each)), 0n);
  return bill(gas, fees, bounds);
}

/** @throws verify.cap if the gas can cost more than the cap */
export function assertWithin(of: Bill, bounds: Bounds): void {
  if (of.usd !== undefined && of.usd > bounds.maxUsd) {
    const dollars = (of.usd ?? 0n) / 1_000_000n + 1n;
    throw new BaseError('verify.cap', `Gas on ${bounds.chain.name} would cost more than --max-gas-usd allows.`, {
      facts: [
        ['gas', words(of, bounds)],
        ['allowed', Usd.format(bounds.maxUsd)],
        ['fee per gas', gwei(of.maxFeePerGas)],
        ['gas limit', String(of.limit)],
      ],
      hint: `The fees are those that your node of ${bounds.chain.name} reports. Compare them with another node; if they are right, wait or add --max-gas-usd ${dollars}.`,
    });
  }
}

/**
 * The fees, lowered so that this transaction and the later ones cost no more than the user has agreed to.
 *
 * @param used wei that were signed for before
 * @throws verify.cap if the base fee has risen too much for that
 */
export function fitted(
  fees: GasPrice,
  { baseFeePerGas, gas, later, used }: { baseFeePerGas: bigint; gas: bigint; later: bigint; used: bigint },
  bounds: Bounds,
): GasPrice {
  const { agreed } = bounds;
  const units = gas + later;
  if (agreed === undefined || used + units * fees.maxFeePerGas <= agreed) return fees;
  const maxFeePerGas = agreed > used ? (agreed - used) / units : 0n;
  if (maxFeePerGas < baseFeePerGas) {
    const amount = (wei: bigint): string => words(cost(wei, bounds), bounds);
    throw new BaseError('verify.cap', `Gas on ${bounds.chain.name} has risen above what you agreed to.`, {
      facts: [
        ['needed now', amount(used + units * baseFeePerGas).replace('at most', 'at least')],
        ['agreed', amount(agreed)],
      ],
      hint: 'Start again to see the new figure.',
    });
  }
  return { maxFeePerGas, maxPriorityFeePerGas: Amount.least([fees.maxPriorityFeePerGas, maxFeePerGas]) };
}

/** Whether nothing but the node says what the gas is worth, and that matters. */
export function isUnpriced({ usd }: Bill, { realMoney }: Bounds): boolean {
  return usd === undefined && realMoney;
}

/** The finding about a quote's gas. */
export function finding(of: Bill, bounds: Bounds): Finding {
  const { usd } = of;
  const wanted = `at most ${Usd.format(bounds.maxUsd)}`;
  const found = { check: 'gas', subject: undefined, expected: wanted };
  if (usd !== undefined) return { ...found, verdict: 'verified', found: words(of, bounds) };
  const why = `${words(of, bounds)}, and no price of ${bounds.chain.native.symbol} is known`;
  return bounds.realMoney
    ? { ...found, verdict: 'cannot verify', found: why, witnesses: ['the node'] }
    : { ...found, verdict: 'not checked', expected: '', found: why };
}

/** The figure for a person: `at most 0.0012 ETH ($3.00)`. */
export function words({ amount, usd }: Pick<Bill, 'amount' | 'usd'>, { chain }: Pick<Bounds, 'chain'>): string {
  const { symbol, decimals } = chain.native;
  return `at most ${Amount.shorten(Amount.format(amount, decimals))} ${symbol}${usd === undefined ? '' : ` (${Usd.format(usd)})`}`;
}

type GasCost = z.output<typeof QuoteDocument.gasCost>;

/** The figure as JSON. */
export function toDocument({ amount, usd }: Pick<Bill, 'amount' | 'usd'>, { chain }: Pick<Bounds, 'chain'>): GasCost {
  const { symbol, decimals } = chain.native;
  return {
    ...Amount.toDocument(amount, decimals),
    symbol,
    usd: usd === undefined ? null : Usd.formatWire(usd),
  };
}

/** The sentence of a question. */
export function sentence(of: Bill, bounds: Bounds): string {
  const doubt = isUnpriced(of, bounds)
    ? `; no price of ${bounds.chain.native.symbol} is known (cannot verify: gas)`
    : '';
  return `Gas costs ${words(of, bounds)}${doubt}.`;
}

function gwei(wei: bigint): string {
  return `${Amount.format(wei, 9)} gwei`;
}

/** Nobody but the node says what gas costs, and nobody can be asked whether that is accepted. */
export function unpricedGas(of: Bill, bounds: Bounds): BaseError {
  const { expected: wanted, found } = finding(of, bounds);
  return new BaseError('verify.unverified', 'No price shows what the gas costs in dollars (cannot verify: gas).', {
    facts: [['gas', `expected ${wanted}, found ${found}`]],
    hint: 'To accept this, add --allow gas.',
  });
}
