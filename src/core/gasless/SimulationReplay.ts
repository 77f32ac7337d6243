/** Compares a failed simulation of the service with a replay on the user's own node. */

import type * as Execute from '../api/Execute.js';
import type { Address } from '../base/Address.js';
import type { BaseError, Fact } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import type { Authorization, Chain } from '../ports/Ports.js';
import * as CallTrace from '../trace/CallTrace.js';
import * as Frame from '../trace/Frame.js';
import * as KnownSignatures from '../trace/KnownSignatures.js';

/**
 * Adds the node's result for the same call to an error. An error without a trace is returned unchanged.
 *
 * @param from the address that would submit the call
 */
export async function compare(
  error: BaseError,
  { to, data, value, authorizationList }: Execute.Request['data'],
  node: Pick<Chain, 'traceCall'>,
  from: Address,
): Promise<BaseError> {
  if (!error.trace) return error;
  const key = { signatures: KnownSignatures.signatures(), names: new Map<string, string>() };
  const claimed = CallTrace.from(
    { by: 'service', frames: Frame.fromDetails(error.trace), claim: error.trace.revert },
    key,
  );
  const frames = await node.traceCall({
    from,
    to: to as Address,
    data: data as Hex,
    value: BigInt(value),
    ...(authorizationList ? { authorizationList: authorizationList as readonly Authorization[] } : {}),
  });
  return error.with({ facts: [...error.facts, ...verdict(claimed, frames, key)] });
}

function verdict(
  claimed: CallTrace.Trace,
  frames: readonly Frame.Frame[] | undefined,
  key: Parameters<typeof CallTrace.from>[1],
): Fact[] {
  if (!frames) return [['your node', 'cannot trace calls (debug_traceCall), so nothing was compared']];
  const replayed = CallTrace.from({ by: 'node', frames }, key);
  if (!replayed.failed) return [['your node', 'the call succeeds there, which does not confirm the service’s result']];
  const { failure } = replayed;
  const agrees = failure !== undefined && claimed.failure !== undefined && isSame(failure, claimed.failure);
  return [['your node', agrees ? `agrees: ${replayed.summary}` : `differs: ${replayed.summary}`]];
}

/** Compares type, selector and reason; for an unknown custom error the service returns only the selector. */
function isSame({ revert: a }: CallTrace.Failure, { revert: b }: CallTrace.Failure): boolean {
  if (a.type !== b.type || a.selector !== b.selector) return false;
  return a.type === 'unknownCustomError' || a.reason === b.reason;
}
