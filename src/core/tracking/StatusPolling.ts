/** Follows a request by polling its status until it is final or the time is up. */
import { BaseError } from '../base/Errors.js';
import type { Clock, Service } from '../ports/Ports.js';
import * as TransferStatus from './TransferStatus.js';

/** The status changed, or another request replaced the one that was followed. Both are members of the union in `Event`. */
export type Update =
  | {
      type: 'status';
      requestId: string;
      status: string;
      words: string;
      inTxHashes: string[];
      outTxHashes: string[];
    }
  | { type: 'superseded'; requestId: string; by: string };

/** What following takes of the world. */
export type World = {
  service: Pick<Service, 'status'>;
  clock: Clock;
  signal: AbortSignal;
  warn(text: string): void;
};

/** How long and how often, and where else it ends. */
export type Limits = {
  /** From now. */
  timeoutMs: number;
  /** The deposit's transaction, for the error. */
  txHash?: string | undefined;
  /** Ends where this state is reached, too. A failure is then not the end while a refund is what is waited for. */
  until?: string | undefined;
  /** Between two questions; undefined is quick at first, then once a second. */
  intervalMs?: number | undefined;
  /**
   * For a deposit that the node calls mined: done now and then while the service has not seen it. Throws what ends the
   * following.
   */
  whileWaiting?: (() => Promise<void>) | undefined;
  /** The request that took the place of another, where that is told. Never throws but for an abort. */
  successor?: ((requestId: string) => Promise<string | undefined>) | undefined;
};

/** How often it is asked whether another request took its place. */
const successorMs = 10_000;

/** How often it is looked what keeps the deposit from being seen. */
const vigilMs = 3_000;

/** How long a failure is watched on: it may still turn into a refund. */
const failureGraceMs = 2500;

/**
 * Yields each change of status and returns the last one, which is of the request that took the last place.
 *
 * @throws track.unfinished when the time is up or on Ctrl-C · submit.unknown where the node alone says that it was paid
 */
export async function* run(
  requestId: string,
  { service, clock, signal, warn }: World,
  { timeoutMs, txHash, until, intervalMs, successor, whileWaiting }: Limits,
): AsyncGenerator<Update, TransferStatus.Progress> {
  const startedAt = clock.now();
  let progress = TransferStatus.from(requestId);
  let failedAt: number | undefined;
  let keptAt = startedAt;
  let succeededAt = Number.NEGATIVE_INFINITY;
  let warned = false;
  const unfinished = (): UnfinishedTransferError =>
    new UnfinishedTransferError(progress, txHash, clock.now() - startedAt);
  for (let attempt = 0; ; attempt++) {
    const before = progress;
    try {
      progress = TransferStatus.reduce(progress, await service.status(progress.requestId));
    } catch (error) {
      if (signal.aborted) throw unfinished();
      if (!(error instanceof BaseError)) throw error;
      if (!warned) warn(`The status could not be read, ferry keeps asking: ${error.message}`);
      warned = true;
    }
    const isNew = progress.seen.length > before.seen.length;
    if (isNew) {
      attempt = 0;
      yield changed(progress);
    }
    if (until !== undefined && TransferStatus.hasReached(progress, until)) return progress;
    if (
      successor &&
      TransferStatus.fundsOf(progress) !== 'delivered' &&
      (isNew || clock.now() - succeededAt > successorMs)
    ) {
      succeededAt = clock.now();
      const by = await successor(progress.requestId).catch((error: unknown) => {
        throw signal.aborted ? unfinished() : error;
      });
      if (by !== undefined) {
        yield { type: 'superseded', requestId: progress.requestId, by };
        progress = TransferStatus.from(by);
        failedAt = undefined;
        continue;
      }
    }
    if (whileWaiting && !TransferStatus.isDeposited(progress) && clock.now() - keptAt > vigilMs) {
      await whileWaiting();
      keptAt = clock.now();
    }
    failedAt = progress.status === 'failure' ? (failedAt ?? clock.now()) : undefined;
    if (
      TransferStatus.isTerminal(progress) &&
      (failedAt === undefined || clock.now() - failedAt >= graceMs(progress, until))
    )
      return progress;
    const left = startedAt + timeoutMs - clock.now();
    if (left <= 0) {
      if (failedAt !== undefined) return progress;
      throw whileWaiting && progress.status === 'waiting' ? new UnseenError(progress, txHash) : unfinished();
    }
    const delayMs = intervalMs ?? TransferStatus.pollDelayMs(attempt);
    await interruptible(clock.sleep(Math.min(delayMs, left), signal), unfinished);
  }
}

function changed(progress: TransferStatus.Progress): Update {
  const { requestId, status } = progress;
  const [inTxHashes, outTxHashes] = [[...progress.inTxHashes], [...progress.outTxHashes]];
  return { type: 'status', requestId, status, words: TransferStatus.inWords(progress), inTxHashes, outTxHashes };
}

/** Whoever waits for a refund waits on, unless the service says why there will be none. */
function graceMs({ refundFailReason }: TransferStatus.Progress, until: string | undefined): number {
  return until === 'refund' && refundFailReason === null ? Number.POSITIVE_INFINITY : failureGraceMs;
}

/** Ctrl-C while waiting says where the money is, not only that it was pressed. */
export async function interruptible(wait: Promise<void>, explain: () => BaseError): Promise<void> {
  await wait.catch(() => {
    throw explain();
  });
}

/** The time was up, or the caller stopped it, before the end: the transfer goes on by itself. */
export class UnfinishedTransferError extends BaseError {
  override name = 'UnfinishedTransferError';
  constructor(progress: TransferStatus.Progress, txHash: string | undefined, elapsedMs: number) {
    super('track.unfinished', `The transfer is still ${progress.status} after ${Math.round(elapsedMs / 1000)} s.`, {
      facts: [['status', `${progress.status}: ${TransferStatus.inWords(progress)}`]],
      hint: 'It goes on without ferry. Do not send it again.',
      next: `ferry status ${progress.requestId} --watch`,
      funds: TransferStatus.fundsOf(progress) === 'unknown' ? 'unknown' : 'in-flight',
      requestId: progress.requestId,
      txHash,
    });
  }
}

/** Two witnesses that disagree. */
export class UnseenError extends BaseError {
  override name = 'UnseenError';
  constructor({ requestId, status }: TransferStatus.Progress, txHash: string | undefined) {
    super('submit.unknown', 'The node says that the deposit is mined, and the service has not seen it.', {
      facts: [['status', status]],
      hint: 'Look for the transaction with another node or in an explorer. Do not send it again.',
      next: `ferry status ${requestId} --watch`,
      requestId,
      txHash,
    });
  }
}
