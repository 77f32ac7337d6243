/** What every gasless call must stand before it is queued: it is read, tried on its chain, and somebody pays for it. */

import type * as Execute from '../../core/api/Execute.js';
import type { Hex } from '../../core/base/Hex.js';
import { type Authorization, AuthorizationError, readAuthorizations } from '../chain/authorizations.js';
import type { Node } from '../chain/readMarket.js';
import { readDelegations, type Simulation, simulate } from '../chain/simulateCall.js';
import { bare, HttpError } from '../http/HttpError.js';

import type * as RelayedCall from '../ledger/RelayedCall.js';
import { type Instance, nodeOf } from '../settlement/instance.js';
import * as CallTrace from '../values/CallTrace.js';
import { accounts } from '../values/devAccounts.js';
import * as SimulationAnswer from './SimulationAnswer.js';

/** A call of the relayer as it was asked for; its gas is known once it was tried. */
export type Call = Omit<RelayedCall.Transaction, 'gas'> & { from: `0x${string}` };

/** The chain of an id. @throws HttpError where the sandbox has none such */
export function nodeAt(instance: Instance, chainId: number): Node {
  const node = nodeOf(instance, chainId);
  if (!node) throw bare(400, `Chain ${chainId} is not supported`);
  return node;
}

/**
 * The call of a request's `data`. By the contract its authorizations are for the destination, but clients sign them for
 * the chain of the call; so each goes where it counts, and those of the other chain are left out here.
 *
 * @throws HttpError where the call cannot be made
 */
export async function readCall(node: Node, asked: Execute.Request['data'], otherChainId?: number): Promise<Call> {
  const { to, data, value, authorizationList = [] } = asked;
  if (data.length % 2 === 1) throw bare(400, 'data must be whole bytes');
  const own = authorizationList.filter(({ chainId }) => chainId === node.id || chainId !== otherChainId);
  const authorizations = await readList(node, own, 'authorizationList');
  return { from: accounts.relayer.address, to, data, value: BigInt(value), authorizations };
}

/** Authorizations that hold on a chain. @throws HttpError where one does not */
export async function readList(
  node: Node,
  list: Execute.Request['data']['authorizationList'],
  field: string,
): Promise<readonly Authorization[]> {
  try {
    return await readAuthorizations(node, list, field);
  } catch (error) {
    throw error instanceof AuthorizationError ? bare(400, error.message) : error;
  }
}

/** Tries a call. @throws HttpError with the body of a failed simulation where it fails */
export async function tryCall(node: Node, call: Call, requestId: string): Promise<Simulation> {
  const simulation = await simulate(node, call);
  const { frame } = simulation;
  if (frame.error === undefined) return simulation;
  const delegations = await readDelegations(node, call, CallTrace.failingPath(frame));
  throw new HttpError(400, SimulationAnswer.from(frame, { deployment: node, requestId, delegations }));
}

/**
 * Sponsoring is all or nothing: what the sponsor cannot pay whole is not sponsored.
 *
 * @throws HttpError where the sponsor has less than so many millionths of a dollar
 */
export function assertSponsored({ ledger }: Instance, costUsd: bigint): void {
  if (costUsd > ledger.sponsorBalanceUsd()) throw bare(400, 'The balance of the sponsor is too low');
}

/** The call as it waits in the relayer's queue. */
export function toRelay(
  node: Node,
  call: Call,
  tried: { gas: bigint; digest: Hex; sponsored: RelayedCall.Sponsored | undefined },
): RelayedCall.Relay {
  const { to, data, value, authorizations } = call;
  const { gas, digest, sponsored } = tried;
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
