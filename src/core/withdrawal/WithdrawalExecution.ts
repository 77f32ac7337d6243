/**
 * Executes a withdrawal: one venue transfer, signed by the account's API key and by the wallet that owns it, submitted
 * once, followed by its own hash and then by the service's status. Nothing is signed twice, whatever happens to the
 * venue's response: only the same bytes are ever submitted again.
 *
 * That a transfer failed is the venue's word alone. It counts once the service, told of the transfer, has not received
 * it either. A refused one counts as untouched once it has expired, is not there, and its nonce is unused or was used
 * by another.
 */

import * as VenueTransaction from '../accounts/VenueTransaction.js';
import type { BaseError } from '../base/Errors.js';
import type { Event } from '../event/Event.js';
import * as Arrival from '../execution/Arrival.js';
import { followed, type Outcome, type Patience } from '../execution/Execution.js';
import type * as Plan from '../execution/Plan.js';
import { InterruptedError } from '../execution/TransactionSettlement.js';
import type { Chain, Clock, Counted, PaymentReader, Service, Turn, Venue } from '../ports/Ports.js';
import type { Head, JournalWriter } from '../tracking/Journal.js';
import * as Polling from '../tracking/Polling.js';
import * as TransferStatus from '../tracking/TransferStatus.js';
import * as WithdrawalFailure from './WithdrawalFailure.js';
import type * as WithdrawalSigning from './WithdrawalSigning.js';

/** The ports needed to execute a withdrawal. */
export type World = {
  service: Service;
  venue: Venue;
  /** The node of the destination chain; undefined if none is configured. */
  destination: Chain | undefined;
  /** Reads arrivals on a destination of another kind; undefined if there is none to ask. */
  receiver?: PaymentReader | undefined;
  /** The turn for the API key's nonces, held by the caller; released once the transfer is executed. */
  turn: Turn;
  /** Written to before each action. */
  journal: JournalWriter;
  /** The destination's head that an earlier process journaled; undefined if there is none. */
  head?: Head | undefined;
  counted: Counted;
  clock: Clock;
  signal: AbortSignal;
  warn(text: string): void;
};

/** Number of times the same bytes are submitted before the outcome counts as unknown. */
const maxAttempts = 4;

/**
 * Journals a signed transfer, submits it to the venue and follows it.
 *
 * @throws submit.venue-refused · submit.venue-failed · submit.expired if nothing moved, submit.unknown, track.*
 */
export async function* run(
  plan: Plan.VenuePlan,
  signed: WithdrawalSigning.Signed,
  world: World,
  patience: Patience,
): AsyncGenerator<Event, Outcome> {
  const startedAt = world.clock.now();
  const { txHash, txInfo, publicKey, signingChainId } = signed;
  const head = await Arrival.noteHead(plan, world);
  await world.journal.append({ type: 'signed-transfer', txInfo, txHash, publicKey, signingChainId }, world.turn);
  const untilMs = startedAt + patience.timeoutMs;
  const beside = serviceBeside(plan, signed, world, patience);
  yield* submit(plan, signed, world, { untilMs, lost: undefined, beside });
  return yield* follow(plan, signed, { ...world, head }, { patience, startedAt, beside });
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
  world: World,
  patience: Patience,
): AsyncGenerator<Event, Outcome> {
  const startedAt = world.clock.now();
  const untilMs = startedAt + patience.timeoutMs;
  const lost = new InterruptedError(plan.requestId, signed.txHash);
  const beside = serviceBeside(plan, signed, world, patience);
  if (yield* wasSubmitted(plan, signed, world, lost)) await awaitExecuted(plan, signed, world, { untilMs, beside });
  else yield* submit(plan, signed, world, { untilMs, lost, beside });
  return yield* follow(plan, signed, world, { patience, startedAt, beside });
}

/** Follows the request once the venue has executed the transfer. */
async function* follow(
  plan: Plan.Restored,
  signed: WithdrawalSigning.Signed,
  world: World,
  { patience, startedAt, beside }: { patience: Patience; startedAt: number; beside: Beside },
): AsyncGenerator<Event, Outcome> {
  const { txHash } = signed;
  await world.journal.append({ type: 'request', requestId: plan.requestId });
  world.turn.release();
  yield { type: 'venue-executed', summary: 'The venue has executed the transfer', txHash };
  const telling = beside.tell();
  try {
    const transactions = [{ action: 'transfer' as const, txHash, gasUsed: 0n, gasCost: 0n }];
    const sent = { transactions, gasCost: signed.transfer.usdcFee, txHash, asked: beside.asked(), startedAt };
    return yield* followed(plan, sent, { origin: undefined, ...world }, patience);
  } finally {
    await telling;
  }
}

/** The service, which is told of the transfer and asked about it while the venue executes it. */
type Beside = {
  /** To be called with each look at the venue. */
  look(): void;
  /** Tells the service of the executed transfer, unless it was told with the look that showed it. Warns if it cannot. */
  tell(): Promise<void>;
  /** The status, if it was asked for with the look that showed the transfer. */
  asked(): ReturnType<Service['status']> | undefined;
};

