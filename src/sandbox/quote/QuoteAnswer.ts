/** Builds the response of a quote request. */
import type { Hex } from 'viem';
import type * as FeeSponsorship from '../../core/api/schema/FeeSponsorship.js';
import type * as Step from '../../core/api/schema/Step.js';
import { formatWire } from '../../core/base/Amount.js';
import * as Usd from '../../core/base/Usd.js';
import * as Charges from '../pricing/Charges.js';
import * as Fees from '../pricing/Fees.js';
import type * as PoolRoute from '../pricing/PoolRoute.js';
import type { Pricing } from '../pricing/Pricing.js';
import type { PricedRequest, Side } from '../pricing/QuoteTerms.js';
import * as Sponsorship from '../pricing/Sponsorship.js';
import { type Chain, isNative, nativeOf, stated, type Token, type Wallet } from '../values/Market.js';
import * as Valuation from '../values/Valuation.js';
import * as Order from './Order.js';

export type Response = ReturnType<typeof from>;
export type CurrencyAmount = ReturnType<typeof amountOf>;

export type Calculated = {
  order: Order.Order;
  steps: readonly Step.Step[];
  /** Total gas fee of all steps, in base units of the origin's native currency. */
  gasFee: bigint;
  wallet: Wallet;
  orderSignature: Hex | undefined;
};

export function from(terms: PricedRequest, pricing: Pricing, parts: Calculated) {
  const sponsorship = pricing.sponsored && sponsorshipOf(terms.payment, pricing.sponsored, parts.order.fees);
  const protocol = protocolOf(parts);
  return {
    requestId: parts.order.requestId,
    steps: [...parts.steps],
    fees: deprecatedFees(terms, pricing, parts.gasFee),
    ...(sponsorship && { feeSponsorship: { quoted: sponsorship } }),
    details: details(terms, pricing, parts),
    ...(protocol && { protocol: { v2: protocol } }),
  };
}

function deprecatedFees(terms: PricedRequest, { charges, sponsored }: Pricing, gasFee: bigint) {
  const { origin, payment } = terms;
  const relayerGas = amountOf(payment, charges.gas);
  const relayerService = amountOf(payment, Charges.serviceTotal(charges) - charges.gas);
  return {
    gas: amountOf(nativeSide(origin.chain), gasFee),
    relayer: { ...amountOf(payment, Charges.serviceTotal(charges)), amountUsd: formatUsd(relayerUsd(terms, charges)) },
    relayerGas,
    relayerService,
    app: amountOf(payment, Charges.appTotal(charges)),
    subsidized: amountOf(payment, sponsored?.amount ?? 0n),
  };
}

/** Sum of the two rounded parts, so that the three printed amounts agree. */
function relayerUsd({ payment }: PricedRequest, charges: Charges.Charges): bigint {
  const gas = Valuation.toUsd(charges.gas, payment.token);
  return gas + Valuation.toUsd(Charges.serviceTotal(charges) - charges.gas, payment.token);
}

