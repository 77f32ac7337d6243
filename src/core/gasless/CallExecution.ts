/**
 * Has the service submit a raw call and follows what becomes of it. It is posted once and never again: a second posting
 * may be a second call, and where the call has no request id of its own nobody could tell.
 */

import type * as Execute from '../api/Execute.js';
import { BaseError } from '../base/Errors.js';
import type { Event } from '../event/Event.js';
import type { Patience } from '../execution/Execution.js';
import * as Resumption from '../execution/Resumption.js';
import * as RateLimit from '../network/RateLimit.js';
import type { Clock, Service } from '../ports/Ports.js';
import type { JournalWriter } from '../tracking/Journal.js';
import * as StatusPolling from '../tracking/StatusPolling.js';
import * as TransferStatus from '../tracking/TransferStatus.js';

export type World = {
  service: Service;
  /** Written to before the posting. */
  journal: JournalWriter;
  clock: Clock;
  signal: AbortSignal;
  warn(text: string): void;
  /** A failed simulation of the service held against a node; the error as it is where that is not wanted. */
  replay(error: BaseError): Promise<BaseError>;
};

export type Outcome = {
  requestId: string;
  /** The service's words; null where its answer was lost. */
  message: string | null;
  /** Undefined where ferry was told not to wait. */
  progress: TransferStatus.Progress | undefined;
};

/** What was posted in an earlier life of the run, and the request that it is known to have become. */
export type Begun = { request: Execute.Request; taken: string | undefined };

/** How often the service is asked whether it has begun, as it may be about to. */
const looks = 4;

/**
 * Posts a call.
 *
 * @throws service.* · auth.refused · submit.simulation where it was refused, submit.unknown, track.*
 */
export async function* run(request: Execute.Request, world: World, patience: Patience): AsyncGenerator<Event, Outcome> {
  world.signal.throwIfAborted();
  await world.journal.append({ type: 'call', request });
  const { requestId, message } = await post(request, world);
  await world.journal.append({ type: 'request', requestId });
  yield { type: 'submitted', summary: 'The service took it', requestId };
  return { requestId, message, progress: yield* followed(requestId, world, patience) };
}

/**
 * Follows a call that may have been posted.
 *
 * @throws submit.unknown where nobody can be asked, or the service has not begun with it · track.*
 */
export async function* resumed(
  { request, taken }: Begun,
  world: World,
  patience: Patience,
): AsyncGenerator<Event, Outcome> {
  const requestId = taken ?? request.requestId;
  if (requestId === undefined) throw new UnknownCallError(request, undefined);
  if (taken === undefined) {
    const why = 'the run was interrupted before the service had answered';
    yield { type: 'asking', summary: 'Asking the service what it has done', why };
    await assertBegun(requestId, request, world);
    await world.journal.append({ type: 'request', requestId });
  }
  return { requestId, message: null, progress: yield* followed(requestId, world, patience) };
}

async function* followed(
  requestId: string,
  world: World,
  { wait, timeoutMs }: Patience,
): AsyncGenerator<Event, TransferStatus.Progress | undefined> {
  return wait ? yield* StatusPolling.run(requestId, world, { timeoutMs }) : undefined;
}

async function post(request: Execute.Request, { service, journal, signal, replay }: World): Promise<Execute.Response> {
  try {
    return await service.execute(request);
  } catch (thrown) {
    if (!(thrown instanceof BaseError)) throw thrown;
    const mayBeTaken = !isUnsent(thrown) && (signal.aborted || lost.includes(thrown.code));
    if (mayBeTaken) throw new UnknownCallError(request, thrown);
    const { code, funds } = thrown;
    await journal.append({ type: 'outcome', status: code, funds, code });
    throw await replay(thrown);
  }
}

/** Whether the posting never left this machine: there was no turn for it, or nobody to connect to. */
function isUnsent(error: BaseError): boolean {
  return RateLimit.isUnsent(error) || ('arrived' in error && error.arrived === 'no');
}

/** The service may have acted on what it did not answer. */
const lost: readonly string[] = ['service.unreachable', 'service.timeout', 'service.unavailable', 'service.malformed'];

async function assertBegun(
  requestId: string,
  request: Execute.Request,
  { service, clock, signal }: World,
): Promise<void> {
  let cause: BaseError | undefined;
  for (let look = 0; look < looks; look++) {
    const unknown = (): BaseError => new UnknownCallError(request, cause);
    if (look > 0) await StatusPolling.interruptible(clock.sleep(TransferStatus.pollDelayMs(2 * look), signal), unknown);
    try {
      if (await Resumption.hasBegun(requestId, service)) return;
    } catch (error) {
      cause = error instanceof BaseError ? error : undefined;
    }
  }
  throw new UnknownCallError(request, cause);
}

/** The service may or may not have taken the call, or may be about to. */
export class UnknownCallError extends BaseError {
  override name = 'UnknownCallError';
  constructor({ data, requestId }: Execute.Request, cause: BaseError | undefined) {
    super('submit.unknown', 'The service may or may not have taken the call.', {
      facts: [
        ['called', data.to],
        ['on chain', String(data.chainId)],
        ...(cause ? ([['answer', cause.message]] as const) : []),
      ],
      hint: requestId
        ? 'Ask for its status before you send it again.'
        : 'Without a request id the service cannot be asked: look at the chain and at its records before you send it again.',
      next: requestId ? `ferry status ${requestId} --watch` : `ferry requests list --user ${data.to}`,
      requestId,
      cause,
    });
  }
}
