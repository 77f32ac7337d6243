/** Builds the order as defined by the settlement protocol. */
import type { Hex } from 'viem';
import { encodeAbiParameters } from 'viem/utils';
import type * as OrderData from '../../core/api/schema/OrderData.js';
import * as Calldata from '../pricing/Calldata.js';
import type { Pricing } from '../pricing/Pricing.js';
import type { Side, Terms } from '../pricing/QuoteTerms.js';
import { type Chain, type Market, stated } from '../values/Market.js';
import type { Account } from '../values/PartyAccount.js';

/** The chain of the solver's account. */
const solverChain = 'alpha';

/** Validity of an order after its quote: seven days. */
export const lifetimeSeconds = 604_800;

/** The same of an order that a deposit address belongs to: 180 days. */
export const addressLifetimeSeconds = 15_552_000;

export type Context = { market: Pick<Market, 'solver'>; salt: Hex; deadline: number };

/**
 * The order of a priced quote. It can be refunded in what it is paid in, or on the destination chain in what the solver
 * starts from there.
 */
export function orderData(terms: Terms, pricing: Pricing, { market, salt, deadline }: Context): OrderData.OrderData {
  const { destination, payment } = terms;
  const refund = (side: Side, recipient: Account) => ({
    chainId: side.chain.slug,
    recipient,
    currency: stated(side.token),
    minimumAmount: '0',
    deadline,
    extraData: routerOf(side.chain),
  });
  return {
    version: 'v1',
    solverChainId: solverChain,
    solver: market.solver.toLowerCase(),
    salt,
    inputs: [
      {
        payment: {
          chainId: payment.chain.slug,
          currency: stated(payment.token),
          amount: pricing.paid.toString(),
          weight: '1',
        },
        refunds: [refund(payment, terms.refundTo ?? terms.user), refund(startOf(terms, pricing), terms.recipient)],
      },
    ],
    output: {
      chainId: destination.chain.slug,
      payments: [
        {
          recipient: payeeOf(terms),
          currency: stated(destination.token),
          minimumAmount: pricing.minimumOutput.toString(),
          expectedAmount: pricing.output.toString(),
        },
      ],
      calls: terms.calls.map(Calldata.bound),
      deadline,
      extraData: routerOf(destination.chain),
    },
    fees: [],
  };
}

/** What the solver's payment starts from on the destination chain: the output, unless it is swapped there. */
export function startOf({ destination }: Pick<Terms, 'destination'>, { path }: Pick<Pricing, 'path'>): Side {
  const isSwapped = path.chain.id === destination.chain.id && path.from.symbol !== path.to.symbol;
  return isSwapped ? { chain: path.chain, token: path.from } : destination;
}

/** Who is paid: the router, if it is to make calls with the output. */
function payeeOf({ calls, destination: { chain }, recipient }: Terms): Account {
  return calls.length > 0 && chain.vm === 'evm' ? (chain.contracts.router.toLowerCase() as Account) : recipient;
}

/** The paying contract on a chain; only EVM chains need one. */
function routerOf(chain: Chain): Hex {
  if (chain.vm !== 'evm') return '0x';
  return encodeAbiParameters([{ type: 'address' }], [chain.contracts.router]);
}
