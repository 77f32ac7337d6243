/**
 * Executes a plan without gas: one authorization if needed, one signed batch, one submission to the service. Nothing is
 * ever signed twice, whatever happens to the response: ferry asks about the same bytes, and posts them again only if
 * the service has done nothing with them.
 */

import type * as Execute from '../api/Execute.js';
import type * as ExecutePermits from '../api/ExecutePermits.js';
import type * as Address from '../base/Address.js';
import { BaseError, type Fact } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import type { Event } from '../event/Event.js';
import * as Arrival from '../execution/Arrival.js';
import * as Facts from '../execution/Facts.js';
import { followed, hasActed, type Outcome, type Patience } from '../execution/Following.js';
import type * as Plan from '../execution/Plan.js';
import * as Submission from '../execution/Submission.js';
import * as TransactionSettlement from '../execution/TransactionSettlement.js';
import type { Chain } from '../ports/Ports.js';
import * as Currency from '../quote/Currency.js';
import * as Deadline from '../text/Deadline.js';
import * as ShellCommand from '../text/ShellCommand.js';
import type { Of } from '../tracking/Journal.js';
import * as NonceRelease from '../tracking/NonceRelease.js';
import * as Polling from '../tracking/Polling.js';
import * as TransferStatus from '../tracking/TransferStatus.js';
import * as GaslessSigning from './GaslessSigning.js';
import * as Invalidation from './Invalidation.js';
import * as OpenSignature from './OpenSignature.js';

/**
 * Executes a plan: signs once, journals what was signed, and submits it.
 *
 * @param given what was gathered for the plan, under the same turn; without any that are recent they are gathered again
 * @throws chain.* · submit.* · sign.failed · track.* · config.unwritable · request.unsupported if the account cannot be
 * delegated
 */
export async function* run(
  plan: Plan.Plan,
  ports: GaslessSigning.Ports,
  patience: Patience,
  given?: Facts.Facts | undefined,
): AsyncGenerator<Event, Outcome> {
  const { clock } = ports;
  const startedAt = clock.now();
  const facts = Facts.recent('batch', given, clock) ?? Facts.recent('permit', given, clock);
  const noting = Arrival.noteHead(plan, ports, facts?.tip);
  noting.catch(() => {});
  const handed = yield* GaslessSigning.sign(plan, ports, facts);
  const head = await noting;
  await ports.journal.append(handed, ports.turn);
  return yield* submitAndFollow(plan, handed, { ...ports, head }, { patience, startedAt, lost: undefined });
}

/**
 * Finishes a plan that an earlier process signed: the service is asked first whether it has acted, and is given the
 * same bytes again only if it has not. Signs nothing.
 *
 * @param invalidation the transaction that is to make it void, if one was sent: then nothing is given to the service again
 * @throws chain.* · submit.* · track.* · config.unwritable
 */
export async function* finish(
  plan: Plan.Restored,
  handed: GaslessSigning.Handed,
  ports: GaslessSigning.FollowingPorts,
  patience: Patience,
  invalidation: Invalidation.Sent | undefined,
): AsyncGenerator<Event, Outcome> {
  const lost = TransactionSettlement.interrupted(plan.requestId);
  return yield* submitAndFollow(plan, handed, ports, { patience, startedAt: ports.clock.now(), lost, invalidation });
}

async function* submitAndFollow(
  plan: Plan.Restored,
  handed: GaslessSigning.Handed,
  ports: GaslessSigning.FollowingPorts,
  { patience, startedAt, lost, invalidation }: Submitting,
): AsyncGenerator<Event, Outcome> {
  const signed = signatureOf(handed, plan, ports, invalidation);
  const terms = { untilMs: startedAt + patience.timeoutMs, lost };
  const handover = handoverOf(handed, signed, plan, ports);
  // Once it is being made void, it is only waited for what becomes of it.
  const isPosted = invalidation === undefined;
  const requestId = yield* Submission.submitOnce(isPosted ? handover : unposted(handover), ports, terms);
  await ports.journal.append({ type: 'request', requestId });
  yield { type: 'submitted', summary: 'The service accepted it', requestId };
  const { clock } = ports;
  const ended = new AbortController();
  const signal = AbortSignal.any([ports.signal, ended.signal]);
  const releasing = NonceRelease.releaseOnceUsed(ports.turn, signed.isUsed, { clock, signal });
  const open = {
    async hasActed() {
      if (await signed.isUsed()) return true;
      const evidence = await signed.voidBy();
      if (evidence) throw expiredSignature(plan, evidence, undefined);
      return false;
    },
    unknown: () => unknownOutcome(plan, { cause: undefined, untilMs: signed.untilMs, nowMs: clock.now() }),
  };
  try {
    const sent = { transactions: [], gasCost: 0n, open, startedAt };
    const outcome = yield* followed({ ...plan, requestId }, sent, ports, patience);
    await releasing;
    return outcome;
  } catch (error) {
    // A service that says it is waiting has shown no payment: once the deadline has passed, the chain has to.
    const isWaiting = error instanceof BaseError && error.code === 'track.unfinished';
    if (isWaiting && clock.now() >= signed.untilMs && !(await hasActed(open))) throw open.unknown();
    throw error;
  } finally {
    // An unknown outcome is told at once, without waiting for the nonces to be released.
    ended.abort();
    await releasing;
  }
}