function details(terms: PricedRequest, pricing: Pricing, parts: Calculated) {
  const { origin, destination } = terms;
  const { input, output, minimumOutput, originSwap, paid, charges } = pricing;
  const { order } = parts;
  const currencyIn = amountOf(origin, input);
  const currencyOut = amountOf(destination, output, minimumOutput);
  const paidCurrency = originSwap ? amountOf(terms.payment, paid, originSwap.minimum) : currencyIn;
  const inputUsd = Valuation.toUsd(input, origin.token);
  const totalUsd = Fees.totalUsd({
    input: { token: origin.token, amount: input },
    output: { token: destination.token, amount: output },
  });
  const appUsd = Valuation.toUsd(Charges.appTotal(charges), terms.payment.token);
  return {
    operation: terms.execution === 'solver' ? 'swap' : terms.execution,
    sender: terms.user,
    recipient: terms.recipient,
    currencyIn,
    currencyOut,
    refundCurrency: paidCurrency,
    ...(terms.gasTopup > 0n && { currencyGasTopup: amountOf(nativeSide(destination.chain), terms.gasTopup) }),
    totalImpact: impact(totalUsd, inputUsd),
    swapImpact: impact(totalUsd + relayerUsd(terms, charges) + appUsd, inputUsd),
    expandedPriceImpact: {
      swap: { usd: formatUsd(order.fees.swap.usd) },
      execution: { usd: formatUsd(order.fees.execution.usd) },
      [Sponsorship.platformComponent]: { usd: formatUsd(order.fees.platform.usd) },
      app: { usd: formatUsd(order.fees.app.usd) },
      sponsored: { usd: formatUsd(order.fees.sponsored.usd) },
    },
    rate: rate(terms, pricing),
    slippageTolerance: {
      total: terms.slippageBps.toString(),
      ...slippages(terms, pricing),
    },
    timeEstimate: order.timeEstimateSeconds,
    userBalance: parts.wallet.balance.toString(),
    isFixedRate: false,
    route: route(terms, pricing, { currencyIn, paid: paidCurrency, currencyOut }),
  };
}

/** The legs on both chains. A swap in the user's own transaction is all on the origin. */
function route(
  terms: PricedRequest,
  pricing: Pricing,
  { currencyIn, paid, currencyOut }: Record<'currencyIn' | 'paid' | 'currencyOut', CurrencyAmount>,
) {
  const leg = (inputCurrency: CurrencyAmount, outputCurrency: CurrencyAmount, router: string) => ({
    inputCurrency,
    outputCurrency,
    router,
  });
  const { path, pathAmount, originSwap } = pricing;
  const { none } = routerNames;
  if (terms.execution !== 'solver')
    return { origin: leg(currencyIn, currencyOut, routerOf(path)), destination: leg(currencyOut, currencyOut, none) };
  const start = Order.startOf(terms, pricing);
  const isSwapped = start !== terms.destination;
  return {
    origin: leg(currencyIn, paid, originSwap ? routerOf(originSwap.path) : none),
    destination: isSwapped
      ? leg(amountOf(start, pathAmount), currencyOut, routerOf(path))
      : leg(currencyOut, currencyOut, none),
  };
}

function routerOf({ route: hops, from, to }: PoolRoute.Path): string {
  if (hops.length > 0) return routerNames.pools;
  return from.symbol === to.symbol ? routerNames.none : routerNames.wrap;
}

function protocolOf({ order, orderSignature }: Calculated) {
  if (!order.protocol) return undefined;
  const { orderId, orderData, depository } = order.protocol;
  const [input] = orderData.inputs;
  if (!input) throw new Error('An order has no input.');
  const { chainId, currency, amount } = input.payment;
  return {
    orderId,
    hubType: 'onchain',
    orderData,
    ...(orderSignature && { orderSignature }),
    paymentDetails: { chainId, depository: depository.toLowerCase(), currency, amount },
  };
}

type ChainToken = { chain: Chain; token: Token };

function nativeSide(chain: Chain): ChainToken {
  return { chain, token: nativeOf(chain) };
}

/** An amount with its currency; the minimum defaults to the amount. */
function amountOf(side: ChainToken, amount: bigint, minimum = amount) {
  return {
    currency: currencyOf(side),
    amount: amount.toString(),
    amountFormatted: formatWire(amount, side.token.decimals),
    amountUsd: formatUsd(Valuation.toUsd(amount, side.token)),
    minimumAmount: minimum.toString(),
  };
}

function currencyOf({ chain, token }: ChainToken) {
  return {
    chainId: chain.id,
    address: stated(token.address),
    symbol: token.symbol,
    name: token.name,
    decimals: token.decimals,
    metadata: { logoURI: '', verified: true, isNative: isNative(token) },
  };
}

