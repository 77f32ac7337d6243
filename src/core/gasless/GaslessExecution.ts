/**
 * Executes a plan without gas: one authorization if needed, one signed batch, one submission to the service. Nothing is
 * ever signed twice, whatever happens to the response: ferry asks about the same bytes, and posts them again only if
 * the service has done nothing with them.
 */

import type * as Execute from '../api/Execute.js';
import type * as ExecutePermits from '../api/ExecutePermits.js';
import type * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import type { Event } from '../event/Event.js';
import { followed, type Outcome, type Patience } from '../execution/Execution.js';
import type * as Plan from '../execution/Plan.js';
import * as TransactionSettlement from '../execution/TransactionSettlement.js';
import * as RateLimit from '../network/RateLimit.js';

import * as NonceRelease from '../tracking/NonceRelease.js';
import * as StatusPolling from '../tracking/StatusPolling.js';
import * as TransferStatus from '../tracking/TransferStatus.js';
import * as GaslessSigning from './GaslessSigning.js';
import * as SimulationReplay from './SimulationReplay.js';

/** Number of times the same bytes are posted before the outcome counts as unknown. */
const maxAttempts = 4;

/**
 * Executes a plan: signs once, journals what was signed, and submits it.
 *
 * @throws chain.* · submit.* · sign.failed · track.* · config.unwritable · request.unsupported if the account cannot be
 * delegated
 */
export async function* run(
  plan: Plan.Plan,
  world: GaslessSigning.World,
  patience: Patience,
): AsyncGenerator<Event, Outcome> {
  const startedAt = world.clock.now();
  const handed = yield* GaslessSigning.sign(plan, world);
  await world.journal.append(handed);
  return yield* submitAndFollow(plan, handed, world, { patience, startedAt, lost: undefined });
}

/**
 * Finishes a plan that an earlier process signed: the service is asked first whether it has acted, and is given the
 * same bytes again only if it has not. Signs nothing.
 *
 * @throws chain.* · submit.* · track.* · config.unwritable
 */
export async function* finish(
  plan: Plan.Restored,
  handed: GaslessSigning.Handed,
  world: GaslessSigning.FollowingWorld,
  patience: Patience,
): AsyncGenerator<Event, Outcome> {
  const lost = new TransactionSettlement.InterruptedError(plan.requestId);
  return yield* submitAndFollow(plan, handed, world, { patience, startedAt: world.clock.now(), lost });
}

async function* submitAndFollow(
  plan: Plan.Restored,
  handed: GaslessSigning.Handed,
  world: GaslessSigning.FollowingWorld,
  { patience, startedAt, lost }: { patience: Patience; startedAt: number; lost: BaseError | undefined },
): AsyncGenerator<Event, Outcome> {
  const signed = handed.type === 'signed-batch' ? batchOf(handed, plan, world) : permitOf(handed, plan, world);
  const requestId = yield* submit(signed, plan, world, { untilMs: startedAt + patience.timeoutMs, lost });
  await world.journal.append({ type: 'request', requestId });
  yield { type: 'submitted', summary: 'The service accepted it', requestId };
  await NonceRelease.releaseOnceUsed(world.turn, signed.isUsed, world);
  return yield* followed({ ...plan, requestId }, { transactions: [], gasCost: 0n, startedAt }, world, patience);
}

/** A signed batch or permit. */
type Signed = {
  /** Posts it, the same bytes each time. Resolves to the id of the request to follow. */
  post(): Promise<string>;
  /** Unix time in milliseconds after which it is invalid. */
  deadlineMs: number;
  /** Whether the chain shows that its nonces are used. */
  isUsed(): Promise<boolean>;
  /** Whether the finalized chain shows that it expired unused. */
  isDead(): Promise<boolean>;
};

function batchOf(
  { request: body, ...signed }: Extract<GaslessSigning.Handed, { type: 'signed-batch' }>,
  plan: Plan.Restored,
  { service, origin, replay }: GaslessSigning.FollowingWorld,
): Signed {
  const request = body as Execute.Request;
  const deadline = BigInt(signed.deadline);
  return {
    deadlineMs: Number(deadline) * 1000,
    post: async () => {
      try {
        return (await service.execute(request)).requestId;
      } catch (error) {
        if (!replay || !(error instanceof BaseError)) throw error;
        throw await SimulationReplay.compare(error, request.data, origin, signed.executor as Address.Address);
      }
    },
    isUsed: async () => {
      const owner = plan.intent.user as Address.Address;
      return (await origin.batchSequence(owner, signed.batchExecutor as Address.Address)) !== BigInt(signed.nonce);
    },
    isDead: async () => {
      const owner = plan.intent.user as Address.Address;
      const final = await origin.finalizedSequence(owner, signed.batchExecutor as Address.Address);
      return final.timestamp > deadline && final.sequence === BigInt(signed.nonce);
    },
  };
}

