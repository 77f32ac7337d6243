/** Intents and their quotes, made by the sandbox's own engine on the market of ./market.ts: no chain, no server. */
import { privateKeyToAccount } from 'viem/accounts';
import * as Amount from '../../src/core/base/Amount.js';
import type * as Network from '../../src/core/network/Network.js';
import * as Expectation from '../../src/core/proof/Expectation.js';
import * as Verification from '../../src/core/proof/Verification.js';
import * as Currency from '../../src/core/quote/Currency.js';
import type { Finding } from '../../src/core/quote/Finding.js';
import * as Quote from '../../src/core/quote/Quote.js';
import * as TransferIntent from '../../src/core/quote/TransferIntent.js';
import { platformComponent } from '../../src/sandbox/pricing/Sponsorship.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import * as market from './market.js';

/** The market as the client would be shipped it. */
export const network: Network.Network = {
  name: 'sandbox',
  solver: { chainSlug: 'alpha', addresses: [market.solver], relayers: [accounts.relayer.address] },
  baseUrl: undefined,
  realMoney: false,
  chains: [market.alpha, market.beta].map((chain) => {
    const [native, ...tokens] = chain.tokens.map(({ symbol, name, address, decimals }) => ({
      symbol,
      name,
      address,
      decimals,
    }));
    if (!native) throw new Error('no native token');
    return {
      id: chain.id,
      name: chain.slug,
      displayName: chain.displayName,
      slug: chain.slug,
      vm: 'evm' as const,
      native,
      contracts: chain.contracts,
      tokens,
    };
  }),
};

export function intent(
  amount: string,
  from: string,
  to: string,
  typed: TransferIntent.Typed & { slippageBps?: number } = {},
): TransferIntent.Intent {
  const origin = Currency.parse(from, network) as Currency.Currency;
  const destination = Currency.parse(to, network) as Currency.Currency;
  const of = typed.exactOutput || typed.expectedOutput ? destination : origin;
  return TransferIntent.from(Amount.from(amount, of.token.decimals), origin, destination, typed, {
    network: network.name,
    user: market.user,
    slippageBps: typed.slippageBps,
    referrer: undefined,
  });
}

const { signMessage } = privateKeyToAccount(accounts.solver.privateKey);

/** The solver's signature over an order id. */
const signOrderId = (raw: `0x${string}`): Promise<`0x${string}`> => signMessage({ message: { raw } });

/** The quote of the sandbox's engine for an intent, read by the client. */
export async function quote(asked: TransferIntent.Intent): Promise<Quote.Quote> {
  const client = asked.sponsor === undefined ? undefined : { sponsorBalanceUsd: 10n ** 12n };
  const { response } = await market.quote(
    TransferIntent.toRequest(asked, { platformWord: platformComponent, wantsSignature: true }),
    { client, signOrderId },
  );
  return Quote.from(structuredClone(response), asked, market.market.nowMs);
}

/** A deep copy of a quote with one value of its answer replaced, read again. `path` is dotted. */
export function altered(original: Quote.Quote, path: string, value: unknown): Quote.Quote {
  const response = structuredClone(original.response) as Record<string, unknown>;
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let at: Record<string, unknown> = response;
  for (const key of keys) at = at[key] as Record<string, unknown>;
  if (!(last in at)) throw new Error(`nothing at ${path}`);
  at[last] = value;
  return Quote.from(response as Quote.Quote['response'], original.intent, original.quotedAt);
}

export const caps: TransferIntent.Caps = {
  maxImpactBps: 500,
  maxFeeUsd: undefined,
  minOut: undefined,
  maxAgeMs: 30_000,
};

/** The offline proof of a quote at the moment it was made. */
export function prove(quoted: Quote.Quote): Promise<Finding[]> {
  return Verification.prove(quoted, Expectation.from(quoted.intent), surroundings());
}

/** The surroundings a quote is verified in, `laterMs` after it was made. */
function surroundings(laterMs = 0): Verification.ProofContext & { nowMs: number } {
  return { network, baseUrl: 'http://127.0.0.1:1', nowMs: market.market.nowMs + laterMs };
}

/** Proves a quote and applies a policy that allows nothing. */
export async function verify(
  quoted: Quote.Quote,
  { caps: own = caps, ...policy }: Partial<Verification.Policy & { caps: TransferIntent.Caps }> = {},
  laterMs = 0,
): Promise<Verification.Verified> {
  const proof = await Verification.proofOf(quoted, own, surroundings(laterMs));
  return Verification.from(proof, { network, isAsked: false, allow: [], shown: [], ...policy });
}
