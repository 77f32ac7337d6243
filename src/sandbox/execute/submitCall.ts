/**
 * Accepts a gasless call and hands it to the relayer: under the request id of a quote, or under one of its own.
 *
 * By the specification the execution fee of a quote holds the gas. The service's SDK asks for it only here, as
 * `originGasOverhead`, without `subsidizeFees`, and promises that the user pays none: then the sponsor pays the gas and
 * the user the other fees. With neither the call is refused.
 */

import { keccak256, stringToBytes } from 'viem';
import type * as Execute from '../../core/api/Execute.js';
import type { Address } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import { type Node, readChain } from '../chain/readMarket.js';
import { type Call, readDelegations, type Simulation, simulate } from '../chain/simulateCall.js';
import { executeError, HttpError } from '../http/HttpError.js';
import * as Deposit from '../ledger/Deposit.js';
import * as RelayedCall from '../ledger/RelayedCall.js';
import * as Calldata from '../pricing/Calldata.js';
import * as Charges from '../pricing/Charges.js';
import type { Pricing } from '../pricing/Pricing.js';
import type { PricedRequest } from '../pricing/QuoteTerms.js';
import * as Sponsorship from '../pricing/Sponsorship.js';
import * as Order from '../quote/Order.js';
import * as QuoteAnswer from '../quote/QuoteAnswer.js';
import { type Instance, nodeOf } from '../settlement/instance.js';
import type { Relayer } from '../settlement/relayer.js';
import * as CallTrace from '../values/CallTrace.js';
import { accounts } from '../values/devAccounts.js';
import { type EvmChain, emptyWallet, nativeOf } from '../values/Market.js';
import * as QuoteIds from '../values/QuoteIds.js';
import * as Valuation from '../values/Valuation.js';
import { readAuthorizations } from './authorizations.js';
import * as SimulationAnswer from './SimulationAnswer.js';

/**
 * Queues a call and returns its request id.
 *
 * Idempotent: repeating the same call for the same request returns the same response, so a client that lost the
 * response can resend. Only a call that reverted, and so had no effect, can be replaced by another.
 *
 * @throws HttpError with the bodies that the endpoint documents
 */
export async function execute(
  instance: Instance,
  relayer: Relayer,
  { request, keyName }: { request: Execute.Request; keyName: string },
): Promise<Execute.Response> {
  const { requestId } = request;
  // Of the parsed request, so that formatting differences do not matter.
  const digest = keccak256(stringToBytes(JSON.stringify(request)));
  const message = 'Transaction submitted';
  if (requestId === undefined)
    return { message, requestId: await executeCall(instance, relayer, { request, digest, keyName }) };
  return await relayer.runExclusive(requestId, async () => {
    const entry = instance.ledger.byRequestId(requestId);
    if (!entry) throw executeError(400, `requestId ${requestId} names no quote`);
    const { order, relay } = entry;
    if (!RelayedCall.isActive(relay)) await executeQuote(instance, relayer, { request, order, digest });
    else if (relay.digest !== digest) throw executeError(400, `requestId ${requestId} is executed already`);
    return { message, requestId: order.requestId };
  });
}

/**
 * Queues the call under a new request id.
 *
 * @throws HttpError with the bodies that the endpoint documents
 */
