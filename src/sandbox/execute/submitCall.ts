/** Takes a gasless call and hands it to the relayer. */

import { keccak256, stringToBytes } from 'viem';
import type * as Execute from '../../core/api/Execute.js';
import type { Hex } from '../../core/base/Hex.js';
import { bare } from '../http/HttpError.js';

import * as RelayedCall from '../ledger/RelayedCall.js';
import type { Instance } from '../settlement/instance.js';
import type { Relayer } from '../settlement/relayer.js';
import { executeCall } from './plainCall.js';
import { executeQuote } from './quotedCall.js';

/**
 * Queues a call, and answers with the id of the request that it belongs to.
 *
 * The same call posted again for the same request is answered the same way and done once: a client whose answer was lost
 * may send its bytes again. Only what reverted, and so did nothing, gives way to another call.
 *
 * @throws HttpError with the bodies that the endpoint documents
 */
export async function execute(
  instance: Instance,
  relayer: Relayer,
  request: Execute.Request,
): Promise<Execute.Response> {
  const { requestId } = request;
  const digest = digestOf(request);
  if (requestId === undefined) return submitted(await executeCall(instance, relayer, { request, digest }));
  return await relayer.inTurn(requestId, async () => {
    const entry = instance.ledger.byRequestId(requestId);
    if (!entry) throw bare(400, `requestId ${requestId} names no quote`);
    const { order, relay } = entry;
    if (!RelayedCall.isUnderWay(relay)) await executeQuote(instance, relayer, { request, order, digest });
    else if (relay.digest !== digest) throw bare(400, `requestId ${requestId} is executed already`);
    return submitted(order.requestId);
  });
}

/** Of what was read, so that only a difference in meaning is one. */
function digestOf(request: Execute.Request): Hex {
  return keccak256(stringToBytes(JSON.stringify(request)));
}

function submitted(requestId: string): Execute.Response {
  return { message: 'Transaction submitted', requestId };
}
