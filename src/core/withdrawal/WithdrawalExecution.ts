/**
 * Executes a withdrawal: one venue transfer, signed by the account's API key and by the wallet that owns it, submitted
 * once, followed by its own hash and then by the service's status. Nothing is signed twice, whatever happens to the
 * venue's response: only the same bytes are ever submitted again.
 *
 * Only the venue can say that a transfer failed, or that it has none. It is believed once the service, told of the
 * transfer, has not received it either. A transfer that the venue does not show counts as untouched once it has expired,
 * or was refused and another one has used its nonce.
 *
 * What this cannot detect: a venue that calls a transfer failed or refused which it still holds, and executes it later.
 */

import * as VenueTransaction from '../accounts/VenueTransaction.js';
import { BaseError } from '../base/Errors.js';
import type { Event } from '../event/Event.js';
import * as Arrival from '../execution/Arrival.js';
import { type AnyOrigin, followed, type Outcome, type Patience } from '../execution/Following.js';
import type * as Plan from '../execution/Plan.js';
import * as Submission from '../execution/Submission.js';
import { interrupted } from '../execution/TransactionSettlement.js';
import type { Service, Turn, Venue, VenueSending } from '../ports/Ports.js';
import * as Currency from '../quote/Currency.js';
import * as Deadline from '../text/Deadline.js';
import * as ShellCommand from '../text/ShellCommand.js';
import * as Polling from '../tracking/Polling.js';
import * as TransferStatus from '../tracking/TransferStatus.js';
import type * as WithdrawalSigning from './WithdrawalSigning.js';

/** The ports needed to execute a withdrawal. */
export type Ports = Omit<AnyOrigin, 'origin' | 'venue'> & {
  venue: Venue;
  /** The turn for the API key's nonces, held by the caller; released once the transfer is executed. */
  turn: Turn;
  /** Called once the venue has executed the transfer. */
  onExecuted?: (() => void) | undefined;
};

/**
 * Journals a signed transfer, submits it to the venue and follows it.
 *
 * @param tip the destination's last block, if it was read just now
 * @throws submit.venue-refused · submit.venue-failed · submit.expired if nothing moved, submit.unknown, track.*
 */
export async function* run(
  plan: Plan.VenuePlan,
  signed: WithdrawalSigning.Signed,
  ports: Ports,
  patience: Patience,
  tip?: bigint | undefined,
): AsyncGenerator<Event, Outcome> {
  const startedAt = ports.clock.now();
  const { txHash, txInfo, publicKey, signingChainId } = signed;
  const head = await Arrival.noteHead(plan, ports, tip);
  await ports.journal.append({ type: 'signed-transfer', txInfo, txHash, publicKey, signingChainId }, ports.turn);
  return yield* submitAndFollow(plan, signed, { ...ports, head }, { patience, startedAt, lost: undefined });
}

/**
 * Finishes a transfer that an earlier process signed and may have submitted: the venue is asked for it first. Signs
 * nothing.
 *
 * @throws submit.venue-refused · submit.venue-failed · submit.expired if nothing moved, submit.unknown, track.*
 */
export async function* finish(
  plan: Plan.Restored,
  signed: WithdrawalSigning.Signed,
  ports: Ports,
  patience: Patience,
): AsyncGenerator<Event, Outcome> {
  const lost = interrupted(plan.requestId, signed.txHash);
  return yield* submitAndFollow(plan, signed, ports, { patience, startedAt: ports.clock.now(), lost });
}

