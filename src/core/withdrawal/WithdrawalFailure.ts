/** Errors of a transfer that the venue did not execute, or may not have. */
import * as Amount from '../base/Amount.js';
import { BaseError } from '../base/Errors.js';
import type * as Plan from '../execution/Plan.js';
import type { VenueSending } from '../ports/Ports.js';
import * as Deadline from '../text/Deadline.js';
import * as ShellCommand from '../text/ShellCommand.js';
import type * as WithdrawalSigning from './WithdrawalSigning.js';

/** The venue's error number for a used nonce. */
const nonceTaken = 21_104;

type Refusal = Exclude<VenueSending, { verdict: 'accepted' }>;

const restart = 'You can start the withdrawal again.';

/** The venue refused the transfer, and another one has used its nonce since: it can never be executed. */
export function withdrawalRefused({ requestId }: Plan.Restored, { error: cause, venueCode }: Refusal): BaseError {
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
export function failedTransfer(
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
export function expiredTransfer({ requestId }: Plan.Restored, { txHash }: WithdrawalSigning.Signed): BaseError {
  return new BaseError(
    'submit.expired',
    'The venue did not accept the transfer, and it expired unused: no funds moved.',
    {
      hint: restart,
      requestId,
      txHash,
    },
  );
}

/** The venue accepted the transfer, and has not executed it in time. */
export function notExecuted({ requestId }: Plan.Restored, { txHash, transfer }: WithdrawalSigning.Signed): BaseError {
  return new BaseError('track.unfinished', 'The venue accepted the transfer and has not executed it yet.', {
    facts: [['account', String(transfer.fromAccountIndex)]],
    hint: 'Do not send it again: it may still be executed.',
    next: ShellCommand.line`ferry status ${requestId} --watch`,
    requestId,
    txHash,
  });
}

/** The venue may have accepted the transfer. */
export function unknownTransfer(
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
      ['at stake', `${Amount.format(transfer.amount, token.decimals)} ${token.symbol} and the fee`],
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
