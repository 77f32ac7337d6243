/** Accepts a signed permit: simulates the payment and hands it to the relayer. */

import { keccak256, stringToBytes } from 'viem';
import type * as ExecutePermits from '../../core/api/ExecutePermits.js';
import type { Hex } from '../../core/base/Hex.js';
import { readDelegations, simulate } from '../chain/simulateCall.js';
import { messageError } from '../http/HttpError.js';
import type { Entry } from '../ledger/ledger.js';
import * as RelayedCall from '../ledger/RelayedCall.js';
import type * as Calldata from '../pricing/Calldata.js';
import * as Permit from '../pricing/Permit.js';
import { chainContext, type Instance } from '../settlement/instance.js';
import type { Relayer } from '../settlement/relayer.js';
import * as CallTrace from '../values/CallTrace.js';
import { accounts } from '../values/devAccounts.js';
import * as PartyAccount from '../values/PartyAccount.js';
import * as SimulationAnswer from './SimulationAnswer.js';

export type PermitSubmission = { request: ExecutePermits.Request; signature: Hex };

/**
 * Queues the payment authorized by a permit. Idempotent: repeating the same request returns the same response.
 *
 * @throws HttpError with status 400 and a message
 */
export async function executePermit(
  instance: Instance,
  relayer: Relayer,
  { request, signature }: PermitSubmission,
): Promise<ExecutePermits.Response> {
  const { requestId } = request;
  return await relayer.runExclusive(requestId, async () => {
    const entry = instance.ledger.byRequestId(requestId);
    if (!entry) throw messageError(400, 'Request not found');
    const digest = keccak256(stringToBytes(JSON.stringify([request, signature.toLowerCase()])));
    if (RelayedCall.isActive(entry.relay)) {
      if (entry.relay.digest === digest) return accepted;
      throw messageError(400, 'The request is executed already');
    }
    assertUnpaid(instance, requestId);
    const relay = await relayOf(instance, { entry, request, signature, digest });
    // A deposit may have arrived in the meantime.
    assertUnpaid(instance, requestId);
    relayer.submit(requestId, relay);
    return accepted;
  });
}

/** Without steps: an empty list would tell some clients that nothing is left to wait for. */
const accepted: ExecutePermits.Response = { message: 'Permit accepted' };

function assertUnpaid({ ledger }: Instance, requestId: string): void {
  const { deposits = [] } = ledger.byRequestId(requestId) ?? {};
  if (deposits.length > 0) throw messageError(400, 'The request has its deposit already');
}

async function relayOf(
  instance: Instance,
  { entry, request, signature, digest }: PermitSubmission & { entry: Entry; digest: Hex },
): Promise<RelayedCall.Relay> {
  const { permit, protocol, origin, requestId } = entry.order;
  if (!permit || !protocol) throw messageError(400, 'The request takes no permit');
  if (request.kind !== Permit.kindName)
    throw messageError(400, `The permit of the request is of kind ${Permit.kindName}`);
  // The clock of a chain without transactions stands still.
  if (BigInt(Math.floor(instance.clock() / 1000)) >= permit.validBefore)
    throw messageError(400, 'Authorization expired');
  const { node } = chainContext(instance, origin.chainId);
  const token = PartyAccount.address(origin.token.address);
  const { orderId } = protocol;
  const purpose = { contracts: node, user: permit.from, token, orderId, requestId };
  const { to, data, value } = callOf(permit, signature, purpose);
  const call = { from: accounts.relayer.address, to, data, value, authorizations: [] };
  const { frame, gas } = await simulate(node, call);
  const path = CallTrace.failingPath(frame);
  if (path.length > 0) {
    const context = { deployment: node, requestId, delegations: await readDelegations(node, call, path) };
    throw messageError(400, SimulationAnswer.revertOf(path, context).message);
  }
  const transaction = { to, data, value, gas: gas.limit, authorizations: [] };
  const { id: chainId } = node;
  return { by: 'permit', digest, chainId, transaction, state: 'queued' };
}

function callOf(permit: Permit.Permit, signature: Hex, purpose: Permit.Purpose): Calldata.Call {
  try {
    return Permit.toCall(permit, signature, purpose);
  } catch {
    throw messageError(400, 'Invalid signature');
  }
}