async function* submitAndFollow(
  plan: Plan.Restored,
  signed: WithdrawalSigning.Signed,
  ports: Ports,
  { patience, startedAt, lost }: { patience: Patience; startedAt: number; lost: BaseError | undefined },
): AsyncGenerator<Event, Outcome> {
  const untilMs = startedAt + patience.timeoutMs;
  const reporting = reportingTo(plan, signed, ports, patience);
  yield* Submission.submitOnce(handoverOf(plan, signed, ports), ports, { untilMs, lost });
  yield { type: 'venue-sent', summary: plan.transfer?.summary ?? '', txHash: signed.txHash };
  const failure = await awaitExecuted(plan, signed, ports, { untilMs, reporting });
  if (!failure) yield { type: 'venue-executed', summary: 'The venue has executed the transfer', txHash: signed.txHash };
  try {
    return yield* follow(plan, signed, ports, { patience, startedAt, reporting });
  } catch (error) {
    // The service may hold what it says that it has received, or may never have had it.
    if (!failure || !(error instanceof BaseError && error.code === 'track.failed')) throw error;
    throw unknownTransfer(plan, signed, { cause: failure, nowMs: nowOf(ports) });
  }
}

/** Follows the request once the venue has executed the transfer, or the service has received it. */
async function* follow(
  plan: Plan.Restored,
  signed: WithdrawalSigning.Signed,
  ports: Ports,
  { patience, startedAt, reporting }: { patience: Patience; startedAt: number; reporting: ServiceReport },
): AsyncGenerator<Event, Outcome> {
  const { txHash } = signed;
  await ports.journal.append({ type: 'request', requestId: plan.requestId });
  ports.turn.release();
  ports.onExecuted?.();
  const telling = reporting.tell();
  try {
    const transactions = [{ action: 'transfer' as const, txHash, gasUsed: 0n, gasCost: 0n }];
    const sent = { transactions, gasCost: signed.transfer.usdcFee, asked: reporting.asked(), startedAt };
    return yield* followed(plan, sent, { origin: undefined, ...ports }, patience);
  } finally {
    await telling;
  }
}

/** The service, which is told of the transfer and asked about it while the venue executes it. */
type ServiceReport = {
  /** To be called with each look at the venue. */
  look(): void;
  /** Tells the service of the executed transfer, unless it was told with the look that showed it. Warns if it cannot. */
  tell(): Promise<void>;
  /** The status, if it was asked for with the look that showed the transfer. */
  asked(): ReturnType<Service['status']> | undefined;
};

function reportingTo(
  { requestId, intent }: Plan.Restored,
  { txHash }: WithdrawalSigning.Signed,
  { service, warn }: Ports,
  { wait }: Pick<Patience, 'wait'>,
): ServiceReport {
  const index = (): Promise<void> =>
    service.indexTransaction({ requestId, chainId: String(intent.origin.chain.id), txHash });
  let looks = 0;
  let telling: Promise<boolean> | undefined;
  let status: ReturnType<ServiceReport['asked']>;
  return {
    look() {
      looks += 1;
      if (looks > 1) return;
      telling = index().then(
        () => true,
        () => false,
      );
      status = wait ? service.status(requestId) : undefined;
      status?.catch(() => {});
    },
    async tell() {
      // The service may look only once, and would not find a transfer that the venue has not executed yet.
      if (looks === 1 && (await telling)) return;
      await index().catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        warn(`The transfer could not be reported to the service (${why}), which will find it at the venue.`);
      });
    },
    asked: () => (looks === 1 ? status : undefined),
  };
}

