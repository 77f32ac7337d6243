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

/**
 * The order of a priced quote. It can be refunded in what it is paid in, or on the destination chain in what the solver
 * starts from there.
 */
export function orderData(terms: Terms, pricing: Pricing, { market, salt, deadline }: Context): OrderData.OrderData {
  const { destination, payment } = terms;
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
          chainId: payment.chain.slug,
          currency: payment.token.address.toLowerCase(),
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

/** What the solver's payment starts from on the destination chain: the output, unless it is swapped there. */
export function startOf({ destination }: Pick<Terms, 'destination'>, { path }: Pick<Pricing, 'path'>): Side {
  const isSwapped = path.chain.id === destination.chain.id && path.from.symbol !== path.to.symbol;
  return isSwapped ? { chain: path.chain, token: path.from } : destination;
}

/** The paying contract on a chain; the venue needs none. */
function routerOf(chain: Chain): Hex {
  if (chain.vm === 'lvm') return '0x';
  return encodeAbiParameters([{ type: 'address' }], [chain.contracts.router]);
}
