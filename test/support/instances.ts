/** Instances of the service on chains of the tests, and orders in them. */
import type * as QuoteV2 from '../../src/core/api/QuoteV2.js';
import type { Chain } from '../../src/sandbox/chain/startChains.js';
import type { Entry } from '../../src/sandbox/ledger/ledger.js';
import { quote } from '../../src/sandbox/service/quoting.js';
import { createInstance, type Instance } from '../../src/sandbox/settlement/instance.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';

type Chains = { alpha: Chain; beta: Chain };

export function instanceOn({ alpha, beta }: Chains, clock?: () => number): Instance {
  return createInstance({ chains: [alpha, beta], seed: 'test', instance: 'test', ...(clock && { clock }) });
}

/** A request of dev0 to bridge a USDC from alpha to beta. */
export function bridgeOn({ alpha, beta }: Chains, change: Partial<QuoteV2.Request> = {}): QuoteV2.Request {
  return {
    user: accounts.dev0.address,
    originChainId: alpha.id,
    destinationChainId: beta.id,
    originCurrency: alpha.tokens.USDC.address,
    destinationCurrency: beta.tokens.USDC.address,
    tradeType: 'EXACT_INPUT',
    amount: '1000000',
    ...change,
  };
}

/** The entry of a new order. */
export async function ordered(instance: Instance, request: QuoteV2.Request): Promise<Entry> {
  const { requestId = '' } = await quote(instance, request, { keyName: undefined });
  const entry = instance.ledger.byRequestId(requestId);
  if (!entry) throw new Error('no entry');
  return entry;
}
