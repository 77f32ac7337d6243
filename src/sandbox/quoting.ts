/** Quotes: reads the chains, prices the request and keeps the order in the ledger. */
import { privateKeyToAccount } from 'viem/accounts';
import { type Address, from as addressFrom, isEqual } from '../core/Address.js';
import type * as QuoteV2 from '../core/contract/QuoteV2.js';
import { accounts } from './accounts.js';
import { keyName } from './apiKey.js';
import * as Identity from './Identity.js';
import { type Instance, nodeOf } from './instance.js';
import type { Wallet } from './Market.js';
import * as Quote from './Quote.js';
import { readMarket, readWallet, standing } from './readMarket.js';

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
  const { ledger, seed, clock, nodes } = instance;
  const sequence = ledger.nextSequence();
  const nowMs = clock();
  const [market, wallet] = await Promise.all([readMarket(nodes, nowMs), walletOf(instance, request)]);
  const { response, order } = await Quote.from(request, {
    market,
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
async function walletOf(instance: Instance, request: QuoteV2.Request): Promise<Wallet> {
  const node = nodeOf(instance, request.originChainId);
  const token = node && standing(node).tokens.find(({ address }) => isEqual(address, request.originCurrency));
  const user = addressOf(request.user);
  return node && token && user ? await readWallet(node, user, token.address) : nothing;
}

function addressOf(text: string): Address | undefined {
  try {
    return addressFrom(text);
  } catch {
    return undefined;
  }
}
