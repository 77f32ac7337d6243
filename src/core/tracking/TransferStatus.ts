/** Where a transfer is: the service's status words, what they mean for the money, and how answers add up. */
import type * as StatusV3 from '../api/StatusV3.js';
import type { Code, Funds } from '../base/Errors.js';

/** What is known of a request. */
export type Progress = {
  requestId: string;
  /** As the service says it; unknown words are kept. */
  status: string;
  /** What the service adds in words. */
  details: string | null;
  failReason: string | null;
  refundFailReason: string | null;
  originChainId: number | null;
  destinationChainId: number | null;
  inTxHashes: readonly string[];
  outTxHashes: readonly string[];
  /** Unix time in milliseconds, by the service's clock. */
  updatedAt: number | null;
  /** The status words seen, in order, without repeats. */
  seen: readonly string[];
};

type Meaning = { terminal: boolean; funds: Funds; code: Code | undefined; words: string };

const meanings: Readonly<Record<string, Meaning>> = {
  unknown: { terminal: false, funds: 'unknown', code: undefined, words: 'not known to the service yet' },
  waiting: { terminal: false, funds: 'untouched', code: undefined, words: 'waiting for the deposit' },
  depositing: { terminal: false, funds: 'in-flight', code: undefined, words: 'deposit confirmed' },
  pending: { terminal: false, funds: 'in-flight', code: undefined, words: 'deposit seen, preparing the fill' },
  submitted: { terminal: false, funds: 'in-flight', code: undefined, words: 'fill sent' },
  delayed: { terminal: false, funds: 'in-flight', code: undefined, words: 'delayed by the service' },
  success: { terminal: true, funds: 'delivered', code: undefined, words: 'delivered' },
  refund: { terminal: true, funds: 'returned', code: 'track.refunded', words: 'refunded' },
  refunded: { terminal: true, funds: 'returned', code: 'track.refunded', words: 'refunded' },
  failure: { terminal: true, funds: 'held', code: 'track.failed', words: 'failed' },
};

/** The way to success. */
const course: readonly string[] = ['waiting', 'depositing', 'pending', 'submitted', 'success'];

/** Nothing known yet. */
export function from(requestId: string): Progress {
  return {
    requestId,
    status: 'unknown',
    details: null,
    failReason: null,
    refundFailReason: null,
    originChainId: null,
    destinationChainId: null,
    inTxHashes: [],
    outTxHashes: [],
    updatedAt: null,
    seen: [],
  };
}

/** What is known after one more answer of the status endpoint. */
export function reduce(progress: Progress, answer: StatusV3.Response): Progress {
  const seen = progress.seen.at(-1) === answer.status ? progress.seen : [...progress.seen, answer.status];
  return {
    requestId: progress.requestId,
    status: answer.status,
    details: answer.details ?? null,
    failReason: reason(answer.failReason),
    refundFailReason: reason(answer.refundFailReason),
    originChainId: answer.originChainId ?? progress.originChainId,
    destinationChainId: answer.destinationChainId ?? progress.destinationChainId,
    inTxHashes: answer.inTxHashes ?? progress.inTxHashes,
    outTxHashes: answer.txHashes ?? progress.outTxHashes,
    updatedAt: answer.updatedAt ?? progress.updatedAt,
    seen,
  };
}

/** Whether nothing more will happen. An unknown word is never terminal. */
export function isTerminal({ status }: Pick<Progress, 'status'>): boolean {
  return meaning(status).terminal;
}

/** Whether the service has the deposit: its transaction alone may be known before it is mined. */
export function isDeposited({ status }: Pick<Progress, 'status'>): boolean {
  return !['unknown', 'waiting', 'depositing'].includes(status);
}

/** Whether two words say the same: `refunded` is an older one for `refund`. */
export function isSame(status: string, state: string): boolean {
  return status === state || (isRefund(status) && isRefund(state));
}

/** Whether a state was reached or passed on the way to success: a poll may miss what lasts for an instant. */
export function hasReached({ status }: Pick<Progress, 'status'>, state: string): boolean {
  const [at, wanted] = [course.indexOf(status), course.indexOf(state)];
  return isSame(status, state) || (wanted >= 0 && at > wanted);
}

/** Where the money is, by the service's word. */
export function fundsOf({ status }: Pick<Progress, 'status'>): Funds {
  return meaning(status).funds;
}

/** The code that a status ends with; undefined for success and for what is not finished. */
export function codeOf({ status }: Pick<Progress, 'status'>): Code | undefined {
  return meaning(status).code;
}

/** The status in a few plain words. */
export function inWords({ status }: Pick<Progress, 'status'>): string {
  return meaning(status).words;
}

/** How long to wait before asking again: quick at first, then once a second as the service advises. */
export function pollDelayMs(attempt: number): number {
  return Math.min(1000, Math.round(50 * 1.35 ** attempt));
}

function meaning(status: string): Meaning {
  return (
    (Object.hasOwn(meanings, status) ? meanings[status] : undefined) ?? {
      terminal: false,
      funds: 'in-flight',
      code: undefined,
      words: 'a status that ferry does not know',
    }
  );
}

function isRefund(status: string): boolean {
  return status === 'refund' || status === 'refunded';
}

/** The service writes "N/A" where there is no reason. */
function reason(text: string | null | undefined): string | null {
  return text === undefined || text === null || text === 'N/A' ? null : text;
}
