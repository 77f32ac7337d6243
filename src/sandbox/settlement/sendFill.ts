/** Fills an order on its destination: a solver transaction on a chain, a transfer on the venue. */

import { concat, encodeFunctionData, maxUint256 } from 'viem';
import { type Address, isEqual, native } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import * as nodeRpc from '../chain/nodeRpc.js';
import { type Node, readMarket } from '../chain/readMarket.js';
import { simulate } from '../chain/simulateCall.js';
import type { Send } from '../chain/transactionQueue.js';
import type { Entry } from '../ledger/ledger.js';
import { waitFor } from '../ledger/minedTransactions.js';
import * as Calldata from '../pricing/Calldata.js';
import * as PoolRoute from '../pricing/PoolRoute.js';
import * as SwapCalls from '../pricing/SwapCalls.js';
import * as Order from '../quote/Order.js';
import { svmDescription } from '../svm/svmDescription.js';
import * as abi from '../values/abi.js';
import type * as CallTrace from '../values/CallTrace.js';
import { accounts } from '../values/devAccounts.js';
import * as GasLimits from '../values/GasLimits.js';
import * as Market from '../values/Market.js';
import * as PartyAccount from '../values/PartyAccount.js';
import { chainContext, type Instance } from './instance.js';
import { venueDescription } from './readVenue.js';
import type { Hooks, Payout } from './sendCredit.js';
import * as sendCredit from './sendCredit.js';

/**
 * Prices the order again at the chains' current state and sends its fill. Fills on one chain are serialized, so that
 * each sees the pools as the previous one left them.
 */
export async function send(instance: Instance, entry: Entry, hooks: Hooks): Promise<Payout> {
  const { order } = entry;
  if (order.destination.chainId === venueDescription.id) return await sendCredit.fill(instance, entry, hooks);
  if (order.destination.chainId === svmDescription.id) return await sendCredit.fillTokens(instance, entry, hooks);
  const { node, solver } = chainContext(instance, order.destination.chainId);
  return await solver.runExclusive(async (broadcast) => {
    const market = await readMarket(instance.nodes, instance.clock());
    const fill = fillOf(order, sendCredit.depositedFor(entry), market);
    if ('failReason' in fill) return fill;
    if (fill.needs) await ensureAllowance(node, solver.address, fill.needs, broadcast);
    const { delivered: amount } = fill;
    const transaction = order.calls ? await rehearsed(node, solver.address, fill.transaction) : fill.transaction;
    if (!transaction) return { failReason: 'EXECUTION_REVERTED' };
    const hash = await broadcast(transaction, (signed) => hooks.onSent({ hash: signed, amount }));
    return { hash, amount };
  });
}

/** A transaction of the solver that would revert, as the node traces it. */
export type Reverting = { transaction: Calldata.Call & { from: Address }; frame: CallTrace.Frame };

/**
 * The fill of an order with calls, as it would be sent now, if it would revert. Undefined if it succeeds, or if nothing can
 * be said: there is no fill now, or the solver's allowance is not mined.
 */
export async function rehearse(instance: Instance, order: Order.Order): Promise<Reverting | undefined> {
  if (!order.calls) return undefined;
  const { node, solver } = chainContext(instance, order.destination.chainId);
  return await solver.runExclusive(async (broadcast) => {
    const market = await readMarket(instance.nodes, instance.clock());
    const fill = fillOf(order, order.payment.amount, market);
    if ('failReason' in fill) return undefined;
    if (fill.needs) {
      const hash = await ensureAllowance(node, solver.address, fill.needs, broadcast);
      if (hash) await waitFor(node, hash, AbortSignal.timeout(patienceMs)).catch(() => undefined);
      if ((await allowance(node, solver.address, fill.needs, 'latest')) < fill.needs.amount) return undefined;
    }
    const transaction = { ...fill.transaction, from: solver.address };
    const { frame } = await simulate(node, { ...transaction, authorizations: [] });
    return frame.error === undefined ? undefined : { transaction, frame };
  });
}

/** The fill with the gas that it needs; undefined if a call of the user makes it revert. */
async function rehearsed<Transaction extends { to: Address; data: Hex; value: bigint; gas: bigint }>(
  node: Node,
  from: Address,
  transaction: Transaction,
): Promise<Transaction | undefined> {
  const { frame, gas } = await simulate(node, { ...transaction, from, authorizations: [] });
  return frame.error === undefined ? { ...transaction, gas: gas.limit } : undefined;
}

/** Sends a transaction in place of the fill that reverts. Resolves to its hash. */
export async function sendReverting(instance: Instance, entry: Entry, hooks: Hooks): Promise<string> {
  const { chainId } = entry.order.destination;
  if (chainId === venueDescription.id || chainId === svmDescription.id)
    return await sendCredit.sendFailing(instance, entry, hooks);
  const { node, solver } = chainContext(instance, chainId);
  return await solver.runExclusive(async (broadcast) => {
    // A selector that the router does not implement.
    const call = { to: node.router, data: '0x00000000', value: 0n, gas: 50_000n } as const;
    return await broadcast(call, (hash) => hooks.onSent({ hash, amount: 0n }));
  });
}

