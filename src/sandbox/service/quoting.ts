/** Creates quotes: reads the chains, prices the request and stores the order in the ledger. */
import { privateKeyToAccount } from 'viem/accounts';
import type * as QuoteV2 from '../../core/api/QuoteV2.js';
import { from as addressFrom } from '../../core/base/Address.js';
import { describeChain, readMarket, readWallet } from '../chain/readMarket.js';
import { keyName } from '../http/apiKey.js';
import * as Quote from '../quote/Quote.js';
import { type Instance, nodeOf } from '../settlement/instance.js';
import { readVenue } from '../settlement/readVenue.js';
import { accounts } from '../values/devAccounts.js';
import { accountAt, tokenAt, type VenueChain, type Wallet } from '../values/Market.js';
import * as PartyAccount from '../values/PartyAccount.js';
import * as QuoteIds from '../values/QuoteIds.js';

const emptyWallet: Wallet = { balance: 0n, depositoryAllowance: 0n, approvalProxyAllowance: 0n };

/**
 * Answers a quote request. Requests are numbered in order of arrival, not of completion.
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
    identity: QuoteIds.from({ seed, sequence, nowMs }),
    client: client.hasKey ? { sponsorBalanceUsd: ledger.sponsorBalanceUsd() } : undefined,
    signOrderId: (orderId) => solver.signMessage({ message: { raw: orderId } }),
  });
  ledger.add({ sequence, order, quote: response, apiKeyName: client.hasKey ? keyName : undefined });
  return response;
}

const solver = privateKeyToAccount(accounts.solver.privateKey);

/** The user's wallet on the origin chain. An unknown user or currency has a zero balance; pricing reports the error. */
async function walletOf(instance: Instance, request: QuoteV2.Request, venue: VenueChain): Promise<Wallet> {
  const { user, originChainId, originCurrency } = request;
  if (originChainId === venue.id) {
    const index = PartyAccount.toIndex(user);
    const balance = (index && accountAt(venue, index)?.balance) ?? 0n;
    return { ...emptyWallet, balance };
  }
  const node = nodeOf(instance, originChainId);
  const token = node && tokenAt(describeChain(node), originCurrency);
  const address = PartyAccount.toAddress(user);
  return node && token && address ? await readWallet(node, addressFrom(address), token.address) : emptyWallet;
}
