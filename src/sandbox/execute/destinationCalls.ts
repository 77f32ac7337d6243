/** Reads the calls that a user wants executed on the destination chain after the fill. */
import type * as Execute from '../../core/api/Execute.js';
import { executeError } from '../http/HttpError.js';
import type * as RelayedCall from '../ledger/RelayedCall.js';
import * as Calldata from '../pricing/Calldata.js';
import type { Order } from '../quote/Order.js';
import type { Instance } from '../settlement/instance.js';
import { nodeAt, readList } from './preflight.js';

const field = 'destinationChainExecutionData';

/**
 * Combines the calls into one relayer transaction through Multicall3, so that they run atomically. They are not
 * simulated, because they may depend on the fill.
 *
 * @throws HttpError if the calls are invalid
 */
export async function readCalls(
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
  const transaction = { ...call, gas, authorizations };
  return { chainId: node.id, transaction, sent: undefined, state: 'waiting' };
}

/** Gas limit of the calls. */
const gas = 8_000_000n;

function toCall({ to, value = '0', data = '0x' }: Execute.Call, index: number): Calldata.Call {
  const where = `${field}.calls[${index}]`;
  if (to === undefined) throw executeError(400, `${where}.to is required`);
  if (!/^\d{1,78}$/.test(value)) throw executeError(400, `${where}.value must be a string of digits`);
  if (data.length % 2 === 1) throw executeError(400, `${where}.data must be whole bytes`);
  return { to, value: BigInt(value), data };
}
