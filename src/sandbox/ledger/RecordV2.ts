/**
 * Builds the record of a request for the deprecated `GET /requests/v2`.
 *
 * `fees` is not the object of the quote, as the specification has it, but `gas`, `fixed` and `price` in base units, as
 * in the documented record.
 */

import * as Usd from '../../core/base/Usd.js';
import type { Fee, Fees } from '../pricing/Fees.js';
import { platformComponent } from '../pricing/Sponsorship.js';
import type * as Order from '../quote/Order.js';
import type { CurrencyAmount } from '../quote/QuoteAnswer.js';
import type { Entry } from './ledger.js';
import type { Transaction } from './minedTransactions.js';
import * as RecordParts from './RecordParts.js';

/** @param options.withOrder whether the order's terms were asked for */
export function from(entry: Entry, { withOrder = false }: { withOrder?: boolean | undefined } = {}) {
  const { order } = entry;
  const protocol = RecordParts.protocol(entry);
  return {
    id: order.requestId,
    // Like the status of that version, it has no word for a fill that was sent.
    status: entry.status === 'submitted' ? 'pending' : entry.status,
    ...RecordParts.parties(order),
    depositAddress: RecordParts.depositAddress(entry, 'depositAddressType'),
    moonpayId: null,
    ...(order.referrer !== undefined && { referrer: order.referrer }),
    data: dataOf(entry),
    ...(protocol && { protocol }),
    ...(withOrder && order.protocol && { orderData: order.protocol.orderData }),
    createdAt: new Date(entry.createdAtMs).toISOString(),
    updatedAt: new Date(entry.updatedAtMs).toISOString(),
  };
}

function dataOf(entry: Entry) {
  const { order, quote } = entry;
  const { currencyIn, currencyGasTopup } = quote.details;
  const out = RecordParts.currencyOut(entry);
  const feeCurrency = RecordParts.feeCurrency(entry);
  const subsidized = subsidizedFee(entry);
  const { currency: _, ...sponsorship } = RecordParts.sponsorship(entry) ?? {};
  const { rate, ...route } = RecordParts.actualRoute(entry);
  return {
    slippageTolerance: order.slippageBps.toString(),
    failReason: entry.failReason ?? 'N/A',
    refundFailReason: entry.refundFailReason ?? 'N/A',
    subsidizedRequest: sponsoredFees(entry) !== undefined,
    price: out.amount,
    currency: out.currency.symbol.toLowerCase(),
    currencyObject: out.currency,
    feeCurrency: feeCurrency.symbol.toLowerCase(),
    feeCurrencyObject: feeCurrency,
    appFeeCurrencyObject: feeCurrency,
    ...legacyFees(entry.actualFees ?? order.fees),
    appFees: appFees(order),
    paidAppFees: entry.status === 'success' ? appFees(order) : [],
    ...(subsidized && { subsidizedFee: subsidized }),
    expandedPriceImpact: {
      quoted: breakdown(order.fees),
      ...(entry.actualFees && { actual: breakdown(entry.actualFees) }),
    },
    ...(Object.keys(sponsorship).length > 0 && { feeSponsorship: sponsorship }),
    inTxs: entry.inTxs.map(transaction),
    outTxs: RecordParts.outTxs(entry).map(transaction),
    usesExternalLiquidity: false,
    timeEstimate: order.timeEstimateSeconds,
    metadata: {
      sender: order.user,
      recipient: order.recipient,
      currencyIn: withCurrent(currencyIn),
      currencyOut: withCurrent(out),
      ...(currencyGasTopup && { currencyGasTopup }),
      rate: rate ?? RecordParts.rateOf(entry),
      route,
    },
  };
}

function transaction(tx: Transaction) {
  const { feeUsd: _, ...rest } = RecordParts.transaction(tx);
  return { hash: tx.hash, ...rest };
}

/** Sandbox prices are constant, so the current value equals the value at the time. */
function withCurrent(amount: CurrencyAmount) {
  return { ...amount, amountUsdCurrent: amount.amountUsd };
}

function breakdown(fees: Fees) {
  return RecordParts.breakdown(fees, platformComponent, ({ usd }) => ({ usd: Usd.formatWire(usd) }));
}

/** The legacy format: gas, an obsolete fixed part, and the rest as price. */
function legacyFees(fees: Fees) {
  return {
    fees: {
      gas: fees.execution.amount.toString(),
      fixed: '0',
      price: fees.swap.amount.toString(),
      gateway: fees.platform.amount.toString(),
    },
    feesUsd: {
      gas: Usd.formatWire(-fees.execution.usd),
      fixed: Usd.formatWire(0n),
      price: Usd.formatWire(-fees.swap.usd),
      gateway: Usd.formatWire(-fees.platform.usd),
    },
  };
}

function appFees(order: Order.Order) {
  return order.appFees.map(({ recipient, bps, amount }) => {
    const { amountUsd } = RecordParts.amountOf(amount, order.payment.token);
    return { recipient, bps: bps.toString(), amount: amount.toString(), amountUsd, amountUsdCurrent: amountUsd };
  });
}

/** The sponsored fees: the quoted ones, or the actual ones once the request is final. */
function sponsoredFees({ order, actualFees }: Entry): Fee | undefined {
  if (actualFees && actualFees.sponsored.amount > 0n) return actualFees.sponsored;
  return order.sponsorship && (actualFees?.sponsored ?? order.sponsorship);
}

function subsidizedFee(entry: Entry) {
  const fee = sponsoredFees(entry);
  if (!fee) return undefined;
  const { chainId } = entry.order.origin;
  const { token } = entry.order.payment;
  const paid = { amount: fee.amount.toString(), address: token.address, chainId };
  const amountUsd = Usd.formatWire(fee.usd);
  return { origin: paid, sponsor: paid, amountUsd, amountUsdCurrent: amountUsd };
}
