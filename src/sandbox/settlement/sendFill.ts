/** Fills an order on its destination: a solver transaction on a chain, a transfer on the venue. */

import { encodeFunctionData, maxUint256 } from 'viem';
import type { Address } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import * as nodeRpc from '../chain/nodeRpc.js';
import { type Node, readMarket, readMarketOf } from '../chain/readMarket.js';
import { simulate } from '../chain/simulateCall.js';
import type { Send } from '../chain/transactionQueue.js';
import type { Entry } from '../ledger/ledger.js';
import { waitFor } from '../ledger/minedTransactions.js';
import type * as Calldata from '../pricing/Calldata.js';
import type * as Order from '../quote/Order.js';
import { svmDescription } from '../svm/svmDescription.js';
import * as abi from '../values/abi.js';
import type * as CallTrace from '../values/CallTrace.js';
import * as Market from '../values/Market.js';
import * as Fill from './Fill.js';
import { chainContext, type Instance } from './instance.js';
import { venueDescription } from './readVenue.js';
import type { FillHooks, FillSent } from './sendCredit.js';
import * as sendCredit from './sendCredit.js';

/**
 * Prices the order again at the chains' current state and sends its fill. Fills on one chain are serialized, so that
 * each sees the pools as the previous one left them.
 */
export async function send(instance: Instance, entry: Entry, hooks: FillHooks): Promise<FillSent> {
  const { order } = entry;
  if (order.destination.chainId === venueDescription.id) return await sendCredit.fill(instance, entry, hooks);
  if (order.destination.chainId === svmDescription.id) return await sendCredit.fillTokens(instance, entry, hooks);
  const { onSent } = hooks;
  const { node, solver } = chainContext(instance, order.destination.chainId);
  return await solver.runExclusive(async (broadcast) => {
    const market = await readMarket(instance.nodes, instance.clock());
    const fill = Fill.from(order, depositedFor(entry), market);
    if (!fill.ok) return { failReason: fill.failReason };
    const fees = Market.chainById(market, node.id);
    if (!fees) throw new Error(`The market has no chain ${node.id}.`);
    if (fill.needs) await ensureAllowance(node, solver.address, fill.needs, broadcast, fees);
    const { delivered } = fill;
    const transaction = order.calls ? await rehearsed(node, solver.address, fill.transaction) : fill.transaction;
    if (!transaction) return { failReason: 'EXECUTION_REVERTED' };
    const hash = await broadcast(transaction, fees, (signed) => onSent({ hash: signed, delivered }));
    return { hash, delivered };
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
    const fill = Fill.from(order, order.payment.amount, market);
    const fees = Market.chainById(market, node.id);
    if (!fill.ok || !fees) return undefined;
    if (fill.needs) {
      const hash = await ensureAllowance(node, solver.address, fill.needs, broadcast, fees);
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

/** The base units that were deposited for the order. */
function depositedFor({ deposits, order }: Entry): bigint {
  return deposits[0]?.amount ?? order.payment.amount;
}

/** Sends a transaction in place of the fill that reverts. */
export async function sendReverting(instance: Instance, entry: Entry, hooks: FillHooks): Promise<{ hash: string }> {
  const { onSent } = hooks;
  if (entry.order.destination.chainId === venueDescription.id)
    return await sendCredit.sendFailing(instance, entry, hooks);
  if (entry.order.destination.chainId === svmDescription.id)
    return await sendCredit.sendFailingTokens(instance, entry, hooks);
  const { node, solver } = chainContext(instance, entry.order.destination.chainId);
  return await solver.runExclusive(async (broadcast) => {
    const fees = await readMarketOf(instance.nodes, node, instance.clock());
    // A selector that the router does not implement.
    const call = { to: node.router, data: '0x00000000', value: 0n, gas: 50_000n } as const;
    return { hash: await broadcast(call, fees, (hash) => onSent({ hash, delivered: 0n })) };
  });
}

/** How long a quote waits for the solver's allowance: a chain may have stopped. */
const patienceMs = 2_000;

/** Grants an unlimited allowance, if there is none: the tokens are the solver's own. Resolves to the hash. */
async function ensureAllowance(
  node: Node,
  owner: Address,
  needs: Needs,
  broadcast: Send,
  fees: Market.EvmChain,
): Promise<Hex | undefined> {
  const { spender, amount, token } = needs;
  if ((await allowance(node, owner, needs, 'pending')) >= amount) return undefined;
  const data = encodeFunctionData({ abi: abi.token, functionName: 'approve', args: [spender, maxUint256] });
  return await broadcast({ to: token.address, data, value: 0n, gas: approvalGas }, fees);
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