async function executeCall(
  instance: Instance,
  relayer: Relayer,
  { request, digest, keyName }: { request: Execute.Request; digest: Hex; keyName: string },
): Promise<Hex> {
  const { ledger, clock, seed } = instance;
  const { destinationChainExecutionData, subsidizeFees, referrer } = request.executionOptions;
  if (destinationChainExecutionData)
    throw executeError(400, 'destinationChainExecutionData needs the requestId of a quote');
  if (!subsidizeFees) throw executeError(400, 'subsidizeFees must be true without the requestId of a quote');
  const node = nodeAt(instance, request.data.chainId);
  const call = await readCall(node, request.data);
  const { to, value } = call;
  const chain = await readChain(node);
  const valueUsd = Valuation.toUsd(value, nativeOf(chain));
  assertSponsored(instance, valueUsd);

  const sequence = ledger.nextSequence();
  const nowMs = clock();
  const { requestId } = QuoteIds.from({ seed, sequence, nowMs });
  const { gas } = await simulateOrReject(node, call, requestId);
  const source = { requestId, nowMs, chain, to, value, gas: gas.used, referrer: referrer || undefined };
  const { order, quote, costUsd } = rawCall(source);
  // No await from here on: two calls must not spend the same balance.
  assertSponsored(instance, costUsd);
  ledger.chargeSponsor(costUsd);
  ledger.add({ sequence, order, quote, apiKeyName: keyName });
  const sponsored = { chargedUsd: costUsd, valueUsd, paysGas: true };
  relayer.submit(requestId, toRelay(node, call, { gas: gas.limit, digest, sponsored }));
  return requestId;
}

/**
 * Queues the call under the request id of its quote.
 *
 * @throws HttpError with the bodies that the endpoint documents
 */
async function executeQuote(
  instance: Instance,
  relayer: Relayer,
  { request, order, digest }: { request: Execute.Request; order: Order.Order; digest: Hex },
): Promise<void> {
  const { requestId, origin, paysOriginGas } = order;
  const { data, originGasOverhead = 0 } = request;
  const { subsidizeFees } = request.executionOptions;
  assertUnpaid(instance, requestId);
  if (data.chainId !== origin.chainId)
    throw executeError(400, `chainId is ${data.chainId}, but the quote begins on ${origin.chainId}`);
  const node = nodeAt(instance, data.chainId);
  if (order.execution !== 'solver' && !subsidizeFees)
    throw executeError(400, 'subsidizeFees must be true for a transaction on one chain');
  // Existing clients ask for it here alone, and their documentation says that the sponsor pays it.
  const isGasSponsored = !paysOriginGas && (subsidizeFees || originGasOverhead > 0);
  if (!paysOriginGas && !isGasSponsored)
    throw executeError(400, 'The quote holds no origin gas: ask for it with originGasOverhead, or set subsidizeFees');
  const call = await readCall(node, data, order.destination.chainId);
  if (call.value > 0n && !subsidizeFees) throw executeError(400, 'value must be 0 unless subsidizeFees is true');

  const { frame, gas } = await simulateOrReject(node, call, requestId);
  assertPays(node, order, frame);
  const afterFill = await readCalls(instance, order, request);
  const chain = await readChain(node);
  // No await from here on: no deposit or other call can intervene.
  assertUnpaid(instance, requestId);
  const gasWei = paysOriginGas ? 0n : gas.used * chain.gasPriceWei;
  const valueWei = call.value + (afterFill?.transaction.value ?? 0n);
  const valueUsd = Valuation.toUsd(valueWei, nativeOf(chain));
  const chargedUsd = valueUsd + Valuation.toUsd(gasWei, nativeOf(chain));
  const sponsored = subsidizeFees || isGasSponsored ? { chargedUsd, valueUsd, paysGas: isGasSponsored } : undefined;
  assertSponsored(instance, sponsored?.chargedUsd ?? 0n);
  instance.ledger.chargeSponsor(sponsored?.chargedUsd ?? 0n);
  relayer.submit(requestId, { ...toRelay(node, call, { gas: gas.limit, digest, sponsored }), afterFill });
}

function assertUnpaid({ ledger }: Instance, requestId: Hex): void {
  const entry = ledger.byRequestId(requestId);
  const isOpen = entry?.status === 'waiting' || entry?.status === 'failure';
  if (!entry || !isOpen || entry.deposits.length > 0)
    throw executeError(400, `requestId ${requestId} has its deposit already`);
}

