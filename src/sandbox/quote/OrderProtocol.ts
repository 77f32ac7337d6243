/** Builds the order as defined by the settlement protocol. */
import type { Hex } from 'viem';
import { encodeAbiParameters } from 'viem/utils';
import type * as OrderData from '../../core/api/schema/OrderData.js';
import type { Pricing } from '../pricing/Pricing.js';
import type { Side, Terms } from '../pricing/QuoteTerms.js';
import type { Chain, Market } from '../values/Market.js';
import type { Account } from '../values/PartyAccount.js';

/** The chain of the solver's account. */
const solverChain = 'alpha';

/** Validity of an order after its quote: seven days. */
export const lifetimeSeconds = 604_800;

export type Context = { market: Pick<Market, 'solver'>; salt: Hex; deadline: number };

/** The order of a priced quote. It can be refunded in either currency. */
export function orderData(terms: Terms, pricing: Pricing, { market, salt, deadline }: Context): OrderData.OrderData {
  const { origin, destination } = terms;
  const refund = (side: Side, recipient: Account) => ({
    chainId: side.chain.slug,
    recipient,
    currency: side.token.address.toLowerCase(),
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
          chainId: origin.chain.slug,
          currency: origin.token.address.toLowerCase(),
          amount: pricing.input.toString(),
          weight: '1',
        },
        refunds: [refund(origin, terms.refundTo ?? terms.user), refund(destination, terms.recipient)],
      },
    ],
    output: {
      chainId: destination.chain.slug,
      payments: [
        {
          recipient: terms.recipient,
          currency: destination.token.address.toLowerCase(),
          minimumAmount: pricing.minimumOutput.toString(),
          expectedAmount: pricing.output.toString(),
        },
      ],
      calls: [],
      deadline,
      extraData: routerOf(destination.chain),
    },
    fees: [],
  };
}

/** The paying contract on a chain; the venue needs none. */
function routerOf(chain: Chain): Hex {
  if (chain.vm === 'lvm') return '0x';
  return encodeAbiParameters([{ type: 'address' }], [chain.contracts.router]);
}