/** When it was begun, how long it is followed, why it may have been handed over before, and what is to make it void. */
type Submitting = {
  patience: Patience;
  startedAt: number;
  lost: BaseError | undefined;
  invalidation?: Invalidation.Sent | undefined;
};

/** The signature of a run that has left, as the chain shows it. */
export function openOf(
  handed: GaslessSigning.Handed,
  plan: Plan.Restored,
  origin: Chain,
): OpenSignature.OpenSignature | undefined {
  const owner = plan.intent.user as Address.Address;
  if (handed.type === 'signed-batch') return OpenSignature.ofBatch(handed, owner, origin);
  const [permit] = plan.permits;
  return permit && OpenSignature.ofPermit(permit, owner, origin);
}

/**
 * The same, void only once this machine's clock has passed the deadline too: the time of a block is the node's word. What a
 * transaction of the account was sent to make void is used only if it was not that transaction which used it.
 *
 * @throws submit.cancelled from `voidBy`
 */
function signatureOf(
  handed: GaslessSigning.Handed,
  plan: Plan.Restored,
  { origin, clock }: GaslessSigning.FollowingPorts,
  invalidation: Invalidation.Sent | undefined,
): OpenSignature.OpenSignature {
  const open = openOf(handed, plan, origin);
  if (!open) throw GaslessSigning.manyPermits(plan.permits.length);
  const fateOf = (sent: Invalidation.Sent) => Invalidation.fateOf(sent, plan.intent.user, origin);
  return {
    ...open,
    async isUsed() {
      if (!(await open.isUsed())) return false;
      const fate = invalidation && (await fateOf(invalidation));
      if (!invalidation || fate === 'failed') return true;
      if (fate !== 'unmined') return false;
      if (!(await origin.knows(invalidation.txHash as Hex))) return true;
      // A node that is behind may take for pending what has used it. In a final block all show that as mined.
      if (!(await open.isFinallyUsed())) return false;
      return (await origin.minedNonce(plan.intent.user as Address.Address)) <= invalidation.nonce;
    },
    async voidBy() {
      if (invalidation && (await open.isUsed()) && (await fateOf(invalidation)) === 'final')
        throw Invalidation.invalidated(plan, invalidation);
      return clock.now() < open.untilMs ? undefined : open.voidBy();
    },
  };
}

/** The same handover, of which nothing is handed over any more: what makes it void is on its way. */
function unposted(handover: Submission.Handover<string>): Submission.Handover<string> {
  const summary = 'Waiting for the transaction that makes void what was signed';
  const waiting = (): Event => ({ type: 'asking', summary, why: 'until then it is valid' });
  return { ...handover, mayPost: async () => false, voidFromMs: 0, waiting };
}

async function postBatch(
  { request: body, executor }: Of<'signed-batch'>,
  { service, origin, replay }: GaslessSigning.FollowingPorts,
): Promise<string> {
  const request = body as Execute.Request;
  try {
    return (await service.execute(request)).requestId;
  } catch (error) {
    if (!replay || !(error instanceof BaseError)) throw error;
    const { compare } = await import('./SimulationReplay.js');
    throw await compare(error, request.data, origin, executor as Address.Address);
  }
}

async function postPermit(
  { request, signature }: Of<'signed-permit'>,
  { requestId }: Plan.Restored,
  { service }: GaslessSigning.FollowingPorts,
): Promise<string> {
  const { steps = [] } = await service.executePermit(request as ExecutePermits.Request, signature as Hex);
  if (steps.length > 0) throw new FurtherStepsError(requestId, steps.map(({ id }) => id).join(', '));
  return requestId;
}

/** How a batch or permit is handed to the service. Taken, it has the id of the request to follow. */
function handoverOf(
  handed: GaslessSigning.Handed,
  signature: OpenSignature.OpenSignature,
  plan: Plan.Restored,
  ports: GaslessSigning.FollowingPorts,
): Submission.Handover<string> {
  const { clock } = ports;
  const { untilMs } = signature;
  const unknown = (cause: BaseError | undefined): BaseError =>
    unknownOutcome(plan, { cause, untilMs, nowMs: clock.now() });
  return {
    resumed: 'Checking the request with the service',
    async post() {
      try {
        const taken = await (handed.type === 'signed-batch'
          ? postBatch(handed, ports)
          : postPermit(handed, plan, ports));
        return { verdict: 'taken', taken };
      } catch (error) {
        if (!(error instanceof BaseError) || error instanceof FurtherStepsError) throw error;
        const verdict = Submission.verdictOf(error);
        // That no connection was made is not relied on here: whoever has the signature may use it.
        return { verdict: verdict === 'unsent' ? 'lost' : verdict, error };
      }
    },
    // A clock that is ahead must not keep back a signature that the chain still accepts. It cannot be used twice.
    mayPost: async () =>
      clock.now() < untilMs ||
      (await signature.voidBy().then(
        (shown) => shown === undefined,
        () => false,
      )),
    async *look({ attempt, failure }) {
      if (failure) yield { type: 'asking', summary: answered(failure), why: failure.error.message };
      return (await isTaken(signature, plan, ports, { attempt, unknown })) ? plan.requestId : undefined;
    },
    voidFromMs: untilMs,
    mayAppear: false,
    waiting() {
      if (clock.now() >= untilMs) return undefined;
      const until = Deadline.until(untilMs, clock.now());
      const summary = `Waiting until ${until} for what was signed to expire`;
      return { type: 'asking', summary, why: 'until then it is valid' };
    },
    async voidBy(cause) {
      const shown = await signature.voidBy().catch((error: unknown) => {
        if (error instanceof BaseError && error.code.startsWith('chain.')) return undefined;
        throw error;
      });
      return shown && expiredSignature(plan, shown, cause);
    },
    unknown,
  };
}

