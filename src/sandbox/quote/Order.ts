/**
 * The stored form of a quote: what the user was promised and what the solver must do, in plain values only; and the order
 * as the settlement protocol defines it.
 *
 * Without `refundTo` the user is refunded, whoever has submitted the payment: refunds then are documented both as
 * disabled and, when forced, as made, and every captured order names the user.
 */
import type { Hex } from 'viem';
import { encodeAbiParameters } from 'viem/utils';
import type * as OrderData from '../../core/api/schema/OrderData.js';
import type { Address } from '../../core/base/Address.js';
import * as Calldata from '../pricing/Calldata.js';
import * as Fees from '../pricing/Fees.js';
import type * as Permit from '../pricing/Permit.js';
import type { Pricing } from '../pricing/Pricing.js';
import { type Execution, isGasless, type PricedRequest, type Side } from '../pricing/QuoteTerms.js';
import { accounts } from '../values/devAccounts.js';
import { type Chain, isNative, nativeOf, stated, type Token } from '../values/Market.js';
import type { Account } from '../values/PartyAccount.js';
import * as Valuation from '../values/Valuation.js';

export type Order = Asked & {
  requestId: Hex;
  /**
   * Who moves the funds: the solver after a deposit, or the user's own transaction; `call` is a gasless call without a
   * quote.
   */
  execution: Execution | 'call';
  requestType: RequestType;
  /** Base units that the user pays. */
  origin: { chainId: number; token: Token; amount: bigint };
  /**
   * What the order is paid in: the input, or what the router swaps it to. Base units that are expected and at least
   * required of it. The fees are in this currency.
   */
  payment: { token: Token; amount: bigint; minimumAmount: bigint };
  hasOriginSwap: boolean;
  /** Base units that the recipient is expected to receive, and is guaranteed to receive. */
  destination: { chainId: number; token: Token; amount: bigint; minimumAmount: bigint };
  createdAtMs: number;
  /** Unix seconds after which the order is invalid. */
  deadline: number;
  /** Unix seconds after which it must be refunded instead of filled. */
  fillBefore?: number | undefined;
  /** The strict address that deposits for the order in the refundee's name; undefined if the user does. */
  depositAddress?: Address | undefined;
  /**
   * The order that the deposit must reference, and where to deposit (on the venue, the relayer's account); only if the
   * solver takes part.
   */
  protocol?: { orderId: Hex; depository: Account; orderData: OrderData.OrderData } | undefined;
  /**
   * Base units that the solver may spend if the deposit is `basis`, in the payment's counterpart on the destination; in
   * the payment's currency if that is the venue. A larger or smaller deposit changes it by the difference.
   */
  solverAmount: bigint;
  /** In base units of the payment. */
  basis: bigint;
  /** The quoted activation fee of the venue for the recipient, in base units of the output. */
  activationFee: bigint;
  /** Whether the execution fee includes the gas of the origin transaction. */
  paysOriginGas: boolean;
  /** The permit that the user signs instead of sending transactions. */
  permit?: Permit.Permit | undefined;
  appFees: readonly { recipient: Address; bps: bigint; amount: bigint }[];
  fees: Fees.Fees;
  /** Upper bound on the sponsor's payment; `execution` is the part of it that depends on gas. */
  sponsorship?: { usd: bigint; amount: bigint; execution: bigint } | undefined;
  timeEstimateSeconds: number;
  /** Calls that the router makes with the output, if there are any. */
  calls?: readonly Calldata.Call[] | undefined;
  /** What the recipient gets in the native asset besides: wei, and what it is worth. */
  gasTopup?: { amount: bigint; usd: bigint } | undefined;
};

/** What an order has from its request as it is. */
type Asked = Pick<
  PricedRequest,
  'transactionType' | 'tradeType' | 'user' | 'recipient' | 'refundTo' | 'referrer' | 'forceRefund' | 'slippageBps'
>;

export type RequestType = 'Bridge' | 'Crosschain Swap' | 'Same-chain Swap' | 'Send' | 'Wrap' | 'Unwrap' | 'Call';

/** The fields of an order that follow from neither its terms nor its price. */
export type Metadata = Pick<Order, 'requestId' | 'createdAtMs' | 'deadline' | 'protocol' | 'permit' | 'depositAddress'>;

