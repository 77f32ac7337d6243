/** The parts that request records have in common in v2 and v3. */

import type * as CurrencyAmount from '../../core/api/schema/CurrencyAmount.js';
import type * as FeeSponsorship from '../../core/api/schema/FeeSponsorship.js';
import * as Amount from '../../core/base/Amount.js';
import * as Usd from '../../core/base/Usd.js';
import * as Network from '../../core/network/Network.js';
import { network } from '../../core/network/sandbox.js';
import type { Fee, Fees } from '../pricing/Fees.js';
import * as Sponsorship from '../pricing/Sponsorship.js';
import type * as QuoteAnswer from '../quote/QuoteAnswer.js';
import { stated, type Token } from '../values/Market.js';
import * as Valuation from '../values/Valuation.js';
import type { Entry } from './ledger.js';
import type { Transaction } from './minedTransactions.js';

/** The fields of a mined transaction except its hash, whose name differs between the versions. */
export function transaction(tx: Transaction) {
  return {
    fee: tx.fee.toString(),
    feeUsd: Usd.formatWire(tx.feeUsd),
    block: tx.block,
    type: 'onchain',
    chainId: tx.chainId,
    timestamp: tx.timestamp,
    status: tx.status,
    data: {},
    stateChanges: [],
  };
}

/** Each fee as a record states it, by the names of the record. */
export function breakdown<stated>(fees: Fees, platformName: string, state: (fee: Fee) => stated) {
  const { swap, execution, platform, app, sponsored } = fees;
  return {
    ...{ swap: state(swap), execution: state(execution), [platformName]: state(platform) },
    ...{ app: state(app), sponsored: state(sponsored) },
  };
}

/** The accounts that a request belongs to, in small letters; elsewhere they are as the request has them. */
export function parties({ user, recipient }: Entry['order']) {
  return { user: stated(user), recipient: stated(recipient) };
}

/** Fills, followed by refunds. */
export function outTxs(entry: Entry): readonly Transaction[] {
  return [...entry.outTxs, ...entry.refundTxs];
}

export function quotedRoute(entry: Entry) {
  return entry.quote.details.route ?? {};
}

/** The route with what was deposited and delivered; the quoted one before delivery. */
export function actualRoute(entry: Entry) {
  const { details } = entry.quote;
  const { delivered } = entry;
  const route = { ...quotedRoute(entry), ...(details.rate !== undefined && { rate: rateOf(entry) }) };
  if (delivered === undefined || !route.destination?.outputCurrency) return route;
  const outputCurrency = { ...route.destination.outputCurrency, ...amountOf(delivered, entry.order.destination.token) };
  const actual = { ...route, destination: { ...route.destination, outputCurrency } };
  const [deposit] = entry.deposits;
  if (!entry.order.hasOriginSwap || !deposit || !route.origin?.outputCurrency) return actual;
  const deposited = { ...route.origin.outputCurrency, ...amountOf(deposit.amount, entry.order.payment.token) };
  return { ...actual, origin: { ...route.origin, outputCurrency: deposited } };
}

/** The delivered output; the quoted one before delivery. */
export function currencyOut(entry: Entry): QuoteAnswer.CurrencyAmount {
  const { currencyOut: quoted } = entry.quote.details;
  if (entry.delivered === undefined) return quoted;
  return { ...quoted, ...amountOf(entry.delivered, entry.order.destination.token) };
}

/** Output per unit of input, as a decimal with at most 18 places. */
export function rateOf(entry: Entry): string {
  const { origin, destination } = entry.order;
  if (entry.delivered === undefined || origin.amount === 0n) return entry.quote.details.rate ?? '0';
  const scale = 10n ** BigInt(18 + origin.token.decimals);
  const perUnit = (entry.delivered * scale) / (origin.amount * 10n ** BigInt(destination.token.decimals));
  return Amount.format(perUnit, 18);
}

/** An amount in base units, whole tokens and US dollars. */
export function amountOf(amount: bigint, token: Token) {
  return {
    amount: amount.toString(),
    amountFormatted: Amount.formatWire(amount, token.decimals),
    amountUsd: Usd.formatWire(Valuation.toUsd(amount, token)),
  };
}

