/**
 * Submits signed bytes to the service or the venue, once. After a lost answer the receiver is asked whether it has them
 * before the same bytes are submitted again. A refusal proves nothing, since whoever refuses has the signature: the
 * bytes are not submitted again, and ferry waits until they were used or no longer can be.
 *
 * A transaction of the account's own is handed to a node instead (`TransactionSettlement.resend`): its nonce shows at once
 * what became of it.
 */
import type { BaseError } from '../base/Errors.js';
import type { Event } from '../event/Event.js';
import * as RateLimit from '../network/RateLimit.js';
import type { Clock } from '../ports/Ports.js';

/**
 * What an answer says of the bytes: `withheld` by ferry's own limit of requests, `unsent` for want of a connection, `busy`
 * if they were not taken now, `refused` if they were not taken, `lost` if they may have been.
 */
type Verdict = 'withheld' | 'unsent' | 'busy' | 'refused' | 'lost';

/** Errors after which the service may still have acted on the request. */
const lostCodes: readonly string[] = [
  'service.unreachable',
  'service.timeout',
  'service.unavailable',
  'service.malformed',
];

/** What an error of the service says of what was handed to it. */
export function verdictOf(error: BaseError): Verdict {
  if (RateLimit.isUnsent(error)) return 'withheld';
  if ('arrived' in error && error.arrived === 'no') return 'unsent';
  if (error.code === 'service.rate-limited') return 'busy';
  return lostCodes.includes(error.code) ? 'lost' : 'refused';
}

/** An answer that does not say that the bytes were taken. */
export type Failure = { verdict: Verdict; error: BaseError };

/** What one kind of payment hands over, and how it is seen what became of it. `Taken` is what is known once it was taken. */
export type Handover<Taken> = {
  /** What is done first if an earlier process may have handed it over, for a person. */
  resumed: string;
  /** Hands over the same bytes each time. An error that it throws ends the run. */
  post(): Promise<{ verdict: 'taken'; taken: Taken } | Failure>;
  /** Whether they may be handed over, for the first time or again. */
  mayPost(attempt: number): Promise<boolean>;
  /**
   * Whether the bytes were taken, as the chain or the service shows. Looks a few times, since that may take a moment.
   *
   * @param asked `lost` is what was answered before the failure; the higher the attempt, the longer the pauses
   * @throws what proves that they never will be
   */
  look(asked: {
    attempt: number;
    failure: Failure | undefined;
    lost: BaseError | undefined;
  }): AsyncGenerator<Event, Taken | undefined>;
  /** Unix time in milliseconds from which it can be shown that they are void. */
  voidFromMs: number;
  /** Whether they may be found long after they were posted, although they may be valid for longer than is waited. */
  mayAppear: boolean;
  /** What is waited for, for a person. */
  waiting?: (() => Event | undefined) | undefined;
  /** The error if it is shown that they can never be taken any more. */
  voidBy(lost: BaseError | undefined): Promise<BaseError | undefined>;
  /** The error while they may be. */
  unknown(lost: BaseError | undefined): BaseError;
};

/** Number of times the same bytes are handed over before they are only waited for. */
const maxAttempts = 4;

/**
 * Hands over what is signed and in the journal.
 *
 * @param terms `lost` says why an earlier process does not know what became of it; undefined if there was none
 * @throws `unknown` if it is not known until `untilMs`, `voidBy` · what `post` and `look` throw
 */
export async function* submitOnce<Taken>(
  handover: Handover<Taken>,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
  { untilMs, lost: before }: { untilMs: number; lost: BaseError | undefined },
): AsyncGenerator<Event, Taken> {
  let lost = before;
  let hasLeft = before !== undefined;
  let isRefused = false;
  if (before) {
    yield { type: 'asking', summary: handover.resumed, why: before.message };
    const taken = yield* handover.look({ attempt: 0, failure: undefined, lost });
    if (taken !== undefined) return taken;
  }
  for (let attempt = 0; attempt < maxAttempts && !isRefused && (await handover.mayPost(attempt)); attempt++) {
    const posted = await handover.post().catch((error: unknown) => {
      throw signal.aborted ? handover.unknown(lost) : error;
    });
    if (posted.verdict === 'taken') return posted.taken;
    if (posted.verdict === 'withheld' && lost === undefined) throw posted.error;
    if (signal.aborted) throw handover.unknown(lost);
    isRefused = posted.verdict === 'refused';
    hasLeft ||= posted.verdict !== 'unsent';
    const found = yield* handover.look({ attempt, failure: posted, lost });
    if (found !== undefined) return found;
    lost = isRefused ? (lost ?? posted.error) : posted.error;
  }
  // Bytes that never left this machine moved nothing, so there is nothing to look for.
  if (!hasLeft && lost) throw lost;
  // If there is no time left to see them become void, there is nothing to wait for.
  if (handover.voidFromMs > untilMs && (isRefused || !handover.mayAppear)) throw handover.unknown(lost);
  const waiting = handover.waiting?.();
  if (waiting) yield waiting;
  for (let attempt = maxAttempts; ; attempt++) {
    const late = yield* handover.look({ attempt, failure: undefined, lost });
    if (late !== undefined) return late;
    const end = await handover.voidBy(lost);
    if (end) throw end;
    if (clock.now() >= untilMs) throw handover.unknown(lost);
  }
}