/** How a transfer is handed to the venue. */
function handoverOf(plan: Plan.Restored, signed: WithdrawalSigning.Signed, ports: Ports): Submission.Handover<true> {
  const { venue, warn } = ports;
  const { txHash, txInfo, transfer } = signed;
  const unknown = (cause: BaseError | undefined): BaseError =>
    unknownTransfer(plan, signed, { cause, nowMs: nowOf(ports) });
  const isUnpaid = async (): Promise<boolean> =>
    (await seenByService(plan, signed, ports, () => unknown(undefined))) === 'not paid';
  let refusal: Exclude<VenueSending, { verdict: 'accepted' }> | undefined;
  let seen: Sighting = 'unread';
  return {
    resumed: 'Checking the transfer with the venue',
    async post() {
      const sending = await venue.send(txInfo);
      if (sending.verdict !== 'accepted') {
        refusal = sending.verdict === 'refused' ? sending : undefined;
        return { verdict: sending.verdict === 'open' ? 'lost' : sending.verdict, error: sending.error };
      }
      if (sending.hash.toLowerCase() !== txHash)
        warn(`The venue reports the hash ${sending.hash} for the transfer, not ${txHash}.`);
      return { verdict: 'taken', taken: true };
    },
    // While the nonce is unchanged, the venue has not accepted the bytes, and submitting them again is safe.
    mayPost: async (attempt) => attempt === 0 || (await nonceOf(signed, ports)) === transfer.nonce,
    async *look({ attempt, failure, lost }) {
      // A refusal may concern bytes that were accepted before, with a lost response or by a duplicate on the way.
      const used = failure && refusal ? await nonceOf(signed, ports) : undefined;
      const stopped = (): BaseError => unknown(lost ?? failure?.error);
      seen = await look(signed, ports, { looks: failure ? 4 : 2, from: attempt }, stopped);
      if (seen === 'there') return true;
      if (!failure) return undefined;
      // A refusal does not prove that the venue will not execute the bytes. Another transaction with their nonce does, but
      // the venue alone says that there is one.
      const isReplaced = !lost && seen === 'absent' && used !== undefined && used > transfer.nonce;
      if (refusal && isReplaced) {
        // Or this transfer has used it, if somebody on the way has submitted it twice: it is shown after a while.
        seen = await look(signed, ports, { timeoutMs: showingMs }, stopped);
        if (seen === 'there') return true;
        if (seen === 'absent' && (await isUnpaid())) throw withdrawalRefused(plan, refusal);
      }
      const summary = refusal
        ? 'The venue refused the transfer, and has it'
        : 'The response was lost: checking the transfer with the venue';
      yield { type: 'asking', summary, why: failure.error.message };
      return undefined;
    },
    voidFromMs: transfer.expiredAtMs + clockSkewMs,
    mayAppear: true,
    async voidBy() {
      const lateMs = (): number => nowOf(ports) - transfer.expiredAtMs;
      if (seen !== 'absent' || lateMs() <= clockSkewMs) return undefined;
      const nonce = await nonceOf(signed, ports);
      if (nonce === undefined) return undefined;
      const enoughMs = nonce === transfer.nonce ? clockSkewMs : nonce > transfer.nonce ? showingMs : behindMs;
      if (lateMs() <= enoughMs) return undefined;
      // This transfer may have used it: by now, the venue shows that.
      if (nonce !== transfer.nonce) seen = await look(signed, ports, { looks: 1 }, () => unknown(undefined));
      // The service's answer shows whether this clock is ahead.
      const isVoid = seen === 'absent' && (await isUnpaid()) && lateMs() > enoughMs;
      return isVoid ? expiredTransfer(plan, signed, nonce > transfer.nonce) : undefined;
    },
    unknown,
  };
}

/**
 * Waits until the sequencer has executed the accepted transfer.
 *
 * @returns undefined; the failure, if the venue says that it failed and the service that it has received it
 */
async function awaitExecuted(
  plan: Plan.Restored,
  signed: WithdrawalSigning.Signed,
  ports: Ports,
  { untilMs, reporting }: { untilMs: number; reporting: ServiceReport },
): Promise<BaseError | undefined> {
  const { venue, clock, signal } = ports;
  const unfinished = (): BaseError => notExecuted(plan, signed);
  const ask = async (): Promise<{ failure?: BaseError } | undefined> => {
    reporting.look();
    const transaction = await find(signed, venue).catch(() => {
      if (signal.aborted) throw unfinished();
      return undefined;
    });
    if (transaction && VenueTransaction.isFailed(transaction)) {
      const seen = await seenByService(plan, signed, ports, unfinished);
      const failure = failedTransfer(plan, signed, transaction.failure);
      if (seen === 'not paid') throw failure;
      if (seen === 'unread') throw unknownTransfer(plan, signed, { cause: failure, nowMs: nowOf(ports) });
      ports.warn('The venue says that the transfer failed, but the service has received it.');
      return { failure };
    }
    return transaction && VenueTransaction.isExecuted(transaction) ? {} : undefined;
  };
  const { failure } = await Polling.pollUntil(ask, ports, { timeoutMs: untilMs - clock.now() }, unfinished);
  return failure;
}

