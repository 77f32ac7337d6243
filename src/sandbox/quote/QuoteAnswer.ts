/** Builds the response of a quote request. */
import type { Hex } from 'viem';
import type * as QuoteV2 from '../../core/api/QuoteV2.js';
import type * as CurrencyAmount from '../../core/api/schema/CurrencyAmount.js';
import type * as LegacyFees from '../../core/api/schema/LegacyFees.js';
import type * as Step from '../../core/api/schema/Step.js';
import { formatWire } from '../../core/base/Amount.js';
import * as Usd from '../../core/base/Usd.js';
import * as Charges from '../pricing/Charges.js';
import * as Fees from '../pricing/Fees.js';
import type { Pricing } from '../pricing/Pricing.js';
import type { Side, Terms } from '../pricing/QuoteTerms.js';
import { type Chain, isNative, nativeOf, type Token, type Wallet } from '../values/Market.js';
import { platformComponent, routerName } from '../values/ServiceWords.js';
import * as Valuation from '../values/Valuation.js';
import type { Order } from './Order.js';
import * as SponsorshipAnswer from './SponsorshipAnswer.js';

export type Parts = {
  order: Order;
  steps: readonly Step.Step[];
  /** Total gas fee of all steps, in base units of the origin's native currency. */
  gasFee: bigint;
  wallet: Wallet;
  orderSignature: Hex | undefined;
};

/** The whole response. */
export function from(terms: Terms, pricing: Pricing, parts: Parts): QuoteV2.Response {
  const sponsorship = pricing.sponsored && SponsorshipAnswer.from(terms.origin, pricing.sponsored);
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

function deprecatedFees(terms: Terms, { charges, sponsored }: Pricing, gasFee: bigint): LegacyFees.DeprecatedFees {
  const { origin } = terms;
  const gasSide = { chain: origin.chain, token: nativeOf(origin.chain) };
  const relayerGas = amountOf(origin, charges.gas);
  const relayerService = amountOf(origin, Charges.serviceTotal(charges) - charges.gas);
  return {
    gas: amountOf(gasSide, gasFee),
    relayer: { ...amountOf(origin, Charges.serviceTotal(charges)), amountUsd: formatUsd(relayerUsd(terms, charges)) },
    relayerGas,
    relayerService,
    app: amountOf(origin, Charges.appTotal(charges)),
    subsidized: amountOf(origin, sponsored?.amount ?? 0n),
  };
}

/** Sum of the two rounded parts, so that the three printed amounts agree. */
function relayerUsd({ origin }: Terms, charges: Charges.Charges): bigint {
  const gas = Valuation.toUsd(charges.gas, origin.token);
  return gas + Valuation.toUsd(Charges.serviceTotal(charges) - charges.gas, origin.token);
}

function details(terms: Terms, pricing: Pricing, parts: Parts): QuoteV2.Details {
  const { origin, destination } = terms;
  const { input, output, minimumOutput, charges } = pricing;
  const { order } = parts;
  const currencyIn = amountOf(origin, input);
  const currencyOut = amountOf(destination, output, minimumOutput);
  const inputUsd = Valuation.toUsd(input, origin.token);
  const totalUsd = Fees.totalUsd({
    input: { token: origin.token, amount: input },
    output: { token: destination.token, amount: output },
  });
  const appUsd = Valuation.toUsd(Charges.appTotal(charges), origin.token);
  return {
    operation: terms.execution === 'solver' ? 'swap' : terms.execution,
    sender: terms.user,
    recipient: terms.recipient,
    currencyIn,
    currencyOut,
    refundCurrency: currencyIn,
    totalImpact: impact(totalUsd, inputUsd),
    swapImpact: impact(totalUsd + relayerUsd(terms, charges) + appUsd, inputUsd),
    expandedPriceImpact: {
      swap: { usd: formatUsd(order.fees.swap.usd) },
      execution: { usd: formatUsd(order.fees.execution.usd) },
      [platformComponent]: { usd: formatUsd(order.fees.platform.usd) },
      app: { usd: formatUsd(order.fees.app.usd) },
      sponsored: { usd: formatUsd(order.fees.sponsored.usd) },
    },
    rate: rate(terms, pricing),
    slippageTolerance: {
      total: terms.slippageBps.toString(),
      origin: { usd: Usd.formatWire(0n), value: '0', percent: '0.00' },
      destination: slippage(destination, output, minimumOutput),
    },
    timeEstimate: order.timeEstimateSeconds,
    userBalance: parts.wallet.balance.toString(),
    isFixedRate: false,
    route: route(terms, pricing, { currencyIn, currencyOut }),
  };
}

/** The currency changes on the destination chain if the solver swaps, on the origin chain if the user does. */
function route(
  terms: Terms,
  pricing: Pricing,
  { currencyIn, currencyOut }: Pick<QuoteV2.Details, 'currencyIn' | 'currencyOut'>,
): QuoteV2.Route {
  const leg = (inputCurrency: CurrencyAmount.CurrencyAmount, outputCurrency: CurrencyAmount.CurrencyAmount) => ({
    inputCurrency,
    outputCurrency,
    router: routerName,
  });
  if (terms.execution !== 'solver')
    return { origin: leg(currencyIn, currencyOut), destination: leg(currencyOut, currencyOut) };
  const { path, pathAmount } = pricing;
  const entering = amountOf({ chain: path.chain, token: path.from }, pathAmount);
  const isChanged = path.chain.id === terms.destination.chain.id && path.from.symbol !== path.to.symbol;
  return {
    origin: leg(currencyIn, currencyIn),
    destination: leg(isChanged ? entering : currencyOut, currencyOut),
  };
}

function protocolOf({ order, orderSignature }: Parts): QuoteV2.Protocol | undefined {
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

/** An amount with its currency; the minimum defaults to the amount. */
function amountOf(side: ChainToken, amount: bigint, minimum = amount): CurrencyAmount.CurrencyAmount {
  return {
    currency: currencyOf(side),
    amount: amount.toString(),
    amountFormatted: formatWire(amount, side.token.decimals),
    amountUsd: formatUsd(Valuation.toUsd(amount, side.token)),
    minimumAmount: minimum.toString(),
  };
}

function currencyOf({ chain, token }: ChainToken): CurrencyAmount.Currency {
  return {
    chainId: chain.id,
    address: token.address.toLowerCase(),
    symbol: token.symbol,
    name: token.name,
    decimals: token.decimals,
    metadata: { logoURI: token.logoURI, verified: token.verified, isNative: isNative(token) },
  };
}

/** Output per unit of input, in whole tokens. */
function rate({ origin, destination }: Terms, { input, output }: Pricing): string {
  const [part, whole] = [10n ** BigInt(origin.token.decimals), 10n ** BigInt(destination.token.decimals)];
  const text = Valuation.formatRatio(output * part, input * whole, 18);
  return text.replace(/\.?0+$/, '');
}

function slippage(side: Side, amount: bigint, minimum: bigint): QuoteV2.Slippage {
  const value = amount - minimum;
  return {
    usd: Usd.formatWire(Valuation.toUsd(value, side.token)),
    value: value.toString(),
    percent: Valuation.formatRatio(value * 100n, amount, 2),
  };
}

function impact(usd: bigint, inputUsd: bigint): QuoteV2.Impact {
  return { usd: Usd.formatWire(usd), percent: Valuation.formatRatio(usd * 100n, inputUsd, 2) };
}

/** Zero is formatted as `0`. */
function formatUsd(usd: bigint): string {
  return usd === 0n ? '0' : Usd.formatWire(usd);
}
