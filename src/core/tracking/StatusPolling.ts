/** Follows a request by polling its status until it is final or the time limit is reached. */
import { BaseError } from '../base/Errors.js';
import type { Clock, Service } from '../ports/Ports.js';
import * as ShellCommand from '../text/ShellCommand.js';
import * as TerminalTime from '../text/TerminalTime.js';
import * as Polling from './Polling.js';
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

/** The ports needed to follow a request. */
export type Ports = {
  service: Pick<Service, 'status'>;
  clock: Clock;
  signal: AbortSignal;
  warn(text: string): void;
};

/** Time limit, polling interval and further conditions. */
export type Limits = {
  /** Counted from the call. */
  timeoutMs: number;
  /** Whether the caller has paid: then a service that has not seen the payment does not make the funds untouched. */
  isPaid?: boolean;
  /** The deposit's transaction, for error messages. */
  txHash?: string | undefined;
  /** Also return once this state is reached. If it is `refund`, a failure does not end the polling. */
  until?: string | undefined;
  /** An answer that has just been asked for; if it fails, the service is asked at once. */
  asked?: ReturnType<Service['status']> | undefined;
  /** What was known before; its status is not a change. */
  since?: TransferStatus.Progress | undefined;
  /** Polling interval; by default short at first, then a second. */
  intervalMs?: number | undefined;
  /**
   * For a deposit that the node reports as mined: called from time to time while the service has not seen it. An error
   * it throws ends the polling.
   */
  whileWaiting?: (() => Promise<void>) | undefined;
  /** The request that superseded another, if known. Throws only on abort. */
  successor?: ((requestId: string) => Promise<string | undefined>) | undefined;
};

/** Interval of the checks for a superseding request. */
const successorIntervalMs = 10_000;

/** Interval of the calls to `whileWaiting`. */
const waitingIntervalMs = 3_000;

/** How long polling continues after a failure, which may still become a refund. */
const failureGraceMs = 2500;

/**
 * Yields each change of status and returns the last one, which is that of the last request in a succession.
 *
 * @throws track.unfinished at the time limit or on Ctrl-C · submit.unknown if only the node shows the deposit
 */
export async function* run(
  requestId: string,
  { service, clock, signal, warn }: Ports,
  { timeoutMs, isPaid = false, txHash, until, intervalMs, successor, whileWaiting, asked, since }: Limits,
): AsyncGenerator<Update, TransferStatus.Progress> {
  const startedAt = clock.now();
  let progress = since ?? TransferStatus.from(requestId);
  let failedAt: number | undefined;
  let waitedAt = startedAt;
  let successorCheckedAt = Number.NEGATIVE_INFINITY;
  let warned = false;
  const unfinished = (): BaseError => unfinishedTransfer(progress, { txHash, isPaid }, clock.now() - startedAt);
  let ahead = asked?.catch(() => service.status(requestId));
  for (let attempt = 0; ; attempt++) {
    const before = progress;
    try {
      const answer = ahead ?? service.status(progress.requestId);
      ahead = undefined;
      progress = TransferStatus.reduce(progress, await answer);
    } catch (error) {
      if (signal.aborted) throw unfinished();
      if (!(error instanceof BaseError)) throw error;
      if (!warned) warn(`The status could not be read; ferry keeps trying: ${error.message}`);
      warned = true;
    }
    // A refund keeps its word when it is sent.
    const isNew =
      progress.seen.length > before.seen.length ||
      (progress.seen.length > 0 && TransferStatus.isTerminal(progress) !== TransferStatus.isTerminal(before));
    if (isNew) {
      attempt = 0;
      yield changed(progress);
    }
    if (until !== undefined && TransferStatus.hasReached(progress, until)) return progress;
    if (
      successor &&
      TransferStatus.fundsOf(progress) !== 'delivered' &&
      (isNew || clock.now() - successorCheckedAt > successorIntervalMs)
    ) {
      successorCheckedAt = clock.now();
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
    if (whileWaiting && !TransferStatus.isDeposited(progress) && clock.now() - waitedAt > waitingIntervalMs) {
      await whileWaiting();
      waitedAt = clock.now();
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
      throw whileWaiting && progress.status === 'waiting' ? unseen(progress, txHash) : unfinished();
    }
    const delayMs = intervalMs ?? Polling.delayMs(attempt);
    await Polling.pause(Math.min(delayMs, left), { clock, signal }, unfinished);
  }
}

/** The event of a status that is new. */
export function changed(progress: TransferStatus.Progress): Update {
  const { requestId, status } = progress;
  const [inTxHashes, outTxHashes] = [[...progress.inTxHashes], [...progress.outTxHashes]];
  return { type: 'status', requestId, status, words: TransferStatus.inWords(progress), inTxHashes, outTxHashes };
}

/** Polling for a refund continues after a failure, unless the service gives a reason why there will be none. */
function graceMs({ refundFailReason }: TransferStatus.Progress, until: string | undefined): number {
  return until === 'refund' && refundFailReason === null ? Number.POSITIVE_INFINITY : failureGraceMs;
}

/** The time limit was reached, or the caller aborted; a transfer that is paid continues by itself. */
function unfinishedTransfer(
  progress: TransferStatus.Progress,
  { txHash, isPaid = false }: Pick<Limits, 'txHash' | 'isPaid'>,
  elapsedMs: number,
): BaseError {
  const time = TerminalTime.elapsed(elapsedMs);
  const isAnswered = progress.seen.length > 0;
  const late = TransferStatus.isRefunding(progress)
    ? `The service has not sent the refund after ${time}.`
    : `The transfer is still ${progress.status} after ${time}.`;
  const message = isAnswered ? late : `The service has not said in ${time} what became of the transfer.`;
  const status = `${progress.status}: ${TransferStatus.inWords(progress)}`;
  const funds = TransferStatus.fundsOf(progress);
  const isUnpaid = funds === 'untouched' && !isPaid;
  return new BaseError('track.unfinished', message, {
    facts: [['status', isAnswered ? status : 'the service has not answered']],
    hint: isUnpaid
      ? 'The service has seen no payment. One that was just sent may not have reached it yet.'
      : 'It continues without ferry. Do not send it again.',
    next: ShellCommand.line`ferry status ${progress.requestId} --watch`,
    funds: isUnpaid || funds === 'unknown' ? funds : 'in-flight',
    requestId: progress.requestId,
    txHash,
  });
}

/** The node shows the deposit, but the service does not. */
function unseen({ requestId, status }: TransferStatus.Progress, txHash: string | undefined): BaseError {
  return new BaseError('submit.unknown', 'The node reports the deposit as mined, but the service has not seen it.', {
    facts: [['status', status]],
    hint: 'Look for the transaction with another node or in an explorer. Do not send it again.',
    next: ShellCommand.line`ferry status ${requestId} --watch`,
    requestId,
    txHash,
  });
}
