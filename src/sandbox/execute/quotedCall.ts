/**
 * Executes a quote as a gasless call. The quote's execution fee or a sponsor pays for the gas.
 *
 * By the specification the execution fee holds the gas. The service's SDK asks for it only here, as
 * `originGasOverhead`, without `subsidizeFees`, and promises that the user pays none: then the sponsor pays the gas and
 * the user the other fees. With neither the call is refused.
 */
import type * as Execute from '../../core/api/Execute.js';
import type { Hex } from '../../core/base/Hex.js';
import { type Node, readMarketOf } from '../chain/readMarket.js';
import { executeError } from '../http/HttpError.js';
import * as Deposit from '../ledger/Deposit.js';
import type * as RelayedCall from '../ledger/RelayedCall.js';
import * as Calldata from '../pricing/Calldata.js';
import type { Order } from '../quote/Order.js';
import type { Instance } from '../settlement/instance.js';
import type { Relayer } from '../settlement/relayer.js';
import * as CallTrace from '../values/CallTrace.js';
import { nativeOf } from '../values/Market.js';
import * as Valuation from '../values/Valuation.js';
import { assertSponsored, nodeAt, readCall, readList, simulateOrReject, toRelay } from './preflight.js';

export type QuotedExecution = { request: Execute.Request; order: Order; digest: Hex };

/**
 * Queues the call under the request id of its quote.
 *
 * @throws HttpError with the bodies that the endpoint documents
 */
export async function executeQuote(instance: Instance, relayer: Relayer, execution: QuotedExecution): Promise<void> {
  const { request, order, digest } = execution;
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
  const chain = await readMarketOf(instance.nodes, node, instance.clock());
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
function assertPays(node: Node, { protocol, requestId }: Order, frame: CallTrace.Frame): void {
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
  order: Order,
  { data, executionOptions }: Pick<Execute.Request, 'data' | 'executionOptions'>,
): Promise<RelayedCall.AfterFill | undefined> {
  const { destinationChainExecutionData: executionData, subsidizeFees } = executionOptions;
  const { chainId: destination } = order.destination;
  const isElsewhere = destination !== order.origin.chainId;
  const redirected = (data.authorizationList ?? []).filter(({ chainId }) => isElsewhere && chainId === destination);
  if (!executionData && redirected.length === 0) return undefined;
  const node = nodeAt(instance, destination);
  if (!order.protocol) throw executeError(400, `${field} needs a quote that the solver fills`);
  const authorizations = await readList(
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
  return { chainId: node.id, transaction, sent: undefined, state: 'waiting' };
}

/** Gas limit of the calls after a fill. */
const afterFillGas = 8_000_000n;

function toCall({ to, value = '0', data = '0x' }: Execute.Call, index: number): Calldata.Call {
  const where = `${field}.calls[${index}]`;
  if (to === undefined) throw executeError(400, `${where}.to is required`);
  if (!/^\d{1,78}$/.test(value)) throw executeError(400, `${where}.value must be a string of digits`);
  if (data.length % 2 === 1) throw executeError(400, `${where}.data must be whole bytes`);
  return { to, value: BigInt(value), data };
}