export function from(terms: PricedRequest, pricing: Pricing, metadata: Metadata): Order {
  const { origin, destination, execution, transactionType, tradeType } = terms;
  const { user, recipient, refundTo, referrer, forceRefund, slippageBps } = terms;
  return {
    ...metadata,
    ...{ transactionType, tradeType, user, recipient, refundTo, referrer, forceRefund, slippageBps },
    execution,
    requestType: requestType(terms),
    origin: { chainId: origin.chain.id, token: origin.token, amount: pricing.input },
    payment: {
      token: terms.payment.token,
      amount: pricing.paid,
      minimumAmount: pricing.originSwap?.demanded ?? pricing.paid,
    },
    hasOriginSwap: pricing.originSwap !== undefined,
    destination: {
      chainId: destination.chain.id,
      token: destination.token,
      amount: pricing.output,
      minimumAmount: pricing.minimumOutput,
    },
    fillBefore: terms.ttlSeconds === undefined ? undefined : Math.floor(metadata.createdAtMs / 1000 + terms.ttlSeconds),
    solverAmount: pricing.pathAmount,
    basis: pricing.basis,
    activationFee: pricing.activationFee,
    paysOriginGas: isGasless(terms) && (execution === 'solver' || execution === 'swap'),
    appFees: terms.appFees.map((fee, index) => ({ ...fee, amount: pricing.charges.app[index] ?? 0n })),
    fees: Fees.from(terms, pricing),
    sponsorship: pricing.sponsored && {
      usd: pricing.sponsored.usd,
      amount: pricing.sponsored.amount,
      execution: pricing.sponsored.parts.execution.sponsored,
    },
    ...(terms.calls.length > 0 ? { calls: terms.calls } : {}),
    ...(terms.gasTopup > 0n
      ? { gasTopup: { amount: terms.gasTopup, usd: Valuation.toUsd(terms.gasTopup, nativeOf(destination.chain)) } }
      : {}),
    timeEstimateSeconds: origin.chain.id === destination.chain.id ? 1 : 2,
  };
}

/** Whether exactly the quoted output is paid out. What a swap on the origin chain yields beyond it is the recipient's. */
export function isExact({ tradeType, hasOriginSwap }: Order): boolean {
  return tradeType === 'EXACT_OUTPUT' && !hasOriginSwap;
}

/**
 * What the solver may spend for a deposit, in base units of the payment's counterpart; 0 if the fees exceed it. A plain
 * deposit of more than was asked for changes nothing.
 */
export function solverAmount(order: Order, deposited: bigint, counterpart: Pick<Token, 'decimals'>): bigint {
  const { solverAmount: quoted, basis, payment, hasOriginSwap } = order;
  if (!hasOriginSwap) return quoted;
  const difference = deposited > basis ? deposited - basis : basis - deposited;
  const change = Valuation.rescale(difference, payment.token.decimals, counterpart.decimals);
  if (deposited >= basis) return quoted + change;
  return quoted > change ? quoted - change : 0n;
}

/** Who is refunded: the recipient that the protocol's order names, too. */
export function refundee({ refundTo, user }: Pick<Order, 'refundTo' | 'user'>): Account {
  return refundTo ?? user;
}

function requestType({ origin, destination, transactionType }: PricedRequest): RequestType {
  const isOneChain = origin.chain.id === destination.chain.id;
  if (transactionType === 'bridge') return isOneChain ? 'Send' : 'Bridge';
  if (!isOneChain) return 'Crosschain Swap';
  if (transactionType === 'wrap') return isNative(origin.token) ? 'Wrap' : 'Unwrap';
  return 'Same-chain Swap';
}

const solverChain = 'alpha';

/** Validity of an order after its quote: seven days. */
export const lifetimeSeconds = 604_800;

/** The same of an order that a deposit address belongs to: 180 days. */
export const addressLifetimeSeconds = 15_552_000;

/**
 * The order of a priced quote. It can be refunded in what it is paid in, or on the destination chain in what the solver
 * starts from there.
 */
export function orderData(
  terms: PricedRequest,
  pricing: Pricing,
  { salt, deadline }: { salt: Hex; deadline: number },
): OrderData.OrderData {
  const { destination, payment } = terms;
  const refund = (side: Side, recipient: Account) => ({
    chainId: side.chain.slug,
    recipient,
    currency: stated(side.token.address),
    minimumAmount: '0',
    deadline,
    extraData: routerOf(side.chain),
  });
  return {
    version: 'v1',
    solverChainId: solverChain,
    solver: accounts.solver.address.toLowerCase(),
    salt,
    inputs: [
      {
        payment: {
          chainId: payment.chain.slug,
          currency: stated(payment.token.address),
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
          currency: stated(destination.token.address),
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
export function startOf({ destination }: Pick<PricedRequest, 'destination'>, { path }: Pick<Pricing, 'path'>): Side {
  const isSwapped = path.chain.id === destination.chain.id && path.from.symbol !== path.to.symbol;
  return isSwapped ? { chain: path.chain, token: path.from } : destination;
}

/** Who is paid: the router, if it is to make calls with the output. */
function payeeOf({ calls, destination: { chain }, recipient }: PricedRequest): Account {
  return calls.length > 0 && chain.vm === 'evm' ? (chain.contracts.router.toLowerCase() as Account) : recipient;
}

/** The paying contract on a chain; only EVM chains need one. */
function routerOf(chain: Chain): Hex {
  if (chain.vm !== 'evm') return '0x';
  return encodeAbiParameters([{ type: 'address' }], [chain.contracts.router]);
}