function serviceBeside(
  { requestId, intent }: Plan.Restored,
  { txHash }: WithdrawalSigning.Signed,
  { service, warn }: World,
  { wait }: Pick<Patience, 'wait'>,
): Beside {
  const index = (): Promise<void> =>
    service.indexTransaction({ requestId, chainId: String(intent.origin.chain.id), txHash });
  let looks = 0;
  let telling: Promise<boolean> | undefined;
  let status: ReturnType<Beside['asked']>;
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
      // The service may look only once, and what the venue has not executed yet it does not find.
      if (looks === 1 && (await telling)) return;
      await index().catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        warn(`The transfer could not be reported to the service (${why}), which will find it at the venue.`);
      });
    },
    asked: () => (looks === 1 ? status : undefined),
  };
}

/** How long the venue is waited for, and who is asked meanwhile. */
type Waiting = { untilMs: number; beside: Beside };

/** Whether an earlier process submitted the transfer, as far as the venue shows. */
async function* wasSubmitted(
  plan: Plan.Restored,
  signed: WithdrawalSigning.Signed,
  world: World,
  lost: BaseError,
): AsyncGenerator<Event, boolean> {
  yield { type: 'asking', summary: 'Checking the transfer with the venue', why: lost.message };
  if ((await look(signed, world, { looks: 2, pace: 0, plan, lost })) !== 'there') return false;
  yield { type: 'venue-sent', summary: plan.transfer?.summary ?? '', txHash: signed.txHash };
  return true;
}

/** Submits the bytes, and returns once the sequencer has executed them. */
async function* submit(
  plan: Plan.Restored,
  signed: WithdrawalSigning.Signed,
  world: World,
  { untilMs, lost: before, beside }: Waiting & { lost: BaseError | undefined },
): AsyncGenerator<Event, void> {
  const { venue, signal, clock } = world;
  const { txHash, txInfo } = signed;
  const unknown = (cause: BaseError | undefined): BaseError =>
    new WithdrawalFailure.UnknownTransferError(plan, signed, { cause, nowMs: clock.now() });
  let lost = before;
  let mayBeThere = before !== undefined;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    if (signal.aborted) throw mayBeThere ? unknown(lost) : signal.reason;
    const sending = await venue.send(txInfo).catch((error: unknown) => {
      if (signal.aborted) throw unknown(lost);
      throw error;
    });
    if (sending.verdict === 'accepted') {
      if (sending.hash.toLowerCase() !== txHash)
        world.warn(`The venue reports the hash ${sending.hash} for the transfer, not ${txHash}.`);
      yield { type: 'venue-sent', summary: plan.transfer?.summary ?? '', txHash };
      return await awaitExecuted(plan, signed, world, { untilMs, beside });
    }
    // A refusal may concern bytes that were accepted before, with a lost response or by a duplicate on the way.
    const isRefused = sending.verdict === 'refused';
    const used = isRefused ? await nonceOf(signed, world) : undefined;
    const seen = await look(signed, world, { looks: 4, pace: attempt, plan, lost: lost ?? sending.error });
    if (seen === 'there') {
      yield { type: 'venue-sent', summary: plan.transfer?.summary ?? '', txHash };
      return await awaitExecuted(plan, signed, world, { untilMs, beside });
    }
    // That it refuses the bytes is no proof that it does not execute them. That others have used their nonce is one.
    if (isRefused && !lost && seen === 'absent' && used !== undefined && used > signed.transfer.nonce)
      throw WithdrawalFailure.withdrawalRefused(plan, sending);
    lost ??= sending.error;
    mayBeThere ||= sending.verdict !== 'unsent';
    if (isRefused) {
      yield { type: 'asking', summary: 'The venue refused the transfer, and has it', why: sending.error.message };
      // Without the time to see it expire there is nothing to wait for.
      if (signed.transfer.expiredAtMs + clockSkewMs > untilMs) throw unknown(lost);
      break;
    }
    const summary = 'The response was lost: checking the transfer with the venue';
    yield { type: 'asking', summary, why: sending.error.message };
    // While the nonce is unchanged, the venue has not accepted the bytes, and submitting them again is safe.
    if ((await nonceOf(signed, world)) !== signed.transfer.nonce) break;
  }
  // Bytes that never left this machine moved nothing, so there is nothing to look up.
  if (!mayBeThere && lost) throw lost;
  return await settle(plan, signed, world, { untilMs, lost, beside });
}

