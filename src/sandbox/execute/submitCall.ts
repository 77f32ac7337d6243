/** Accepts a gasless call and hands it to the relayer. */

import { keccak256, stringToBytes } from 'viem';
import type * as Execute from '../../core/api/Execute.js';
import type { Hex } from '../../core/base/Hex.js';
import { executeError } from '../http/HttpError.js';

import * as RelayedCall from '../ledger/RelayedCall.js';
import type { Instance } from '../settlement/instance.js';
import type { Relayer } from '../settlement/relayer.js';
import { executeCall } from './plainCall.js';
import { executeQuote } from './quotedCall.js';

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
  const digest = digestOf(request);
  if (requestId === undefined) return submitted(await executeCall(instance, relayer, { request, digest, keyName }));
  return await relayer.runExclusive(requestId, async () => {
    const entry = instance.ledger.byRequestId(requestId);
    if (!entry) throw executeError(400, `requestId ${requestId} names no quote`);
    const { order, relay } = entry;
    if (!RelayedCall.isActive(relay)) await executeQuote(instance, relayer, { request, order, digest });
    else if (relay.digest !== digest) throw executeError(400, `requestId ${requestId} is executed already`);
    return submitted(order.requestId);
  });
}

/** Hashes the parsed request, so that formatting differences do not matter. */
function digestOf(request: Execute.Request): Hex {
  return keccak256(stringToBytes(JSON.stringify(request)));
}

function submitted(requestId: string): Execute.Response {
  return { message: 'Transaction submitted', requestId };
}