/** The call must pay the order's deposit: otherwise its gas would go unpaid. */
function assertPays(node: Node, { protocol, requestId }: Order.Order, frame: CallTrace.Frame): void {
  if (!protocol) return;
  const logs = CallTrace.logs(frame).map((log, logIndex) => ({ ...log, logIndex, hash: '0x' as const }));
  const orderId = protocol.orderId.toLowerCase();
  if (Deposit.fromLogs(logs, node).some((deposit) => deposit.orderId.toLowerCase() === orderId)) return;
  throw executeError(400, `The call makes no deposit for the quote ${requestId}`);
}

const field = 'destinationChainExecutionData';

/**
 * Combines the calls into one relayer transaction through Multicall3, so that they run atomically. They are not
 * simulated, because they may depend on the fill.
 *
 * @throws HttpError if the calls are invalid
 */
async function readCalls(
  instance: Instance,
  order: Order.Order,
  { data, executionOptions }: Pick<Execute.Request, 'data' | 'executionOptions'>,
): Promise<RelayedCall.AfterFill | undefined> {
  const { destinationChainExecutionData: executionData, subsidizeFees } = executionOptions;
  const { chainId: destination } = order.destination;
  const isElsewhere = destination !== order.origin.chainId;
  const redirected = (data.authorizationList ?? []).filter(({ chainId }) => isElsewhere && chainId === destination);
  if (!executionData && redirected.length === 0) return undefined;
  const node = nodeAt(instance, destination);
  if (!order.protocol) throw executeError(400, `${field} needs a quote that the solver fills`);
  const authorizations = await readAuthorizations(
    node,
    [...redirected, ...(executionData?.authorizationList ?? [])],
    `${field}.authorizationList`,
  );
  // All fields of a call are optional, and one that has none calls nothing.
  const calls = (executionData?.calls ?? []).filter((each) => Object.keys(each).length > 0);
  if (calls.length === 0 && authorizations.length === 0) return undefined;
  const call = Calldata.aggregate(node.multicall3, calls.map(toCall));
  if (call.value > 0n && !subsidizeFees)
    throw executeError(400, `${field} may send no value unless subsidizeFees is true`);
  const transaction = { ...call, gas: afterFillGas, authorizations };
  return { chainId: node.id, transaction, state: 'waiting' };
}

const afterFillGas = 8_000_000n;

function toCall({ to, value = '0', data = '0x' }: Execute.Call, index: number): Calldata.Call {
  const where = `${field}.calls[${index}]`;
  if (to === undefined) throw executeError(400, `${where}.to is required`);
  if (!/^\d{1,78}$/.test(value)) throw executeError(400, `${where}.value must be a string of digits`);
  if (data.length % 2 === 1) throw executeError(400, `${where}.data must be whole bytes`);
  return { to, value: BigInt(value), data };
}

/** The node of a chain. @throws HttpError if the chain is not supported */
function nodeAt(instance: Instance, chainId: number): Node {
  const node = nodeOf(instance, chainId);
  if (!node) throw executeError(400, `Chain ${chainId} is not supported`);
  return node;
}

/**
 * Reads the call in a request's `data`. Authorizations are documented to be for the destination, but clients sign them
 * for the chain of the call; each is applied on the chain it is signed for, so those for the other chain are skipped
 * here.
 *
 * @throws HttpError if the call is invalid
 */
async function readCall(node: Node, request: Execute.Request['data'], otherChainId?: number): Promise<Call> {
  const { to, data, value, authorizationList = [] } = request;
  if (data.length % 2 === 1) throw executeError(400, 'data must be whole bytes');
  const own = authorizationList.filter(({ chainId }) => chainId === node.id || chainId !== otherChainId);
  const authorizations = await readAuthorizations(node, own, 'authorizationList');
  return { from: accounts.relayer.address, to, data, value: BigInt(value), authorizations };
}

/** Simulates a call. @throws HttpError with the documented simulation error if the call fails */
async function simulateOrReject(node: Node, call: Call, requestId: string): Promise<Simulation> {
  const simulation = await simulate(node, call);
  const { frame } = simulation;
  if (frame.error === undefined) return simulation;
  const delegations = await readDelegations(node, call, CallTrace.failingPath(frame));
  throw new HttpError(400, SimulationAnswer.from(frame, { deployment: node, requestId, delegations }));
}