/** Output per unit of input, in whole tokens. */
function rate({ origin, destination }: PricedRequest, { input, output }: Pricing): string {
  const [part, whole] = [10n ** BigInt(origin.token.decimals), 10n ** BigInt(destination.token.decimals)];
  const text = Valuation.formatRatio(output * part, input * whole, 18);
  return text.replace(/\.?0+$/, '');
}

/** What may be lost on each chain; a swap in the user's own transaction loses on the origin alone. */
function slippages(
  { execution, payment, destination }: PricedRequest,
  { output, minimumOutput, originSwap, paid }: Pricing,
) {
  const received = slippage(destination, output, minimumOutput);
  if (execution !== 'solver') return { origin: received, destination: { usd: '0', value: '0', percent: '0' } };
  return { origin: slippage(payment, paid, originSwap?.minimum ?? paid), destination: received };
}

function slippage(side: Side, amount: bigint, minimum: bigint) {
  const value = amount - minimum;
  return {
    usd: Usd.formatWire(Valuation.toUsd(value, side.token)),
    value: value.toString(),
    percent: Valuation.formatRatio(value * 100n, amount, 2),
  };
}

function impact(usd: bigint, inputUsd: bigint) {
  return { usd: Usd.formatWire(usd), percent: Valuation.formatRatio(usd * 100n, inputUsd, 2) };
}

/** The routers in a quote: without a swap, of an exchange, of wrapping. */
const routerNames = { none: 'relay', pools: 'kyberswap', wrap: 'weth' } as const;

function formatUsd(usd: bigint): string {
  return usd === 0n ? '0' : Usd.formatWire(usd);
}

/**
 * Cost, sponsored part and remainder of each component. What the sponsor adds is swapped too and moves the pools further,
 * so the swap costs what the fees of the quote say, and the user pays what that is above the sponsored part.
 */
export function sponsorshipOf(
  side: Side,
  sponsored: Sponsorship.Sponsored,
  { swap }: Pick<Fees.Fees, 'swap'>,
): FeeSponsorship.Phase {
  const { terms } = sponsored;
  const cost = swap.usd > 0n ? 0n : swap.amount;
  const own = sponsored.parts.swap;
  const parts = { ...sponsored.parts, swap: { ...own, total: cost > own.sponsored ? cost : own.sponsored } };
  const component = (selected: boolean, part: { total: bigint; sponsored: bigint }) => ({
    selected,
    total: briefOf(side, part.total),
    sponsored: briefOf(side, part.sponsored),
    userPays: briefOf(side, part.total - part.sponsored),
  });
  const total = Sponsorship.components.reduce((sum, name) => sum + parts[name].total, 0n);
  return {
    selectedComponents: [
      ...Sponsorship.components.filter((name) => terms.selected.has(name)).map(wordOf),
      ...(terms.selectsRent ? ['rent'] : []),
    ],
    ...(terms.maxUsd !== undefined && { maxSubsidizationAmount: terms.maxUsd.toString() }),
    ...(terms.hasShare && { subsidizationBps: Number(terms.shareBps) }),
    capHit: sponsored.isCapped,
    components: {
      ...Object.fromEntries(
        Sponsorship.components.map((name) => [wordOf(name), component(terms.selected.has(name), parts[name])]),
      ),
      // EVM chains have no rent.
      rent: component(terms.selectsRent, { total: 0n, sponsored: 0n }),
    },
    sponsoredTotal: briefOf(side, sponsored.amount),
    userPaysTotal: briefOf(side, total - sponsored.amount),
  };
}

function wordOf(component: Sponsorship.Component): string {
  return component === 'platform' ? Sponsorship.platformComponent : component;
}

/** An amount with its currency, without what is known of that besides. */
function briefOf(side: ChainToken, amount: bigint) {
  const { currency, ...rest } = amountOf(side, amount);
  const { metadata: _, ...brief } = currency;
  return { currency: brief, ...rest, amountUsd: Usd.formatWire(Valuation.toUsd(amount, side.token)) };
}