/** How long a quote waits for the solver's allowance: a chain may have stopped. */
const patienceMs = 2_000;

/** Grants an unlimited allowance, if there is none: the tokens are the solver's own. Resolves to the hash. */
async function ensureAllowance(node: Node, owner: Address, needs: Needs, broadcast: Send): Promise<Hex | undefined> {
  const { spender, amount, token } = needs;
  if ((await allowance(node, owner, needs, 'pending')) >= amount) return undefined;
  return await broadcast({ ...Calldata.approve(token, spender, maxUint256), gas: approvalGas });
}

type Needs = { token: Market.EvmToken; spender: Address; amount: bigint };

async function allowance(
  node: Node,
  owner: Address,
  { spender, token }: Needs,
  block: 'latest' | 'pending',
): Promise<bigint> {
  const data = encodeFunctionData({ abi: abi.token, functionName: 'allowance', args: [owner, spender] });
  return BigInt((await nodeRpc.call(node.rpcUrl, 'eth_call', { to: token.address, data }, block)) as Hex);
}

const approvalGas = 80_000n;

type Fill =
  | {
      /** The solver's transaction. */
      transaction: Calldata.Call & { gas: bigint };
      /** Base units that the recipient receives. */
      delivered: bigint;
      /** The allowance that the solver must grant beforehand. */
      needs: Needs | undefined;
    }
  | { failReason: string };

/**
 * The fill of an order whose deposit has arrived, or the reason why the pools do not allow one. A deposit of more or less
 * than expected delivers more or less, but never less than the order's minimum.
 *
 * @param deposited base units of the payment
 */
export function fillOf(order: Order.Order, deposited: bigint, market: Market.Market<Market.EvmChain>): Fill {
  const chain = Market.chainById(market, order.destination.chainId);
  const path = chain && PoolRoute.pathThrough(chain, order.payment.token, order.destination.token);
  if (!path) return { failReason: 'INSUFFICIENT_POOL_LIQUIDITY' };
  const { from: token, to, route } = path;
  const amount = Order.solverAmount(order, deposited, token);
  const output = PoolRoute.outputOf(route, amount);
  if (output < order.destination.minimumAmount) return { failReason: 'TOO_LITTLE_RECEIVED' };
  const delivered = Order.isExact(order) ? order.destination.amount : output;
  const recipient = PartyAccount.address(order.recipient);
  if (isEqual(token.address, to.address) && !order.calls && !order.gasTopup) {
    const call = named(Calldata.transfer(to, recipient, delivered), order);
    return { transaction: { ...call, gas: GasLimits.transfer(to) }, delivered, needs: undefined };
  }
  return routedFill(order, { ...path, amount, delivered, recipient });
}

/** The transfer of a token with the order id behind its arguments, as the live solver sends it. */
function named(call: Calldata.Call, { protocol }: Order.Order): Calldata.Call {
  return call.data === '0x' || !protocol ? call : { ...call, data: concat([call.data, protocol.orderId as Hex]) };
}

/** Gas of a top-up, which a contract may spend some of. */
const topupGas = 60_000n;

type Routed = PoolRoute.Path & { amount: bigint; delivered: bigint; recipient: Address };

/** Through the router, which swaps, makes the calls of the user and tops up the gas: all of it, or nothing. */
function routedFill(order: Order.Order, { amount, delivered, ...routed }: Routed): Fill {
  const { chain, from: token, to, route, recipient } = routed;
  const { address: solver } = accounts.solver;
  const isSwapped = !isEqual(token.address, to.address);
  const { amount: promised, minimumAmount } = order.destination;
  const calls = isSwapped
    ? SwapCalls.calls({
        ...{ ...routed, amount, changeTo: solver, calls: order.calls },
        output: Order.isExact(order) ? { exact: promised } : { atLeast: minimumAmount },
        metadata: Calldata.metadataOf(order.requestId),
      })
    : (order.calls ?? [Calldata.transfer(to, recipient, delivered)]).map(Calldata.toRouterCall);
  const topup = order.gasTopup?.amount ?? 0n;
  const tops = topup > 0n ? [Calldata.toRouterCall(Calldata.transfer({ address: native }, recipient, topup))] : [];
  const spent = isSwapped ? amount : delivered;
  const call = Calldata.multicall({
    chain,
    input: { token, amount: spent },
    calls: [...calls, ...tops],
    refundTo: isSwapped ? solver : order.calls ? PartyAccount.address(order.user) : recipient,
    requestId: order.requestId,
    orderId: order.protocol?.orderId,
  });
  const gas = GasLimits.multicall({ from: token, to, hops: route.length }) + (topup > 0n ? topupGas : 0n);
  return {
    transaction: { ...call, value: call.value + topup, gas },
    delivered,
    needs: Market.isNative(token) ? undefined : { token, spender: chain.contracts.approvalProxy, amount: spent },
  };
}
