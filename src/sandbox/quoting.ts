/** Quotes: reads the chains, prices the request and keeps the order in the ledger. */
import { privateKeyToAccount } from 'viem/accounts';
import { from as addressFrom } from '../core/Address.js';
import type * as QuoteV2 from '../core/contract/QuoteV2.js';
import * as Account from './Account.js';
import { accounts } from './accounts.js';
import { keyName } from './apiKey.js';
import * as Identity from './Identity.js';
import { type Instance, nodeOf } from './instance.js';
import { accountAt, tokenAt, type VenueChain, type Wallet } from './Market.js';
import * as Quote from './Quote.js';
import { readMarket, readWallet, standing } from './readMarket.js';
import { readVenue } from './readVenue.js';

const nothing: Wallet = { balance: 0n, depositoryAllowance: 0n, approvalProxyAllowance: 0n };

/**
 * The answer to a quote request. Requests are numbered in the order they come in, whichever is answered first.
 *
 * @throws RefusalError
 */
export async function quote(
  instance: Instance,
  request: QuoteV2.Request,
  client: { hasKey: boolean },
): Promise<QuoteV2.Response> {
  const { ledger, seed, clock, nodes, venue } = instance;
  const sequence = ledger.nextSequence();
  const nowMs = clock();
  const { user, recipient, refundTo } = request;
  const venueChain = readVenue(venue, [user, recipient, refundTo]);
  const [market, wallet] = await Promise.all([readMarket(nodes, nowMs), walletOf(instance, request, venueChain)]);
  const { response, order } = await Quote.from(request, {
    market: { ...market, chains: [...market.chains, venueChain] },
    wallet,
    identity: Identity.from({ seed, sequence, nowMs }),
    client: client.hasKey ? { sponsorBalanceUsd: ledger.sponsorBalanceUsd() } : undefined,
    signOrderId: (orderId) => solver.signMessage({ message: { raw: orderId } }),
  });
  ledger.add({ sequence, order, quote: response, apiKeyName: client.hasKey ? keyName : undefined });
  return response;
}

const solver = privateKeyToAccount(accounts.solver.privateKey);

/** The user's side of the origin. Who or what the sandbox does not know has nothing; the price says so then. */
async function walletOf(instance: Instance, request: QuoteV2.Request, venue: VenueChain): Promise<Wallet> {
  const { user, originChainId, originCurrency } = request;
  if (originChainId === venue.id) {
    const index = Account.toIndex(user);
    const balance = (index && accountAt(venue, index)?.balance) ?? 0n;
    return { ...nothing, balance };
  }
  const node = nodeOf(instance, originChainId);
  const token = node && tokenAt(standing(node), originCurrency);
  const address = Account.toAddress(user);
  return node && token && address ? await readWallet(node, addressFrom(address), token.address) : nothing;
}
