/** Accepts a gasless call and hands it to the relayer. */

import { keccak256, stringToBytes } from 'viem';
import type * as Execute from '../../core/api/Execute.js';
import type { Hex } from '../../core/base/Hex.js';
import { readMarketOf } from '../chain/readMarket.js';
import { executeError } from '../http/HttpError.js';
import * as RelayedCall from '../ledger/RelayedCall.js';
import type { Instance } from '../settlement/instance.js';
import type { Relayer } from '../settlement/relayer.js';
import { nativeOf } from '../values/Market.js';
import * as QuoteIds from '../values/QuoteIds.js';
import * as Valuation from '../values/Valuation.js';
import { assertSponsored, nodeAt, readCall, simulateOrReject, toRelay } from './preflight.js';
import { executeQuote } from './quotedCall.js';
import * as RawCall from './RawCall.js';

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
  const { ledger, clock, seed, nodes } = instance;
  const { destinationChainExecutionData, subsidizeFees, referrer } = request.executionOptions;
  if (destinationChainExecutionData)
    throw executeError(400, 'destinationChainExecutionData needs the requestId of a quote');
  if (!subsidizeFees) throw executeError(400, 'subsidizeFees must be true without the requestId of a quote');
  const node = nodeAt(instance, request.data.chainId);
  const call = await readCall(node, request.data);
  const { to, value } = call;
  const chain = await readMarketOf(nodes, node, clock());
  const valueUsd = Valuation.toUsd(value, nativeOf(chain));
  assertSponsored(instance, valueUsd);

  const sequence = ledger.nextSequence();
  const nowMs = clock();
  const { requestId } = QuoteIds.from({ seed, sequence, nowMs });
  const { gas } = await simulateOrReject(node, call, requestId);
  const { order, quote, costUsd } = RawCall.from({
    requestId,
    nowMs,
    chain,
    to,
    value,
    gas: gas.used,
    referrer: referrer || undefined,
  });
  // No await from here on: two calls must not spend the same balance.
  assertSponsored(instance, costUsd);
  ledger.chargeSponsor(costUsd);
  ledger.add({ sequence, order, quote, apiKeyName: keyName });
  const sponsored = { chargedUsd: costUsd, valueUsd, paysGas: true };
  relayer.submit(requestId, toRelay(node, call, { gas: gas.limit, digest, sponsored }));
  return requestId;
}
