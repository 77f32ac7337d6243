/**
 * Has the service submit a raw call and follows it. The call is posted exactly once: a second post could be a second
 * call, and without a request id there would be no way to tell.
 */

import type * as Execute from '../api/Execute.js';
import { BaseError } from '../base/Errors.js';
import type { Event } from '../event/Event.js';
import type { AnyOrigin, Patience } from '../execution/Following.js';
import * as Resumption from '../execution/Resumption.js';
import * as Submission from '../execution/Submission.js';
import * as ShellCommand from '../text/ShellCommand.js';
import * as Polling from '../tracking/Polling.js';
import * as StatusPolling from '../tracking/StatusPolling.js';
import * as CallDocument from './CallDocument.js';

export type Ports = Pick<AnyOrigin, 'service' | 'journal' | 'clock' | 'signal' | 'warn'> & {
  /** Adds a node's result to an error of the service's simulation; returns the error unchanged without `--replay`. */
  replay(error: BaseError): Promise<BaseError>;
};

/** Number of times the service is asked whether it has started, since it may be about to. */
const maxChecks = 4;

/**
 * Posts a call.
 *
 * @throws service.* · auth.refused · submit.simulation if it was refused, submit.unknown, track.*
 */
export async function* run(
  request: Execute.Request,
  ports: Ports,
  patience: Patience,
): AsyncGenerator<Event, CallDocument.CallDocument> {
  ports.signal.throwIfAborted();
  await ports.journal.append({ type: 'call', request });
  const { requestId, message } = await post(request, ports);
  await ports.journal.append({ type: 'request', requestId });
  yield { type: 'submitted', summary: 'The service accepted it', requestId };
  return yield* follow(requestId, message, ports, patience);
}

/**
 * Follows a call that an earlier process may have posted.
 *
 * @param taken its request id, if the service has answered
 * @throws submit.unknown if there is no request id to ask about, or the service has not started it · track.*
 */
export async function* resumed(
  request: Execute.Request,
  taken: string | undefined,
  ports: Ports,
  patience: Patience,
): AsyncGenerator<Event, CallDocument.CallDocument> {
  const requestId = taken ?? request.requestId;
  if (requestId === undefined) throw unknownCall(request, undefined);
  if (taken === undefined) {
    const why = 'the run was interrupted before the service had answered';
    yield { type: 'asking', summary: 'Checking the request with the service', why };
    await assertStarted(requestId, request, ports);
    await ports.journal.append({ type: 'request', requestId });
  }
  return yield* follow(requestId, null, ports, patience);
}

async function* follow(
  requestId: string,
  message: string | null,
  ports: Ports,
  { wait, timeoutMs }: Patience,
): AsyncGenerator<Event, CallDocument.CallDocument> {
  const progress = wait ? yield* StatusPolling.run(requestId, ports, { timeoutMs, isPaid: true }) : undefined;
  return CallDocument.from(requestId, message, progress);
}

async function post(request: Execute.Request, { service, journal, signal, replay }: Ports): Promise<Execute.Response> {
  try {
    return await service.execute(request);
  } catch (thrown) {
    if (!(thrown instanceof BaseError)) throw thrown;
    const verdict = Submission.verdictOf(thrown);
    const hasLeft = verdict !== 'withheld' && verdict !== 'unsent';
    const mayBeAccepted = verdict === 'lost' || (hasLeft && signal.aborted);
    if (mayBeAccepted) throw unknownCall(request, thrown);
    const { code, funds } = thrown;
    await journal.append({ type: 'outcome', status: code, funds, code });
    throw await replay(thrown);
  }
}

async function assertStarted(requestId: string, request: Execute.Request, ports: Ports): Promise<void> {
  let cause: BaseError | undefined;
  const ask = async (): Promise<true | undefined> => {
    try {
      return (await Resumption.hasBegun(requestId, ports.service)) || undefined;
    } catch (error) {
      cause = error instanceof BaseError ? error : undefined;
      return undefined;
    }
  };
  const pace = { looks: maxChecks, delayMs: (check: number) => Polling.delayMs(2 * check + 2) };
  await Polling.pollUntil(ask, ports, pace, () => unknownCall(request, cause));
}

/** The service may have accepted the call, or may be about to. */
function unknownCall({ data, requestId }: Execute.Request, cause: BaseError | undefined): BaseError {
  return new BaseError('submit.unknown', 'The service may or may not have accepted the call.', {
    facts: [
      ['called', data.to],
      ['on chain', String(data.chainId)],
      ...(cause ? [['answer', cause.message] as const, ...cause.facts] : []),
    ],
    hint: requestId
      ? 'Check its status before you send it again.'
      : 'Without a request id the status cannot be looked up: check the chain and the service’s records before you send it again. ferry runs close ends the run.',
    next: requestId
      ? ShellCommand.line`ferry status ${requestId} --watch`
      : ShellCommand.line`ferry requests list --user ${data.to}`,
    requestId,
    cause,
  });
}