/**
 * Whether the service has received a transfer that the venue calls failed, or does not show. A venue that says so of an
 * executed transfer would have it made again. The service looks as soon as it is told of a transfer.
 */
async function seenByService(
  { requestId, intent }: Plan.Restored,
  { txHash }: WithdrawalSigning.Signed,
  ports: Ports,
  unfinished: () => BaseError,
): Promise<'paid' | 'not paid' | 'unread'> {
  const { service } = ports;
  const chainId = String(intent.origin.chain.id);
  await service.indexTransaction({ requestId, chainId, txHash }).catch(() => undefined);
  let seen: 'not paid' | 'unread' = 'unread';
  const ask = async (): Promise<'paid' | undefined> => {
    const status = await service.status(requestId).catch(() => undefined);
    if (!status) return undefined;
    // What failed at the service it may hold, or may never have had.
    const isFailed = status.status === 'failure';
    if (!isFailed && TransferStatus.isDeposited(status)) return 'paid';
    seen = isFailed ? 'unread' : 'not paid';
    return undefined;
  };
  await Polling.pause(Polling.delayMs(0), ports, unfinished);
  const pace = { looks: serviceLooks, delayMs: (look: number) => Polling.delayMs(look + 1) };
  return Polling.pollUntil<'paid' | 'not paid' | 'unread'>(ask, ports, pace, (why) =>
    why === 'late' ? seen : unfinished(),
  );
}

/** Number of times that the service is asked for such a transfer, over about two seconds. */
const serviceLooks = 8;

/** Whether the venue shows a transfer. */
type Sighting = 'there' | 'absent' | 'unread';

/** Looks the transfer up by its hash until the venue shows it. The pauses are those of the looks after `from`. */
async function look(
  signed: WithdrawalSigning.Signed,
  ports: Ports,
  { from = 0, ...limit }: { looks?: number; timeoutMs?: number; from?: number },
  stopped: () => BaseError,
): Promise<Sighting> {
  let seen: 'absent' | 'unread' = 'unread';
  const ask = async (): Promise<'there' | undefined> => {
    const found = await find(signed, ports.venue).then(
      (transaction) => (transaction ? 'there' : 'absent'),
      () => 'unread' as const,
    );
    if (found === 'there') return found;
    seen = found;
    return undefined;
  };
  const pace = { ...limit, delayMs: (looked: number) => Polling.delayMs(2 * looked + 2 + from) };
  return Polling.pollUntil<Sighting>(ask, ports, pace, (why) => (why === 'late' ? seen : stopped()));
}

/**
 * The transaction with the transfer's hash, which covers the memo no more than the wallet's signature covers the expiry.
 * Whoever has kept the wallet's signature of an earlier transfer with the same numbers can join it to this one's by the
 * API key: the account then pays, with the memo of the earlier one.
 *
 * @throws venue.malformed for a transaction with another memo
 */
async function find(
  { txHash, transfer }: WithdrawalSigning.Signed,
  venue: Venue,
): Promise<Awaited<ReturnType<Venue['transaction']>>> {
  const found = await venue.transaction(txHash);
  const memo = found && VenueTransaction.transferOf(found)?.memo;
  if (memo === undefined || memo === transfer.memo) return found;
  throw new BaseError('venue.malformed', 'The venue shows the transfer with another memo.', { txHash });
}

async function nonceOf({ transfer }: WithdrawalSigning.Signed, { venue }: Ports): Promise<bigint | undefined> {
  return venue.nextNonce(Number(transfer.fromAccountIndex), transfer.apiKeyIndex).catch(() => undefined);
}

/** Unix time in milliseconds, by the service's clock if this machine's is ahead: nothing is void because of that. */
function nowOf({ clock, service }: Pick<Ports, 'clock' | 'service'>): number {
  return clock.now() - Math.max(0, service.clockSkew?.()?.aheadMs ?? 0);
}