/** Waits until the sequencer has executed the accepted transfer. */
async function awaitExecuted(
  plan: Plan.Restored,
  signed: WithdrawalSigning.Signed,
  world: World,
  { untilMs, beside }: Waiting,
): Promise<void> {
  const { venue, clock, signal } = world;
  const unfinished = (): BaseError => WithdrawalFailure.notExecuted(plan, signed);
  const ask = async (): Promise<true | undefined> => {
    beside.look();
    const transaction = await find(signed, venue).catch(() => {
      if (signal.aborted) throw unfinished();
      return undefined;
    });
    if (transaction && VenueTransaction.isFailed(transaction)) {
      const seen = await seenByService(plan, signed, world, unfinished);
      if (seen === 'not paid') throw new WithdrawalFailure.FailedError(plan, signed, transaction.failure);
      const cause = new WithdrawalFailure.FailedError(plan, signed, transaction.failure);
      if (seen === 'unread')
        throw new WithdrawalFailure.UnknownTransferError(plan, signed, { cause, nowMs: clock.now() });
      world.warn('The venue says that the transfer failed, but the service has received it.');
      return true;
    }
    return transaction && VenueTransaction.isExecuted(transaction) ? true : undefined;
  };
  await Polling.pollUntil(ask, world, { timeoutMs: untilMs - clock.now() }, unfinished);
}

/**
 * Whether the service has received a transfer that the venue calls failed. The venue alone could say so of one that it
 * has executed, and the transfer would be made again. The service looks at once when it is told of a transfer.
 */
async function seenByService(
  { requestId, intent }: Plan.Restored,
  { txHash }: WithdrawalSigning.Signed,
  world: World,
  unfinished: () => BaseError,
): Promise<'paid' | 'not paid' | 'unread'> {
  const { service } = world;
  const chainId = String(intent.origin.chain.id);
  await service.indexTransaction({ requestId, chainId, txHash }).catch(() => undefined);
  let seen: 'not paid' | 'unread' = 'unread';
  const ask = async (): Promise<'paid' | undefined> => {
    const status = await service.status(requestId).catch(() => undefined);
    if (status && TransferStatus.isDeposited(status)) return 'paid';
    if (status) seen = 'not paid';
    return undefined;
  };
  await Polling.pause(Polling.delayMs(0), world, unfinished);
  const pace = { looks: serviceLooks, delayMs: (look: number) => Polling.delayMs(look + 1) };
  return Polling.pollUntil<'paid' | 'not paid' | 'unread'>(ask, world, pace, (why) =>
    why === 'late' ? seen : unfinished(),
  );
}

/** Number of times that the service is asked for a failed transfer, over about two seconds. */
const serviceLooks = 8;

/** Looks the transfer up by its hash, a few times, since the venue may be about to show it. */
async function look(
  signed: WithdrawalSigning.Signed,
  world: World,
  { looks, pace, plan, lost }: { looks: number; pace: number; plan: Plan.Restored; lost: BaseError | undefined },
): Promise<'there' | 'absent' | 'unread'> {
  let seen: 'absent' | 'unread' = 'unread';
  const ask = async (): Promise<'there' | undefined> => {
    const found = await find(signed, world.venue).then(
      (transaction) => (transaction ? 'there' : 'absent'),
      () => 'unread' as const,
    );
    if (found === 'there') return found;
    seen = found;
    return undefined;
  };
  const delayMs = (looked: number): number => Polling.delayMs(2 * looked + 2 + pace);
  return Polling.pollUntil<'there' | 'absent' | 'unread'>(ask, world, { looks, delayMs }, (why) =>
    why === 'late'
      ? seen
      : new WithdrawalFailure.UnknownTransferError(plan, signed, { cause: lost, nowMs: world.clock.now() }),
  );
}

/**
 * The transaction with the transfer's hash. The hash does not cover the memo: a transaction with a different memo is
 * that of another process, with the same numbers in the same millisecond.
 */
async function find(
  { txHash, transfer }: WithdrawalSigning.Signed,
  venue: Venue,
): Promise<Awaited<ReturnType<Venue['transaction']>>> {
  const found = await venue.transaction(txHash);
  const memo = found && VenueTransaction.transferOf(found)?.memo;
  return memo === undefined || memo === transfer.memo ? found : undefined;
}

async function nonceOf({ transfer }: WithdrawalSigning.Signed, { venue }: World): Promise<bigint | undefined> {
  return venue.nextNonce(Number(transfer.fromAccountIndex), transfer.apiKeyIndex).catch(() => undefined);
}

/** After lost responses: waits until the transfer appears or has expired with its nonce unused. @throws submit.* */
async function settle(
  plan: Plan.Restored,
  signed: WithdrawalSigning.Signed,
  world: World,
  { untilMs, lost, beside }: Waiting & { lost: BaseError | undefined },
): Promise<void> {
  const { clock } = world;
  let pace = 0;
  do {
    pace += 1;
    const seen = await look(signed, world, { looks: 2, pace, plan, lost });
    if (seen === 'there') return awaitExecuted(plan, signed, world, { untilMs, beside });
    if (seen === 'absent' && clock.now() > signed.transfer.expiredAtMs + clockSkewMs) {
      const nonce = await nonceOf(signed, world);
      if (nonce === signed.transfer.nonce) throw WithdrawalFailure.expiredTransfer(plan, signed);
    }
  } while (clock.now() < untilMs);
  throw new WithdrawalFailure.UnknownTransferError(plan, signed, { cause: lost, nowMs: clock.now() });
}

/** Allowance for a venue clock that is behind. */
const clockSkewMs = 2_000;