function permitOf(
  { request, signature }: Extract<GaslessSigning.Handed, { type: 'signed-permit' }>,
  plan: Plan.Restored,
  { service }: GaslessSigning.FollowingWorld,
): Signed {
  return {
    post: async () => {
      const { steps = [] } = await service.executePermit(request as ExecutePermits.Request, signature as Hex);
      if (steps.length > 0) throw new FurtherStepsError(plan.requestId, steps.map(({ id }) => id).join(', '));
      return plan.requestId;
    },
    // A permit uses no nonce of the account, and tokens have no common way to show whether it was used.
    isUsed: async () => true,
    deadlineMs: Number.POSITIVE_INFINITY,
    isDead: async () => false,
  };
}

/** Posts what was signed. After a lost response, first looks the request up by its id. */
async function* submit(
  signed: Signed,
  plan: Plan.Restored,
  world: GaslessSigning.FollowingWorld,
  { untilMs, lost: before }: { untilMs: number; lost: BaseError | undefined },
): AsyncGenerator<Event, string> {
  let lost = before;
  if (lost) {
    yield { type: 'asking', summary: 'Checking the request with the service', why: lost.message };
    if (await hasActed(plan, world, 0)) return plan.requestId;
  }
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    try {
      return await signed.post();
    } catch (error) {
      if (RateLimit.isUnsent(error) && lost === undefined) throw error;
      if (world.signal.aborted) throw new UnknownOutcomeError(plan, lost);
      if (!(error instanceof BaseError)) throw error;
      // A refusal before it acted. After a lost response, a refusal may be due to the success of the first post.
      if (!isLost(error) && lost === undefined) throw error;
      lost = isLost(error) ? error : (lost ?? error);
      yield {
        type: 'asking',
        summary: 'The response was lost: checking the request with the service',
        why: error.message,
      };
    }
    if (await hasActed(plan, world, attempt)) return plan.requestId;
  }
  // If there is time to see the deadline pass, the chain shows how it ended.
  while (signed.deadlineMs < untilMs && world.clock.now() < untilMs) {
    if (await hasActed(plan, world, maxAttempts)) return plan.requestId;
    if (await signed.isDead()) throw new ExpiredBatchError(plan);
  }
  throw new UnknownOutcomeError(plan, lost);
}

const lostCodes: readonly string[] = [
  'service.unreachable',
  'service.timeout',
  'service.unavailable',
  'service.malformed',
  'service.rate-limited',
];

function isLost({ code }: BaseError): boolean {
  return lostCodes.includes(code);
}

/** Whether the request's status shows that the service has started. Polls a few times, since it may be about to. */
async function hasActed(
  plan: Plan.Restored,
  { service, clock, signal }: GaslessSigning.FollowingWorld,
  attempt: number,
): Promise<boolean> {
  for (let check = 0; check < 4; check++) {
    await StatusPolling.interruptible(
      clock.sleep(TransferStatus.pollDelayMs(2 * attempt + 2 * check), signal),
      () => new UnknownOutcomeError(plan, undefined),
    );
    const answer = await service.status(plan.requestId).catch(() => undefined);
    if (!answer) continue;
    const isIdle = answer.status === 'waiting' || answer.status === 'unknown';
    // While its transaction is known but not mined, the request is still waiting.
    if (!isIdle || (answer.inTxHashes ?? []).length > 0) return true;
  }
  return false;
}

/** The service accepted the permit and now asks for steps that were not in the quote. */
export class FurtherStepsError extends BaseError {
  override name = 'FurtherStepsError';
  constructor(requestId: string, steps: string) {
    super('quote.unsupported-step', `The service accepted the permit and asks for further steps: ${steps}.`, {
      hint: 'ferry signs only what the quote contained. The permit can be used until it expires.',
      funds: 'unknown',
      requestId,
      next: `ferry status ${requestId} --watch`,
    });
  }
}

/** The batch was never submitted, and can no longer be. */
export class ExpiredBatchError extends BaseError {
  override name = 'ExpiredBatchError';
  constructor({ requestId }: Plan.Restored) {
    super('submit.expired', 'The service did not act, and the signed batch expired unused: no funds moved.', {
      hint: 'You can start the transfer again.',
      requestId,
    });
  }
}

/** The service may have acted on a signed batch. */
export class UnknownOutcomeError extends BaseError {
  override name = 'UnknownOutcomeError';
  constructor({ requestId, intent, quote }: Plan.Restored, cause: BaseError | undefined) {
    const { token } = intent.origin;
    super('submit.unknown', 'The service may or may not have accepted the signed batch.', {
      facts: [
        ['at stake', `${Amount.format(quote.input, token.decimals)} ${token.symbol}`],
        ...(cause ? ([['last answer', cause.message]] as const) : []),
      ],
      hint: 'Do not start the transfer again until you know. What was signed can be used until its deadline.',
      next: `ferry status ${requestId} --watch`,
      requestId,
      cause,
    });
  }
}
