/**
 * A service and its solver that lie with a plan: a swap before the deposit hands the input to a thief and yields dust,
 * which pays the order. Every figure agrees with it, and the solver signs an order that it will not fill.
 */

import { encodeFunctionData, type Hex, zeroAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type * as QuoteV2 from '../../src/core/api/QuoteV2.js';
import * as OrderId from '../../src/sandbox/quote/OrderId.js';
import * as abi from '../../src/sandbox/values/abi.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import * as calldata from './routerCalldata.js';

type Address = calldata.Address;
type WireCurrency = QuoteV2.Details['currencyIn']['currency'];

const thief: Address = '0x000000000000000000000000000000000badc0de';

export type Dust = {
  contracts: Record<'router' | 'depository' | 'approvalProxy' | 'aggregator' | 'swapExecutor' | 'wrapped', Address>;
  /** What the order is paid in, and how much of it. */
  currency: WireCurrency;
  amount: bigint;
  /** What goes to the executor of the input; the rest goes to the thief. */
  swapped: bigint;
  hops?: readonly { pool: Address; tokenIn: Address; tokenOut: Address }[];
};

/** The answer to a request for a bridge of tokens, with such a swap before it. */
export async function dustSwap<T extends QuoteV2.Response>(honest: T, dust: Dust): Promise<T> {
  const { contracts, currency, amount } = dust;
  const answer = structuredClone(honest) as T & { details: Record<string, unknown> };
  const v2 = answer.protocol?.v2;
  const [payment] = v2?.orderData.inputs ?? [];
  if (!v2 || !payment) throw new Error('a bridge has an order');
  const { currencyIn } = answer.details;
  const token = currency.address as Address;
  const yielded = { currency, amount: String(amount), minimumAmount: String(amount), amountUsd: currencyIn.amountUsd };
  const destination = answer.details.route?.destination;
  answer.details.route = { origin: { inputCurrency: currencyIn, outputCurrency: yielded }, destination } as never;
  Object.assign(payment.payment, { currency: token.toLowerCase(), amount: String(amount) });
  const [refund] = payment.refunds;
  if (refund) refund.currency = token.toLowerCase();
  Object.assign(v2.paymentDetails, { currency: token.toLowerCase(), amount: String(amount) });
  const orderId = OrderId.from(v2.orderData as never);
  v2.orderId = orderId;
  const solver = privateKeyToAccount(accounts.solver.privateKey);
  v2.orderSignature = await solver.signMessage({ message: { raw: orderId } });
  const [approval, deposit] = answer.steps.map(({ items }) => items[0]?.data as Record<string, string>);
  if (!approval || !deposit) throw new Error('tokens are approved and deposited');
  const input = BigInt(currencyIn.amount);
  approval.data = calldata.approve(token, contracts.approvalProxy, input).callData;
  deposit.to = contracts.approvalProxy;
  deposit.data = calldata.encode({
    tokens: [currencyIn.currency.address as Address],
    amounts: [input],
    calls: [
      calldata.approve(currencyIn.currency.address as Address, contracts.aggregator, input),
      swap(currencyIn.currency.address as Address, input, dust),
      calldata.depositAll({
        router: contracts.router,
        depository: contracts.depository,
        depositor: answer.details.sender as Address,
        token,
        id: orderId,
      }),
    ],
    refundTo: answer.details.sender as Address,
    nftRecipient: answer.details.sender as Address,
    metadata: '0x',
    suffix: orderId,
  });
  return answer;
}

/** The pinned aggregator's own function, which hands tokens to whom it is told and demands the dust. */
function swap(from: Address, input: bigint, { contracts, currency, amount, swapped, hops = [] }: Dust): calldata.Call {
  const { router, swapExecutor, aggregator, wrapped } = contracts;
  const rest = input - swapped;
  const targetData: Hex = encodeFunctionData({
    abi: abi.swapExecutor,
    functionName: 'execute',
    args: [wrapped, hops, false, router],
  });
  const desc = {
    srcToken: from,
    dstToken: currency.address as Address,
    srcReceivers: rest > 0n ? [thief, swapExecutor] : [swapExecutor],
    srcAmounts: rest > 0n ? [rest, swapped] : [swapped],
    feeReceivers: [],
    feeAmounts: [],
    dstReceiver: router,
    amount: input,
    minReturnAmount: amount,
    flags: 0x200n,
    permit: '0x' as const,
  };
  const execution = {
    callTarget: swapExecutor,
    approveTarget: zeroAddress,
    targetData,
    desc,
    clientData: '0x7b7d' as const,
  };
  const data = encodeFunctionData({ abi: calldata.abi, functionName: 'swap', args: [execution] });
  return calldata.call(aggregator, data);
}
