/** Fills an order on its destination: a solver transaction on a chain, a transfer on the venue. */

import { encodeFunctionData, maxUint256 } from 'viem';
import type { Address } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import * as nodeRpc from '../chain/nodeRpc.js';
import { type Node, readMarket } from '../chain/readMarket.js';
import type { Send } from '../chain/transactionQueue.js';
import type { Entry } from '../ledger/ledger.js';

import * as abi from '../values/abi.js';
import * as Market from '../values/Market.js';
import * as Fill from './Fill.js';
import { chainContext, type Instance } from './instance.js';
import type { FillHooks, FillSent } from './Payout.js';
import { venueDescription } from './readVenue.js';
import * as sendCredit from './sendCredit.js';

/**
 * Prices the order again at the chains' current state and sends its fill. Fills on one chain are serialized, so that
 * each sees the pools as the previous one left them.
 */
export async function send(instance: Instance, entry: Entry, hooks: FillHooks): Promise<FillSent> {
  const { order } = entry;
  if (order.destination.chainId === venueDescription.id) return await sendCredit.fill(instance, entry, hooks);
  const { onSent } = hooks;
  const { node, solver } = chainContext(instance, order.destination.chainId);
  return await solver.runExclusive(async (broadcast) => {
    const market = await readMarket(instance.nodes, instance.clock());
    const fill = Fill.from(order, depositedFor(entry), market);
    if (!fill.ok) return { failReason: fill.failReason };
    const fees = Market.chainById(market, node.id);
    if (!fees) throw new Error(`The market has no chain ${node.id}.`);
    if (fill.needs) await ensureAllowance(node, solver.address, fill.needs, broadcast, fees);
    const { transaction, delivered } = fill;
    const hash = await broadcast(transaction, fees, (signed) => onSent({ hash: signed, delivered }));
    return { hash, delivered };
  });
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
  const { node, solver } = chainContext(instance, entry.order.destination.chainId);
  return await solver.runExclusive(async (broadcast) => {
    const market = await readMarket(instance.nodes, instance.clock());
    const fees = Market.chainById(market, node.id);
    if (!fees) throw new Error(`The market has no chain ${node.id}.`);
    // A selector that the router does not implement.
    const call = { to: node.router, data: '0x00000000', value: 0n, gas: 50_000n } as const;
    return { hash: await broadcast(call, fees, (hash) => onSent({ hash, delivered: 0n })) };
  });
}

/** Grants an unlimited allowance: the tokens are the solver's own. */
async function ensureAllowance(
  node: Node,
  owner: Address,
  needs: { token: Market.EvmToken; spender: Address; amount: bigint },
  broadcast: Send,
  fees: Market.EvmChain,
): Promise<void> {
  const { spender, amount } = needs;
  const token = needs.token.address;
  const question = encodeFunctionData({ abi: abi.token, functionName: 'allowance', args: [owner, spender] });
  const answer = await nodeRpc.call(node.rpcUrl, 'eth_call', { to: token, data: question }, 'pending');
  if (BigInt(answer as Hex) >= amount) return;
  const data = encodeFunctionData({ abi: abi.token, functionName: 'approve', args: [spender, maxUint256] });
  await broadcast({ to: token, data, value: 0n, gas: approvalGas }, fees);
}

const approvalGas = 80_000n;