/** The sponsorship as it was quoted, and with the actual payment once there is one. */
export function sponsorship(entry: Entry): FeeSponsorship.FeeSponsorship | null {
  const quoted = entry.quote.feeSponsorship?.quoted;
  const { actualFees, relay, order } = entry;
  const paid = actualFees && (actualFees.sponsored.amount > 0n || (quoted && entry.status === 'success'));
  if (!quoted && !paid) return null;
  const { token } = order.payment;
  const { chainId } = order.origin;
  const { metadata: _, ...currency } = feeCurrency(entry);
  const formatAmount = (amount: bigint) => ({ currency, ...amountOf(amount, token), minimumAmount: amount.toString() });
  const valueUsd = relay?.state === 'mined' ? (relay.sponsored?.valueUsd ?? 0n) : 0n;
  return {
    ...(quoted && { quoted }),
    ...(paid && {
      actual: {
        ...actualSponsorship(quoted, actualFees, formatAmount),
        // The sponsor's share of the fees plus the value of a call.
        sponsorPayment: {
          amount: (actualFees.sponsored.amount + Valuation.fromUsd(valueUsd, token)).toString(),
          address: token.address,
          chainId,
        },
      },
    }),
    currency: feeCurrency(entry),
  };
}

/**
 * The actual phase. The sponsor's shares of the swap, platform and app fees are fixed by the quote; the rest of the
 * sponsored amount is the execution fee's, including gas sponsored without a quote.
 *
 * @param quoted undefined if the quote was not sponsored
 */
export function actualSponsorship(
  quoted: FeeSponsorship.Phase | undefined,
  fees: Fees,
  formatAmount: (amount: bigint) => CurrencyAmount.Brief,
): FeeSponsorship.Phase {
  const nameOf = (name: Sponsorship.Component): string => (name === 'platform' ? Sponsorship.platformComponent : name);
  const quotedAmount = (name: Sponsorship.Component): bigint =>
    BigInt(quoted?.components[nameOf(name)]?.sponsored.amount ?? 0);
  const others = quotedAmount('swap') + quotedAmount('platform') + quotedAmount('app');
  const part = (name: Sponsorship.Component) => {
    // Zero if the pools yielded more than quoted.
    const total = fees[name].usd > 0n ? 0n : fees[name].amount;
    const sponsored = name === 'execution' ? fees.sponsored.amount - others : quotedAmount(name);
    return {
      selected: quoted?.components[nameOf(name)]?.selected ?? name === 'execution',
      total: formatAmount(total),
      sponsored: formatAmount(sponsored),
      userPays: formatAmount(total > sponsored ? total - sponsored : 0n),
    };
  };
  const parts = Object.fromEntries(Sponsorship.components.map((name) => [nameOf(name), part(name)]));
  const left = Object.values(parts).reduce((sum, { userPays }) => sum + BigInt(userPays.amount ?? 0), 0n);
  return {
    ...(quoted ?? { selectedComponents: ['execution'], capHit: false }),
    components: { ...quoted?.components, ...parts },
    sponsoredTotal: formatAmount(fees.sponsored.amount),
    userPaysTotal: formatAmount(left),
  };
}

/** The currency of the fees and of a refund: what the order is paid in. */
export function feeCurrency({ quote }: Entry): QuoteAnswer.CurrencyAmount['currency'] {
  return (quote.details.refundCurrency ?? quote.details.currencyIn).currency;
}

/** The deposit address with what it belongs to; null if the user deposits. `typeName` differs by version. */
export function depositAddress({ order, inTxs }: Entry, typeName: 'type' | 'depositAddressType') {
  if (order.depositAddress === undefined) return null;
  return {
    address: order.depositAddress,
    [typeName]: 'strict',
    depositor: order.refundTo ?? order.user,
    depositTxHash: inTxs[0]?.hash ?? null,
  };
}

/** The order in the settlement protocol with its deposit and payments; null for a same-chain transaction. */
export function protocol(entry: Entry) {
  const v2 = entry.quote.protocol?.v2;
  const { protocol: ordered } = entry.order;
  if (!v2 || !ordered) return null;
  const [deposit] = entry.deposits;
  const solverChainId = Network.chain(network, v2.orderData.solverChainId).id;
  const settled = (txs: readonly Transaction[]) => txs.map((tx) => ({ chainId: tx.chainId, transactionId: tx.hash }));
  return {
    orderId: ordered.orderId,
    hubType: v2.hubType ?? 'onchain',
    isWithdrawable: false,
    solver: { address: v2.orderData.solver, protocolChainId: v2.orderData.solverChainId, chainId: solverChainId },
    deposit: {
      ...(deposit && {
        origin: {
          amount: deposit.amount.toString(),
          chainId: deposit.chainId,
          currency: stated(deposit.currency),
          depositor: stated(deposit.depositor),
          depository: stated(ordered.depository),
          onchainId: ordered.orderId,
          transactionId: deposit.hash,
        },
      }),
    },
    settlement: { destination: { fills: settled(entry.outTxs), refunds: settled(entry.refundTxs) } },
  };
}
