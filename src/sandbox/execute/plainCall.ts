/**
 * Executes a gasless call without a quote: on a single chain, paid by a sponsor.
 *
 * The specification takes either value of `subsidizeFees`. As documented, such a call is paid from the app's balance
 * and there is nobody else to charge, so `false` is refused by name.
 */

import type * as Execute from '../../core/api/Execute.js';
import type { Hex } from '../../core/base/Hex.js';
import { readMarketOf } from '../chain/readMarket.js';
import { executeError } from '../http/HttpError.js';

import type { Instance } from '../settlement/instance.js';
import type { Relayer } from '../settlement/relayer.js';
import { nativeOf } from '../values/Market.js';
import * as QuoteIds from '../values/QuoteIds.js';
import * as Valuation from '../values/Valuation.js';
import { assertSponsored, nodeAt, readCall, simulateOrReject, toRelay } from './preflight.js';
import * as RawCall from './RawCall.js';

/**
 * Queues the call under a new request id.
 *
 * @throws HttpError with the bodies that the endpoint documents
 */
export async function executeCall(
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
