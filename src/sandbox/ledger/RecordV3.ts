/** Builds the record of a request for `GET /requests/v3`. */

import type * as CurrencyAmount from '../../core/api/schema/CurrencyAmount.js';
import type * as FeeSponsorship from '../../core/api/schema/FeeSponsorship.js';
import { isEqual } from '../../core/base/Address.js';
import * as Amount from '../../core/base/Amount.js';
import * as Usd from '../../core/base/Usd.js';
import type { Fees } from '../pricing/Fees.js';
import { platformComponent } from '../pricing/Sponsorship.js';
import type * as Order from '../quote/Order.js';
import { stated } from '../values/Market.js';
import type { Entry } from './ledger.js';
import * as RecordParts from './RecordParts.js';
import { featuresOf } from './RecordQuery.js';

export type Record = ReturnType<typeof from>;

/** @param options.isAuthenticated whether to include the name of the API key that the quote was requested with */
export function from(entry: Entry, options: { isAuthenticated: boolean }) {
  const { order } = entry;
  const currency = RecordParts.feeCurrency(entry);
  return {
    id: order.requestId,
    status: entry.status,
    ...RecordParts.parties(order),
    sender: order.user,
    refundTo: order.refundTo ?? null,
    supersededByRequestId: null,
    depositAddress: RecordParts.depositAddress(entry, 'type'),
    requestType: order.requestType,
    features: featuresOf(entry),
    data: {
      slippageTolerance: order.slippageBps.toString(),
      failReason: entry.failReason ?? null,
      refundFailReason: entry.refundFailReason ?? null,
      failedTxHash: entry.failedTx?.hash ?? null,
      failedTxBlockNumber: entry.failedTx?.block ?? null,
      failedCallData: entry.failedTx ? { ...entry.failedTx.call, value: entry.failedTx.call.value.toString() } : null,
      usesExternalLiquidity: false,
      timeEstimate: order.timeEstimateSeconds,
      triggeredByFastFill: null,
      inTxs: entry.inTxs.map((tx) => ({ txHash: tx.hash, ...RecordParts.transaction(tx) })),
      outTxs: RecordParts.outTxs(entry).map((tx) => ({ txHash: tx.hash, ...RecordParts.transaction(tx) })),
      appFees: { quoted: quotedAppFees(order), actual: entry.status === 'success' ? appFees(order) : [], currency },
      fees: {
        quoted: breakdown(order.fees, order),
        ...(entry.actualFees && { actual: breakdown(entry.actualFees, order) }),
        currency,
      },
      feeSponsorship: sponsorship(entry),
      route: {
        includedSwapSources: [],
        includedOriginSwapSources: [],
        includedDestinationSwapSources: [],
        quoted: RecordParts.quotedRoute(entry),
        actual: actualRoute(entry),
      },
      platformFee: null,
      quoteOraclePrice: null,
      referrer: order.referrer ?? null,
      ...(options.isAuthenticated && { apiKeyName: entry.apiKeyName ?? null }),
      refundCurrencyData: refundCurrency(entry),
      externalMetadata: { moonpayId: null },
    },
    protocol: RecordParts.protocol(entry),
    createdAt: new Date(entry.createdAtMs).toISOString(),
    updatedAt: new Date(entry.updatedAtMs).toISOString(),
  };
}

/** With the gas top-up once it is paid. */
function actualRoute(entry: Entry) {
  const route = RecordParts.actualRoute(entry);
  const { currencyGasTopup } = entry.quote.details;
  if (!currencyGasTopup || entry.delivered === undefined) return route;
  return { ...route, destination: { ...route.destination, currencyGasTopup } };
}

function breakdown(fees: Fees, { payment }: Order.Order) {
  return RecordParts.breakdown(fees, 'platform', ({ usd, amount }) => ({
    usd: Usd.formatWire(usd),
    amount: amount.toString(),
    amountFormatted: Amount.formatWire(amount, payment.token.decimals),
  }));
}

function appFees(order: Order.Order) {
  return order.appFees.map(({ recipient, bps, amount }) => ({
    recipient,
    bps: bps.toString(),
    ...RecordParts.amountOf(amount, order.payment.token),
  }));
}

function quotedAppFees(order: Order.Order) {
  return appFees(order).map(({ amountUsd: _, ...fee }) => fee);
}

/** Amounts do not name their currency: the sponsorship does. A quoted one says also that it has no maximum. */
function sponsorship(entry: Entry): FeeSponsorship.FeeSponsorship | null {
  const found = RecordParts.sponsorship(entry);
  if (!found) return null;
  const { quoted, actual } = found;
  return {
    ...found,
    ...(quoted && { quoted: { maxSubsidizationAmount: null, ...phaseOf(quoted) } }),
    ...(actual && { actual: phaseOf(actual) }),
  };
}

/** Without currencies, and with the record's name of the platform fee. */
function phaseOf(phase: FeeSponsorship.Phase): FeeSponsorship.Phase {
  const bare = ({ currency: _, ...amount }: CurrencyAmount.Brief): CurrencyAmount.Brief => amount;
  const named = (name: string): string => (name === platformComponent ? 'platform' : name);
  const components = Object.entries(phase.components).map(([name, { total, sponsored, userPays, ...rest }]) => [
    named(name),
    { ...rest, total: bare(total), sponsored: bare(sponsored), userPays: bare(userPays) },
  ]);
  return {
    ...phase,
    selectedComponents: phase.selectedComponents.map(named),
    components: Object.fromEntries(components),
    sponsoredTotal: bare(phase.sponsoredTotal),
    userPaysTotal: bare(phase.userPaysTotal),
  };
}

function refundCurrency(entry: Entry) {
  if (entry.refunded === undefined) return null;
  const { origin, payment } = entry.order;
  const { currency, amount } = entry.refunded;
  if (!isEqual(currency, payment.token.address)) {
    return { currency: { chainId: origin.chainId, address: stated(currency) }, amount: amount.toString() };
  }
  return { currency: RecordParts.feeCurrency(entry), ...RecordParts.amountOf(amount, payment.token) };
}
