/** Follows a request by polling its status until it is final or the time is up. */
import { BaseError } from './Errors.js';
import type { Clock, Service } from './Ports.js';
import * as Progress from './Progress.js';

/** The status changed. */
export type Event = {
  type: 'status';
  requestId: string;
  status: string;
  words: string;
  inTxHashes: readonly string[];
  outTxHashes: readonly string[];
};

export type World = {
  service: Pick<Service, 'status'>;
  clock: Clock;
  signal: AbortSignal;
  warn(text: string): void;
};

export type Limits = {
  /** From now. */
  timeoutMs: number;
  /** The deposit's transaction, for the error. */
  txHash?: string | undefined;
};

/** How long a failure is watched on: it may still turn into a refund. */
const failureGraceMs = 2500;

/**
 * Yields each change of status and returns the last one.
 *
 * @throws track.unfinished when the time is up or on Ctrl-C
 */
export async function* run(
  requestId: string,
  { service, clock, signal, warn }: World,
  { timeoutMs, txHash }: Limits,
): AsyncGenerator<Event, Progress.Progress> {
  const startedAt = clock.now();
  let progress = Progress.from(requestId);
  let failedAt: number | undefined;
  let warned = false;
  const unfinished = (): UnfinishedError => new UnfinishedError(progress, txHash, clock.now() - startedAt);
  for (let attempt = 0; ; attempt++) {
    const before = progress;
    try {
      progress = Progress.reduce(progress, await service.status(requestId));
    } catch (error) {
      if (signal.aborted) throw unfinished();
      if (!(error instanceof BaseError)) throw error;
      if (!warned) warn(`The status could not be read, ferry keeps asking: ${error.message}`);
      warned = true;
    }
    if (progress.seen.length > before.seen.length) {
      attempt = 0;
      yield {
        type: 'status',
        requestId,
        status: progress.status,
        words: Progress.inWords(progress),
        inTxHashes: progress.inTxHashes,
        outTxHashes: progress.outTxHashes,
      };
    }
    failedAt = progress.status === 'failure' ? (failedAt ?? clock.now()) : undefined;
    if (Progress.isTerminal(progress) && (failedAt === undefined || clock.now() - failedAt >= failureGraceMs))
      return progress;
    const left = startedAt + timeoutMs - clock.now();
    if (left <= 0) {
      if (failedAt !== undefined) return progress;
      throw unfinished();
    }
    await interruptible(clock.sleep(Math.min(Progress.pollDelayMs(attempt), left), signal), unfinished);
  }
}

/** Ctrl-C while waiting says where the money is, not only that it was pressed. */
export async function interruptible(wait: Promise<void>, explain: () => BaseError): Promise<void> {
  await wait.catch(() => {
    throw explain();
  });
}

export class UnfinishedError extends BaseError {
  override name = 'UnfinishedError';
  constructor(progress: Progress.Progress, txHash: string | undefined, elapsedMs: number) {
    super('track.unfinished', `The transfer is still ${progress.status} after ${Math.round(elapsedMs / 1000)} s.`, {
      facts: [['status', `${progress.status}: ${Progress.inWords(progress)}`]],
      hint: 'It goes on without ferry. Do not send it again.',
      next: `ferry status ${progress.requestId} --watch`,
      funds: Progress.fundsOf(progress) === 'unknown' ? 'unknown' : 'in-flight',
      requestId: progress.requestId,
      txHash,
    });
  }
}