function answered({ verdict }: Submission.Failure): string {
  return verdict === 'refused'
    ? 'The service refused what was signed, and has it: looking for it on the chain'
    : 'The response was lost: checking the request with the service';
}

/**
 * Whether the request's status shows that the service has started, or the chain that the signature was used. Looks a few
 * times, since it may be about to.
 */
async function isTaken(
  signed: OpenSignature.OpenSignature,
  plan: Plan.Restored,
  ports: GaslessSigning.FollowingPorts,
  { attempt, unknown }: { attempt: number; unknown(cause: undefined): BaseError },
): Promise<boolean> {
  await Polling.pause(Polling.delayMs(2 * attempt), ports, () => unknown(undefined));
  const ask = async (): Promise<boolean | undefined> => {
    const isUsed = (): Promise<boolean> => signed.isUsed().catch(() => false);
    const [answer, wasUsed] = await Promise.all([
      ports.service.status(plan.requestId).catch(() => undefined),
      isUsed(),
    ]);
    // While a silent service was waited for, it may have been used.
    return wasUsed || (answer ? TransferStatus.hasBegun(answer) : await isUsed()) || undefined;
  };
  const pace = { looks: 4, delayMs: (check: number) => Polling.delayMs(2 * attempt + 2 * check + 2) };
  return Polling.pollUntil(ask, ports, pace, (why) => (why === 'late' ? false : unknown(undefined)));
}

/** The service accepted the permit and now asks for steps that were not in the quote. */
export class FurtherStepsError extends BaseError {
  override name = 'FurtherStepsError';
  constructor(requestId: string, steps: string) {
    super('quote.unsupported-step', `The service accepted the permit and asks for further steps: ${steps}.`, {
      hint: 'ferry signs only what the quote contained. The permit can be used until it expires.',
      funds: 'unknown',
      requestId,
      next: ShellCommand.line`ferry status ${requestId} --watch`,
    });
  }
}

/** What was signed was never used, and can no longer be. */
function expiredSignature(
  { requestId }: Plan.Restored,
  evidence: readonly Fact[],
  cause: BaseError | undefined,
): BaseError {
  return new BaseError('submit.expired', 'What was signed expired unused, as the chain shows: no funds moved.', {
    facts: [...evidence, ...(cause ? [['last answer', cause.message] as const, ...cause.facts] : [])],
    hint: 'You can start the transfer again.',
    requestId,
    httpStatus: cause?.httpStatus,
    trace: cause?.trace,
    cause,
  });
}

/** Whoever received what was signed may still use it. */
function unknownOutcome(
  { requestId, intent, quote }: Plan.Restored,
  { cause, untilMs, nowMs }: { cause: BaseError | undefined; untilMs: number; nowMs: number },
): BaseError {
  const { token } = intent.origin;
  const until = Deadline.until(untilMs, nowMs);
  return new BaseError(
    'submit.unknown',
    nowMs < untilMs
      ? `The outcome is unknown${until === undefined ? '' : ` until ${until}`}: the service can still use what was signed.`
      : `What was signed was valid until ${until}, and the chain does not show finally yet, by two nodes, that it was not used.`,
    {
      facts: [
        ['at stake', Currency.inWords(quote.input, token)],
        ...(Number.isFinite(untilMs) ? ([['valid until', new Date(untilMs).toISOString()]] as const) : []),
        ...(cause ? [['last answer', cause.message] as const, ...cause.facts] : []),
      ],
      hint:
        nowMs < untilMs
          ? 'Do not start the transfer again until you know. ferry runs cancel makes what was signed invalid on the chain, if it is not used before.'
          : `Do not start the transfer again until you know: one node could hide that it was used. With one alone, add a second, then resume the run: networks.<name>.chains.${intent.origin.chain.name}.rpcUrls.`,
      next: ShellCommand.line`ferry status ${requestId} --watch`,
      requestId,
      httpStatus: cause?.httpStatus,
      trace: cause?.trace,
      cause,
    },
  );
}
