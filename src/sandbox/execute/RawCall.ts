/**
 * Models a gasless call without a quote as an order and a quote, so that the ledger can store it: a same-chain transfer
 * of the call's value whose only fee is the execution fee, paid by a sponsor.
 */

import type * as QuoteV2 from '../../core/api/QuoteV2.js';
import type { Address } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';

import * as Charges from '../pricing/Charges.js';
import type { Pricing } from '../pricing/Pricing.js';
import type { Terms } from '../pricing/QuoteTerms.js';
import * as Sponsorship from '../pricing/Sponsorship.js';
import * as Order from '../quote/Order.js';
import * as QuoteAnswer from '../quote/QuoteAnswer.js';
import { type EvmChain, nativeOf } from '../values/Market.js';
import * as Valuation from '../values/Valuation.js';

export type CallSource = {
  requestId: Hex;
  nowMs: number;
  chain: EvmChain;
  to: Address;
  /** Value of the call, in wei. */
  value: bigint;
  /** Gas used by the transaction. */
  gas: bigint;
  referrer: string | undefined;
};

export type RawCall = {
  order: Order.Order;
  quote: QuoteV2.Response;
  /** Cost to the sponsor including the value, in millionths of a US dollar. */
  costUsd: bigint;
};

export function from(source: CallSource): RawCall {
  const { requestId, nowMs, chain, value } = source;
  const terms = termsOf(source);
  const pricing = pricingOf(terms, source);
  const identity = { requestId, createdAtMs: nowMs, deadline: Math.floor(nowMs / 1000), protocol: undefined };
  const order: Order.Order = {
    ...Order.from(terms, pricing, { ...identity, permit: undefined, depositAddress: undefined }),
    execution: 'call',
    requestType: 'Call',
  };
  const wallet = { balance: 0n, depositoryAllowance: 0n, approvalProxyAllowance: 0n };
  const quote = QuoteAnswer.from(terms, pricing, { order, steps: [], gasFee: 0n, wallet, orderSignature: undefined });
  const costUsd = (pricing.sponsored?.usd ?? 0n) + Valuation.toUsd(value, nativeOf(chain));
  return { order, quote, costUsd };
}

function termsOf({ chain, to, value, gas, referrer }: CallSource): Terms {
  const side = { chain, token: nativeOf(chain) };
  return {
    tradeType: 'EXACT_INPUT',
    amount: value,
    origin: side,
    destination: side,
    payment: side,
    transactionType: 'bridge',
    execution: 'send',
    user: to,
    recipient: to,
    refundTo: undefined,
    referrer,
    forceRefund: false,
    slippageBps: 0n,
    appFees: [],
    sponsorship: {
      selected: new Set(Sponsorship.components),
      selectsRent: false,
      shareBps: 10_000n,
      hasShare: false,
      maxUsd: undefined,
    },
    originGasOverhead: gas,
    permit: undefined,
    byAddress: false,
    ttlSeconds: undefined,
    mayUsePools: false,
    ignoresImpact: true,
    wantsSignature: false,
    calls: [],
    callGas: 0n,
    gasTopup: 0n,
  };
}

function pricingOf({ sponsorship }: Terms, { chain, value, gas }: CallSource): Pricing {
  const token = nativeOf(chain);
  const charges: Charges.Charges = {
    flat: Valuation.fromUsd(Charges.flatUsd, token),
    gas: gas * chain.gasPriceWei,
    platform: 0n,
    rebalancing: 0n,
    app: [],
  };
  const none = { total: 0n, payable: 0n };
  const execution = { total: Charges.total(charges), payable: Charges.total(charges) };
  return {
    input: value,
    output: value,
    minimumOutput: value,
    originSwap: undefined,
    paid: value,
    basis: value,
    charges,
    sponsored:
      sponsorship && Sponsorship.from(sponsorship, { execution, swap: none, platform: none, app: none }, token),
    path: { chain, from: token, to: token, route: [] },
    pathAmount: value,
    activationFee: 0n,
  };
}
