/** Creates quotes: reads the chains, prices the request and stores the order in the ledger. */
import { privateKeyToAccount } from 'viem/accounts';
import type * as QuoteV2 from '../../core/api/QuoteV2.js';
import { from as addressFrom } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import * as nodeRpc from '../chain/nodeRpc.js';
import { describeChain, readMarket, readWallet } from '../chain/readMarket.js';
import * as Revert from '../execute/Revert.js';
import { codedError } from '../http/HttpError.js';
import { isPriced, RefusalError } from '../pricing/QuoteRefusal.js';
import * as Quote from '../quote/Quote.js';
import type * as QuoteAnswer from '../quote/QuoteAnswer.js';
import { type Instance, nodeOf } from '../settlement/instance.js';
import { readVenue } from '../settlement/readVenue.js';
import { type Reverting, rehearse } from '../settlement/sendFill.js';
import { noSvm } from '../svm/liteSvm.js';
import { svmDescription } from '../svm/svmDescription.js';
import { accounts } from '../values/devAccounts.js';
import { accountAt, emptyWallet, tokenAt, type VenueChain, type Wallet } from '../values/Market.js';
import * as PartyAccount from '../values/PartyAccount.js';
import * as QuoteIds from '../values/QuoteIds.js';

/** The name of the API key that the request came with. */
type Caller = { keyName: string | undefined };

/**
 * Answers a quote request. Requests are numbered in order of arrival, not of completion.
 *
 * @throws RefusalError · HttpError with status 500 and the request id if a chain does not answer
 */
export async function quote(
  instance: Instance,
  request: QuoteV2.Request,
  client: Caller,
): Promise<QuoteAnswer.Response> {
  const { ledger } = instance;
  const { response, order, sequence } = await priced(instance, request, client);
  ledger.add({ sequence, order, quote: response, apiKeyName: client.keyName });
  return response;
}

/**
 * The quote of a request that is only priced: it takes no number and is not stored, so its steps must not be shown.
 *
 * @throws RefusalError, without a request id
 */
export async function price(
  instance: Instance,
  request: QuoteV2.Request,
  client: Caller,
): Promise<QuoteAnswer.Response> {
  const nowMs = instance.clock();
  const identity = QuoteIds.from({ seed: instance.seed, sequence: 0, nowMs });
  try {
    return (await quoteOf(instance, request, { client, identity, nowMs })).response;
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    // A price has no transaction to show.
    const { message, errorCode, failedCallData: _, ...told } = error.body;
    throw new RefusalError(errorCode, message, told);
  }
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
  const { ledger, nodes, venue, svm } = instance;
  if (!svm && [request.originChainId, request.destinationChainId].includes(svmDescription.id))
    throw new RefusalError('UNSUPPORTED_CHAIN', `This sandbox runs without the chain ${svmDescription.slug}: ${noSvm}`);
  const { user, recipient, refundTo } = request;
  const venueChain = readVenue(venue, [user, recipient, refundTo]);
  const [market, wallet] = await Promise.all([readMarket(nodes, nowMs), walletOf(instance, request, venueChain)]);
  const found = await Quote.from(request, {
    market: { ...market, chains: [...market.chains, venueChain, ...(svm ? [svmDescription] : [])] },
    wallet,
    identity,
    client: client.keyName !== undefined ? { sponsorBalanceUsd: ledger.sponsorBalanceUsd() } : undefined,
    signOrderId: (orderId) => solver.signMessage({ message: { raw: orderId } }),
  });
  const reverting = await rehearse(instance, found.order);
  if (reverting) throw callsFailed(reverting);
  return found;
}

/** The refusal of calls that revert, in the words of a node. */
function callsFailed({ transaction: { from, to, data, value }, frame }: Reverting): RefusalError {
  const { type, message } = Revert.from(frame);
  const reason = type === 'errorString' ? `: ${message}` : '';
  return new RefusalError('DESTINATION_TX_FAILED', 'Destination transaction failed', {
    errorData: `execution reverted${reason}`,
    failedCallData: { from, to, data, value: value.toString() },
  });
}

/** The error of a quote as the service words it: with the request id, once the chains were asked. */
async function refusalOf(instance: Instance, request: QuoteV2.Request, requestId: Hex, error: unknown): Promise<Error> {
  if (!(error instanceof RefusalError)) return codedError(500, 'UNKNOWN_ERROR', 'Unknown error', { requestId });
  const { message, errorCode, ...told } = error.body;
  const [origin, destination] = [nodeOf(instance, request.originChainId), nodeOf(instance, request.destinationChainId)];
  const node = errorCode === 'DESTINATION_TX_FAILED' ? destination : (origin ?? destination);
  if (!node || !isPriced(error)) return error;
  const approxSimulatedBlock = Number(await nodeRpc.call(node.rpcUrl, 'eth_blockNumber'));
  return new RefusalError(errorCode, message, { ...told, requestId, approxSimulatedBlock });
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
