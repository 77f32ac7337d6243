/** Answers a quote request: a pure function from request and state to response and order. */

import type { Hex } from 'viem';
import { encodePacked, getCreate2Address, keccak256 } from 'viem/utils';
import type * as QuoteV2 from '../../core/api/QuoteV2.js';
import type { OrderData } from '../../core/api/schema/OrderData.js';
import type { Address } from '../../core/base/Address.js';
import * as Permit from '../pricing/Permit.js';
import * as Pricing from '../pricing/Pricing.js';
import { RefusalError } from '../pricing/QuoteRefusal.js';
import * as QuoteTerms from '../pricing/QuoteTerms.js';
import type { Contracts, Market, Wallet } from '../values/Market.js';
import * as PartyAccount from '../values/PartyAccount.js';
import type { Identity } from '../values/QuoteIds.js';
import * as Order from './Order.js';
import * as OrderId from './OrderId.js';
import * as QuoteAnswer from './QuoteAnswer.js';
import * as Steps from './Steps.js';

export type Input = {
  market: Market;
  wallet: Wallet;
  identity: Identity;
  /** Undefined without a valid API key. */
  client: QuoteTerms.Client;
  /** The solver's EIP-191 signature of an order id, as 32 raw bytes. */
  signOrderId: (orderId: Hex) => Promise<Hex>;
};

export type Quote = { response: QuoteAnswer.Response; order: Order.Order };

/**
 * Builds the quote for a request.
 *
 * @throws RefusalError
 */
export async function from(request: QuoteV2.Request, input: Input): Promise<Quote> {
  const { market, wallet, identity, client } = input;
  const terms = QuoteTerms.from(request, market, client);
  const pricing = Pricing.from(terms);
  if (client && pricing.sponsored && pricing.sponsored.usd > client.sponsorBalanceUsd)
    throw new RefusalError('INSUFFICIENT_FUNDS', 'The balance of the sponsor is too low');
  const lifetime = terms.byAddress ? Order.addressLifetimeSeconds : Order.lifetimeSeconds;
  const deadline = Math.floor(market.nowMs / 1000) + lifetime;
  const protocol =
    terms.execution === 'solver'
      ? protocolOf(terms, Order.orderData(terms, pricing, { salt: identity.salt, deadline }))
      : undefined;
  const { requestId } = identity;
  const permit = protocol && permitOf(terms, pricing, protocol, input);
  const depositAddress = protocol && addressOf(terms, protocol);
  const times = { createdAtMs: market.nowMs, deadline };
  const order = Order.from(terms, pricing, { requestId, ...times, protocol, permit, depositAddress });
  const { steps, gasFee: fullFee } = permit
    ? {
        steps: [Permit.toStep(permit, { ...terms.origin, requestId, output: terms.destination.token.symbol })],
        gasFee: 0n,
      }
    : Steps.from(terms, pricing, { wallet, requestId, orderId: protocol?.orderId, depositAddress });
  // Gas of the relayer's transaction is part of the execution fee.
  const gasFee = order.paysOriginGas ? 0n : fullFee;
  const orderSignature = protocol && terms.wantsSignature ? await input.signOrderId(protocol.orderId) : undefined;
  return { response: QuoteAnswer.from(terms, pricing, { order, steps, gasFee, wallet, orderSignature }), order };
}

/** The order for the depository: without one the user's own transaction does everything. */
function protocolOf({ origin: { chain } }: QuoteTerms.PricedRequest, orderData: OrderData): Order.Order['protocol'] {
  if (chain.vm === 'svm') throw new Error('Nothing is deposited on this chain.');
  const depository = chain.vm === 'lvm' ? chain.relayer : chain.contracts.depository;
  return { orderId: OrderId.from(orderData), depository, orderData };
}

/** The deposit address of the order, if the request asks for one; the refundee is its depositor. */
function addressOf(
  { byAddress, origin, refundTo, user }: QuoteTerms.PricedRequest,
  { orderId }: NonNullable<Order.Order['protocol']>,
): Address | undefined {
  if (!byAddress || !QuoteTerms.isEvm(origin)) return undefined;
  return depositAddress(origin.chain.contracts, orderId, PartyAccount.address(refundTo ?? user));
}

/** The permit that pays for the order, if the request asks for one. */
function permitOf(
  terms: QuoteTerms.PricedRequest,
  pricing: Pricing.Pricing,
  { orderId }: NonNullable<Order.Order['protocol']>,
  { market, identity }: Input,
): Permit.Permit | undefined {
  if (!terms.permit) return undefined;
  const { origin } = terms;
  if (!QuoteTerms.isEvm(origin)) throw new Error('Only tokens take permits.');
  const purpose = {
    contracts: origin.chain.contracts,
    user: PartyAccount.address(terms.user),
    token: origin.token.address,
    orderId,
    requestId: identity.requestId,
  };
  const validUntil = BigInt(Math.floor(market.nowMs / 1000 + terms.permit.validSeconds));
  return Permit.from(purpose, { amount: pricing.input, validUntil });
}

/** The address that deposits for an order in the depositor's name. */
export function depositAddress(
  { depositFactory, depositImplementation }: Pick<Contracts, 'depositFactory' | 'depositImplementation'>,
  orderId: Hex,
  depositor: Address,
): Address {
  return getCreate2Address({
    from: depositFactory,
    salt: keccak256(encodePacked(['bytes32', 'address'], [orderId, depositor])),
    bytecode: `0x602c3d8160093d39f33d3d3d3d363d3d37363d73${depositImplementation.slice(2)}5af43d3d93803e602a57fd5bf3`,
  });
}
