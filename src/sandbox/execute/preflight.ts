/** Checks that every gasless call must pass before it is queued: validation, simulation, and a sponsor's funds. */

import type * as Execute from '../../core/api/Execute.js';
import type { Hex } from '../../core/base/Hex.js';
import { type Authorization, AuthorizationError, readAuthorizations } from '../chain/authorizations.js';
import type { Node } from '../chain/readMarket.js';
import { readDelegations, type Simulation, simulate } from '../chain/simulateCall.js';
import { executeError, HttpError } from '../http/HttpError.js';

import type * as RelayedCall from '../ledger/RelayedCall.js';
import { type Instance, nodeOf } from '../settlement/instance.js';
import * as CallTrace from '../values/CallTrace.js';
import { accounts } from '../values/devAccounts.js';
import * as SimulationAnswer from './SimulationAnswer.js';

/** A relayer call before simulation, when its gas is not known yet. */
export type Call = Omit<RelayedCall.Transaction, 'gas'> & { from: `0x${string}` };

/** The node of a chain. @throws HttpError if the chain is not supported */
export function nodeAt(instance: Instance, chainId: number): Node {
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
export async function readCall(node: Node, request: Execute.Request['data'], otherChainId?: number): Promise<Call> {
  const { to, data, value, authorizationList = [] } = request;
  if (data.length % 2 === 1) throw executeError(400, 'data must be whole bytes');
  const own = authorizationList.filter(({ chainId }) => chainId === node.id || chainId !== otherChainId);
  const authorizations = await readList(node, own, 'authorizationList');
  return { from: accounts.relayer.address, to, data, value: BigInt(value), authorizations };
}

/** Validated authorizations. @throws HttpError if one is invalid */
export async function readList(
  node: Node,
  list: Execute.Request['data']['authorizationList'],
  field: string,
): Promise<readonly Authorization[]> {
  try {
    return await readAuthorizations(node, list, field);
  } catch (error) {
    throw error instanceof AuthorizationError ? executeError(400, error.message) : error;
  }
}

/** Simulates a call. @throws HttpError with the documented simulation error if the call fails */
export async function simulateOrReject(node: Node, call: Call, requestId: string): Promise<Simulation> {
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
export function assertSponsored({ ledger }: Instance, costUsd: bigint): void {
  if (costUsd > ledger.sponsorBalanceUsd()) throw executeError(400, 'The balance of the sponsor is too low');
}

/** The call as an entry of the relayer's queue. */
export function toRelay(
  node: Node,
  call: Call,
  simulated: { gas: bigint; digest: Hex; sponsored: RelayedCall.Sponsored | undefined },
): RelayedCall.Relay {
  const { to, data, value, authorizations } = call;
  const { gas, digest, sponsored } = simulated;
  const transaction = { to, data, value, gas, authorizations };
  return {
    by: 'call',
    digest,
    chainId: node.id,
    transaction,
    sent: undefined,
    state: 'queued',
    sponsored,
    afterFill: undefined,
  };
}
