/** Refunds a deposit: on a chain from the depository, less gas; on the venue in full. */

import { concat, encodeFunctionData, hexToBigInt, keccak256, numberToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Address } from '../../core/base/Address.js';
import * as Amount from '../../core/base/Amount.js';
import type { Hex } from '../../core/base/Hex.js';
import * as nodeRpc from '../chain/nodeRpc.js';
import { type Node, readChain } from '../chain/readMarket.js';
import * as Deposit from '../ledger/Deposit.js';
import * as Calldata from '../pricing/Calldata.js';
import * as abi from '../values/abi.js';
import { accounts } from '../values/devAccounts.js';
import * as Market from '../values/Market.js';
import * as PartyAccount from '../values/PartyAccount.js';
import * as Valuation from '../values/Valuation.js';
import { chainContext, type Instance } from './instance.js';
import type { Hooks, Payout } from './sendCredit.js';
import * as sendCredit from './sendCredit.js';

/** Validity of the allocator's signature. */
const validitySeconds = 3_600n;

/**
 * Margins over the estimated gas: for the charge, because another amount can need slightly more gas, and for the limit.
 */
const gasMarginBps = { charge: 100n, limit: 2_000n };

/** Refunds a deposit on the chain it came from. */
export async function send(
  instance: Instance,
  deposit: Deposit.Deposit,
  refundTo: PartyAccount.Account,
  hooks: Hooks,
): Promise<Payout> {
  if (Deposit.isOnVenue(deposit)) return await sendCredit.refund(instance, deposit, refundTo, hooks);
  // A deposit on the wrong chain can only be refunded to an address there.
  const to = PartyAccount.toAddress(refundTo);
  if (to === undefined) return { failReason: 'MANUAL_REFUND_REQUIRED' };
  const { node, solver } = chainContext(instance, deposit.chainId);
  return await solver.runExclusive(async (broadcast) => {
    const chain = await readChain(node);
    const whole = await payment(node, deposit, to, deposit.amount);
    const gas = await estimate(node, solver.address, whole);
    // The depository does not hold the amount, or the recipient rejects it.
    if (gas === undefined) return { failReason: 'MANUAL_REFUND_REQUIRED' };
    const charged = gas + Amount.bps(gas, gasMarginBps.charge);
    const amount = deposit.amount - priceOfGas(charged * chain.gasPriceWei, deposit.currency, chain);
    if (amount <= 0n) return { failReason: 'AMOUNT_TOO_LOW_TO_REFUND' };

    const data = await payment(node, deposit, to, amount);
    const call = { to: node.depository, data, value: 0n, gas: gas + Amount.bps(gas, gasMarginBps.limit) };
    const hash = await broadcast(call, (signed) => hooks.onSent({ hash: signed, amount }));
    return { hash, amount };
  });
}

/** Calldata of the depository's `execute` that pays out an amount, signed by the allocator. */
async function payment(node: Node, deposit: Deposit.OnChain, to: Address, amount: bigint): Promise<Hex> {
  const block = (await nodeRpc.call(node.rpcUrl, 'eth_getBlockByNumber', 'latest', false)) as { timestamp: Hex };
  const call = { ...Calldata.transfer({ address: deposit.currency }, to, amount), allowFailure: false };
  const request = {
    calls: [call],
    nonce: nonceOf(deposit),
    expiration: hexToBigInt(block.timestamp) + validitySeconds,
  };
  const signature = await allocator.signTypedData({
    domain: { name: 'RelayDepository', version: '1', chainId: node.id, verifyingContract: node.depository },
    types: callRequestTypes,
    primaryType: 'CallRequest',
    message: request,
  });
  return encodeFunctionData({ abi: abi.depository, functionName: 'execute', args: [request, signature] });
}

const allocator = privateKeyToAccount(accounts.allocator.privateKey);

const callRequestTypes = {
  CallRequest: Calldata.fields('Call[] calls,uint256 nonce,uint256 expiration'),
  Call: Calldata.fields('address to,bytes data,uint256 value,bool allowFailure'),
};

/** A unique nonce per deposit, so that equal deposits have different requests. */
function nonceOf({ hash, logIndex }: Deposit.OnChain): bigint {
  return hexToBigInt(keccak256(concat([hash, numberToHex(logIndex, { size: 32 })])));
}

/** Estimated gas; undefined if the call would revert. */
async function estimate(node: Node, from: Address, data: Hex): Promise<bigint | undefined> {
  try {
    const answer = await nodeRpc.call(node.rpcUrl, 'eth_estimateGas', { from, to: node.depository, data });
    return hexToBigInt(answer as Hex);
  } catch (error) {
    if (error instanceof nodeRpc.NodeRpcError) return undefined;
    throw error;
  }
}

/** The gas cost in the deposit's currency; 0 if that has no price. */
function priceOfGas(wei: bigint, currency: Address, chain: Market.EvmChain): bigint {
  const token = Market.tokenAt(chain, currency);
  return token ? Valuation.convertUp(wei, Market.nativeOf(chain), token) : 0n;
}
