/**
 * The status of a transfer: the service's status words, what they mean for the funds, and a reducer of responses.
 *
 * By the specification `refund` is final. The live service says it before the refund is sent, so it counts as returned
 * once its transaction is known.
 */
import type * as StatusV3 from '../api/StatusV3.js';
import type { Code, Funds } from '../base/Errors.js';

/** The known state of a request. */
export type Progress = {
  requestId: string;
  /** The service's status word, kept as is if it is unknown. */
  status: string;
  /** The service's own explanation. */
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

/** What decides the meaning: a refund has happened only once its transaction is known. */
export type Stated = Pick<Progress, 'status' | 'outTxHashes'>;

type Meaning = { terminal: boolean; funds: Funds; code: Code | undefined; words: string };

const meanings: Readonly<Record<string, Meaning>> = {
  unknown: { terminal: false, funds: 'unknown', code: undefined, words: 'not known to the service yet' },
  waiting: { terminal: false, funds: 'untouched', code: undefined, words: 'the service has not seen the payment yet' },
  depositing: { terminal: false, funds: 'in-flight', code: undefined, words: 'the deposit is confirmed' },
  pending: {
    terminal: false,
    funds: 'in-flight',
    code: undefined,
    words: 'the service has the deposit and prepares the fill',
  },
  submitted: { terminal: false, funds: 'in-flight', code: undefined, words: 'the fill is sent' },
  delayed: { terminal: false, funds: 'in-flight', code: undefined, words: 'the fill takes longer than usual' },
  success: { terminal: true, funds: 'delivered', code: undefined, words: 'the service reports the delivery' },
  refund: { terminal: true, funds: 'returned', code: 'track.refunded', words: 'the service reports the refund' },
  refunded: { terminal: true, funds: 'returned', code: 'track.refunded', words: 'the service reports the refund' },
  failure: {
    terminal: true,
    funds: 'held',
    code: 'track.failed',
    words: 'the service could not fill it and holds the funds',
  },
};

/** The service says so before it has sent the refund. */
const refunding: Meaning = {
  terminal: false,
  funds: 'in-flight',
  code: undefined,
  words: 'to be refunded, the refund is not sent yet',
};

/** The states on the way to success, in order. */
const successPath: readonly string[] = ['waiting', 'depositing', 'pending', 'submitted', 'success'];

/** The initial state, with nothing known. */
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

/** The state after one more response of the status endpoint. */
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
    // Those of a failed fill are not the refund's.
    outTxHashes: answer.txHashes ?? (isRefund(answer.status) ? [] : progress.outTxHashes),
    updatedAt: answer.updatedAt ?? progress.updatedAt,
    seen,
  };
}

/** Whether the status is final. An unknown word never is. */
export function isTerminal(stated: Stated): boolean {
  return meaning(stated).terminal;
}

/** Whether the service has received the deposit, and does not only know of an unmined transaction. */
export function isDeposited({ status }: Pick<Progress, 'status'>): boolean {
  return !['unknown', 'waiting', 'depositing'].includes(status);
}

/** Whether the service has begun with a request. Of a transaction that is not mined yet it only knows the hash. */
export function hasBegun({ status, inTxHashes }: Pick<StatusV3.Response, 'status' | 'inTxHashes'>): boolean {
  return !['waiting', 'unknown'].includes(status) || (inTxHashes ?? []).length > 0;
}

/** Whether the service has decided on a refund and not sent it yet. */
export function isRefunding({ status, outTxHashes }: Stated): boolean {
  return isRefund(status) && outTxHashes.length === 0;
}

/** Whether a request is in a state; `refunded` is an older word for `refund`, in which it is once the refund is sent. */
export function isSame(stated: Stated, state: string): boolean {
  if (isRefund(state)) return isRefund(stated.status) && !isRefunding(stated);
  return stated.status === state;
}

/** Whether a state was reached or passed on the way to success, since polling can miss a short-lived state. */
export function hasReached(stated: Stated, state: string): boolean {
  const [at, target] = [successPath.indexOf(stated.status), successPath.indexOf(state)];
  return isSame(stated, state) || (target >= 0 && at > target);
}

/** Where the funds are, by the service's status. */
export function fundsOf(stated: Stated): Funds {
  return meaning(stated).funds;
}

/** The error code of a final status; undefined for success and for a status that is not final. */
export function codeOf(stated: Stated): Code | undefined {
  return meaning(stated).code;
}

/** A short description of the status. */
export function inWords(stated: Stated): string {
  return meaning(stated).words;
}

function meaning(stated: Stated): Meaning {
  if (isRefunding(stated)) return refunding;
  const { status } = stated;
  return (
    (Object.hasOwn(meanings, status) ? meanings[status] : undefined) ?? {
      terminal: false,
      funds: 'in-flight',
      code: undefined,
      words: 'a status that ferry does not know',
    }
  );
}

/** Whether the service says that it refunds, or has refunded. */
export function isRefund(status: string): boolean {
  return status === 'refund' || status === 'refunded';
}

/** A reason; the service writes "N/A" for none. */
export function reason(text: string | null | undefined): string | null {
  return text === undefined || text === null || text === 'N/A' ? null : text;
}