/** Allowance for a venue clock that is behind. */
const clockSkewMs = 2_000;

/** The longest that a venue takes to show by its hash what it has executed. */
const showingMs = 10_000;

/** The longest that a venue is behind which tells a nonce that is lower than the one before. */
const behindMs = 600_000;

/** The venue's error number for a used nonce. */
const nonceTaken = 21_104;

type Refusal = Exclude<VenueSending, { verdict: 'accepted' }>;

const restart = 'You can start the withdrawal again.';

/** The venue refused the transfer, and another one has used its nonce since: it can never be executed. */
function withdrawalRefused({ requestId }: Plan.Restored, { error: cause, venueCode }: Refusal): BaseError {
  const isBusy = cause.code === 'venue.rate-limited';
  return new BaseError(
    isBusy ? 'venue.rate-limited' : 'submit.venue-refused',
    'The venue refused the transfer: no funds moved.',
    {
      facts: [...cause.facts, ['its nonce', 'was used by another transaction']],
      hint: cause.hint ?? restart,
      retryable: isBusy || venueCode === nonceTaken,
      requestId,
      httpStatus: cause.httpStatus,
      cause,
    },
  );
}

/** The venue accepted the transfer, but its sequencer failed it. */
function failedTransfer(
  { requestId }: Plan.Restored,
  { txHash }: WithdrawalSigning.Signed,
  failure: string | undefined,
): BaseError {
  return new BaseError('submit.venue-failed', 'The venue accepted the transfer, which then failed: no funds moved.', {
    facts: failure === undefined ? [] : [['reason', failure]],
    hint: restart,
    requestId,
    txHash,
  });
}

/** The transfer was never accepted, and has expired. */
function expiredTransfer(
  { requestId }: Plan.Restored,
  { txHash }: WithdrawalSigning.Signed,
  isNonceUsed: boolean,
): BaseError {
  return new BaseError(
    'submit.expired',
    'The venue did not accept the transfer, and it expired unused: no funds moved.',
    {
      facts: isNonceUsed ? [['its nonce', 'was used by another transaction']] : [],
      hint: restart,
      requestId,
      txHash,
    },
  );
}

/** The venue accepted the transfer, and has not executed it in time. */
function notExecuted({ requestId }: Plan.Restored, { txHash, transfer }: WithdrawalSigning.Signed): BaseError {
  return new BaseError('track.unfinished', 'The venue accepted the transfer and has not executed it yet.', {
    facts: [['account', String(transfer.fromAccountIndex)]],
    hint: 'Do not send it again: it may still be executed.',
    next: ShellCommand.line`ferry status ${requestId} --watch`,
    requestId,
    txHash,
  });
}

/** The venue may have accepted the transfer. */
function unknownTransfer(
  plan: Plan.Restored,
  { txHash, transfer }: WithdrawalSigning.Signed,
  { cause, nowMs }: { cause: BaseError | undefined; nowMs: number },
): BaseError {
  const { token } = plan.intent.origin;
  const until = Deadline.until(transfer.expiredAtMs, nowMs);
  const words =
    nowMs < transfer.expiredAtMs
      ? `The outcome is unknown until ${until}: the venue can still execute the transfer.`
      : `The transfer was valid until ${until}, and the venue does not show yet that it was not executed.`;
  return new BaseError('submit.unknown', words, {
    facts: [
      ['at stake', `${Currency.inWords(transfer.amount, token)} and the fee`],
      ['valid until', new Date(transfer.expiredAtMs).toISOString()],
      ...(cause ? [['last answer', cause.message] as const, ...cause.facts] : []),
    ],
    hint: 'Do not start the withdrawal again until you know. A transfer at the venue cannot be canceled.',
    next: ShellCommand.line`ferry status ${plan.requestId} --watch`,
    requestId: plan.requestId,
    txHash,
    cause,
  });
}
