/** Creates quotes: reads the chains, prices the request and stores the order in the ledger. */
import { privateKeyToAccount } from 'viem/accounts';
import type * as QuoteV2 from '../../core/api/QuoteV2.js';
import { from as addressFrom } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import * as nodeRpc from '../chain/nodeRpc.js';
import { describeChain, readMarket, readWallet } from '../chain/readMarket.js';
import { keyName } from '../http/apiKey.js';
import { codedError } from '../http/HttpError.js';
import { isPriced, RefusalError } from '../pricing/QuoteRefusal.js';
import * as Quote from '../quote/Quote.js';
import { type Instance, nodeOf } from '../settlement/instance.js';
import { readVenue } from '../settlement/readVenue.js';
import { accounts } from '../values/devAccounts.js';
import { accountAt, tokenAt, type VenueChain, type Wallet } from '../values/Market.js';
import * as PartyAccount from '../values/PartyAccount.js';
import * as QuoteIds from '../values/QuoteIds.js';

const emptyWallet: Wallet = { balance: 0n, depositoryAllowance: 0n, approvalProxyAllowance: 0n };

/** Whether the request came with the API key. */
type Caller = { hasKey: boolean };

/**
 * Answers a quote request. Requests are numbered in order of arrival, not of completion.
 *
 * @throws RefusalError · HttpError with status 500 and the request id if a chain does not answer
 */
export async function quote(instance: Instance, request: QuoteV2.Request, client: Caller): Promise<QuoteV2.Response> {
  const { ledger } = instance;
  const { response, order, sequence } = await priced(instance, request, client);
  ledger.add({ sequence, order, quote: response, apiKeyName: client.hasKey ? keyName : undefined });
  return response;
}

/**
 * The quote of a request that is only priced: it takes no number and is not stored, so its steps must not be shown.
 *
 * @throws RefusalError, without a request id
 */
export async function price(instance: Instance, request: QuoteV2.Request, client: Caller): Promise<QuoteV2.Response> {
  const nowMs = instance.clock();
  const identity = QuoteIds.from({ seed: instance.seed, sequence: 0, nowMs });
  return (await quoteOf(instance, request, { client, identity, nowMs })).response;
}

async function priced(
  instance: Instance,
  request: QuoteV2.Request,
  client: Caller,
): Promise<Quote.Quote & { sequence: number }> {
  const { ledger, seed, clock } = instance;
  const sequence = ledger.nextSequence();
  const nowMs = clock();
  const identity = QuoteIds.from({ seed, sequence, nowMs });
  try {
    return { ...(await quoteOf(instance, request, { client, identity, nowMs })), sequence };
  } catch (error) {
    throw await refusalOf(instance, request, identity.requestId, error);
  }
}

async function quoteOf(
  instance: Instance,
  request: QuoteV2.Request,
  { client, identity, nowMs }: { client: Caller; identity: QuoteIds.Identity; nowMs: number },
): Promise<Quote.Quote> {
  const { ledger, nodes, venue } = instance;
  const { user, recipient, refundTo } = request;
  const venueChain = readVenue(venue, [user, recipient, refundTo]);
  const [market, wallet] = await Promise.all([readMarket(nodes, nowMs), walletOf(instance, request, venueChain)]);
  return await Quote.from(request, {
    market: { ...market, chains: [...market.chains, venueChain] },
    wallet,
    identity,
    client: client.hasKey ? { sponsorBalanceUsd: ledger.sponsorBalanceUsd() } : undefined,
    signOrderId: (orderId) => solver.signMessage({ message: { raw: orderId } }),
  });
}

/** The error of a quote as the service words it: with the request id, once the chains were asked. */
async function refusalOf(instance: Instance, request: QuoteV2.Request, requestId: Hex, error: unknown): Promise<Error> {
  if (!(error instanceof RefusalError)) return codedError(500, 'UNKNOWN_ERROR', 'Unknown error', { requestId });
  const node = nodeOf(instance, request.originChainId) ?? nodeOf(instance, request.destinationChainId);
  if (!node || !isPriced(error)) return error;
  const approxSimulatedBlock = Number(await nodeRpc.call(node.rpcUrl, 'eth_blockNumber'));
  return new RefusalError(error.body.errorCode, error.message, { requestId, approxSimulatedBlock });
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