/**
 * Sponsorship is all or nothing: a cost that exceeds the sponsor's balance is rejected. `costUsd` is in millionths of a
 * US dollar.
 *
 * @throws HttpError if the balance is too low
 */
function assertSponsored({ ledger }: Instance, costUsd: bigint): void {
  if (costUsd > ledger.sponsorBalanceUsd()) throw executeError(400, 'The balance of the sponsor is too low');
}

/** The call as an entry of the relayer's queue. */
function toRelay(
  node: Node,
  call: Call,
  simulated: { gas: bigint; digest: Hex; sponsored: RelayedCall.Sponsored | undefined },
): RelayedCall.Relay {
  const { to, data, value, authorizations } = call;
  const { gas, digest, sponsored } = simulated;
  const transaction = { to, data, value, gas, authorizations };
  return { by: 'call', digest, chainId: node.id, transaction, state: 'queued', sponsored };
}

export type CallSource = {
  requestId: Hex;
  nowMs: number;
  chain: EvmChain;
  to: Address;
  /** Value of the call, in wei. */
  value: bigint;
  /** Gas used by the transaction. */
  gas: bigint;
  referrer: string | undefined;
};

/**
 * Models a gasless call without a quote as an order and a quote, so that the ledger can store it: a same-chain transfer
 * of the call's value whose only fee is the execution fee, paid by a sponsor. `costUsd` is the sponsor's cost including
 * the value, in millionths of a US dollar.
 */
export function rawCall(source: CallSource) {
  const { requestId, nowMs, chain, value } = source;
  const terms = termsOf(source);
  const pricing = pricingOf(terms, source);
  const order: Order.Order = {
    ...Order.from(terms, pricing, { requestId, createdAtMs: nowMs, deadline: Math.floor(nowMs / 1000) }),
    execution: 'call',
    requestType: 'Call',
  };
  const unsigned = { steps: [], gasFee: 0n, wallet: emptyWallet, orderSignature: undefined };
  const quote = QuoteAnswer.from(terms, pricing, { ...unsigned, order });
  const costUsd = (pricing.sponsored?.usd ?? 0n) + Valuation.toUsd(value, nativeOf(chain));
  return { order, quote, costUsd };
}

function termsOf({ chain, to, value, gas, referrer }: CallSource): PricedRequest {
  const side = { chain, token: nativeOf(chain) };
  return {
    tradeType: 'EXACT_INPUT',
    amount: value,
    origin: side,
    destination: side,
    payment: side,
    transactionType: 'bridge',
    execution: 'send',
    user: to,
    recipient: to,
    referrer,
    forceRefund: false,
    slippageBps: 0n,
    appFees: [],
    sponsorship: {
      selected: new Set(Sponsorship.components),
      selectsRent: false,
      shareBps: 10_000n,
      hasShare: false,
      maxUsd: undefined,
    },
    originGasOverhead: gas,
    byAddress: false,
    mayUsePools: false,
    ignoresImpact: true,
    wantsSignature: false,
    calls: [],
    callGas: 0n,
    gasTopup: 0n,
  };
}

function pricingOf({ sponsorship }: PricedRequest, { chain, value, gas }: CallSource): Pricing {
  const token = nativeOf(chain);
  const charges: Charges.Charges = {
    flat: Valuation.fromUsd(Charges.flatUsd, token),
    gas: gas * chain.gasPriceWei,
    platform: 0n,
    rebalancing: 0n,
    app: [],
  };
  const none = { total: 0n, payable: 0n };
  const execution = { total: Charges.total(charges), payable: Charges.total(charges) };
  return {
    input: value,
    output: value,
    minimumOutput: value,
    originSwap: undefined,
    paid: value,
    basis: value,
    charges,
    sponsored:
      sponsorship && Sponsorship.from(sponsorship, { execution, swap: none, platform: none, app: none }, token),
    path: { chain, from: token, to: token, route: [] },
    pathAmount: value,
    activationFee: 0n,
  };
}
