/**
 * The journal of a run, written before each action, and the state that any prefix of it leads to. It holds signed bytes
 * but no keys: a reader can send what was signed, but sign nothing. Amounts are strings of digits; times are Unix
 * milliseconds unless stated otherwise.
 *
 * `next` says what may be done. `nothing`: nothing was signed, so the transfer may be started again. `settle`:
 * something was signed and is not known to have ended, so the same bytes are sent again. `sign`: the approval is mined
 * and the payment is not signed, so the quote is proved again first. `follow`: the service or the chain has it.
 * `ended`: the outcome is known.
 */
import * as z from 'zod/mini';
import { BaseError, type Code, type Funds, fundsWords } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import type { Turn } from '../ports/Ports.js';
import type * as TransferIntent from '../quote/TransferIntent.js';
import * as BatchLineRef from './BatchLineRef.js';

const hex = z.string().check(z.regex(/^0x[0-9a-fA-F]*$/));
const digits = z.string().check(z.regex(/^\d+$/));
const nullableDigits = z.nullable(digits);

/** Caps: amounts as digits, null for no cap. */
const capsSchema = z.object({
  maxImpactBps: z.int(),
  maxFeeUsd: nullableDigits,
  minOut: nullableDigits,
  maxIn: nullableDigits,
  maxVenueFee: nullableDigits,
  /** Absent from runs of earlier versions. */
  maxGasUsd: z.optional(nullableDigits),
  maxTipWei: z.optional(nullableDigits),
  maxAgeMs: z.number(),
});

/** `TransferIntent.Caps` as journaled: amounts as digits, null for no cap. */
export type RecordedCaps = z.output<typeof capsSchema>;

const kind = z.enum(['transactions', 'batch', 'permit', 'transfer', 'call', 'address']);

/** An entry announces the next action, or records the result of one. */
export const entrySchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('intent'),
    run: z.string(),
    kind,
    network: z.string(),
    /** The id of the sandbox's instance; null on other networks. */
    instance: z.nullable(z.string()),
    baseUrl: z.nullable(z.string()),
    /** Identifies the transfer: equal for equal intents. */
    key: z.string(),
    /** One line for a person. */
    summary: z.string(),
    /** The command line to run again; null if it cannot be repeated. */
    command: z.nullable(z.string()),
    /** The name of the account that signs. */
    account: z.nullable(z.string()),
    line: z.optional(BatchLineRef.schema),
  }),
  z.strictObject({ type: z.literal('quote'), requestId: z.string(), document: z.record(z.string(), z.unknown()) }),
  z.strictObject({ type: z.literal('proof'), checks: z.int(), allow: z.array(z.string()), caps: capsSchema }),
  /** The steps to execute, in order; the last one pays. */
  z.strictObject({ type: z.literal('plan'), steps: z.array(z.string()) }),
  z.strictObject({
    type: z.literal('signed'),
    step: z.int(),
    action: z.string(),
    bytes: hex,
    txHash: hex,
    nonce: z.int(),
  }),
  /** A replacement of a pending transaction, with its nonce and higher fees: the same again, or an empty one. */
  z.strictObject({
    type: z.literal('replacement'),
    step: z.int(),
    purpose: z.enum(['speed-up', 'cancel']),
    bytes: hex,
    txHash: hex,
    nonce: z.int(),
  }),
  /** The last block of the destination before the payment was signed: what arrives is in a later one. */
  z.strictObject({ type: z.literal('head'), chainId: z.int(), block: digits }),
  z.strictObject({ type: z.literal('broadcast'), step: z.int(), txHash: hex }),
  z.strictObject({
    type: z.literal('receipt'),
    step: z.int(),
    txHash: hex,
    status: z.enum(['success', 'reverted']),
    blockNumber: digits,
    gasUsed: digits,
    effectiveGasPrice: digits,
  }),
  /** A transaction that can never be mined, since another used its nonce; the step may be signed again. */
  z.strictObject({ type: z.literal('impossible'), step: z.int(), txHash: hex, by: hex }),
  z.strictObject({
    type: z.literal('signed-batch'),
    /** The request body. */
    request: z.record(z.string(), z.unknown()),
    batchExecutor: hex,
    executor: hex,
    nonce: digits,
    /** Unix time in seconds. */
    deadline: digits,
  }),
  z.strictObject({ type: z.literal('signed-permit'), request: z.record(z.string(), z.unknown()), signature: hex }),
  /** A transaction of the account that makes void what was signed for the service, if it is mined first. */
  z.strictObject({ type: z.literal('invalidation'), bytes: hex, txHash: hex, nonce: z.int() }),
  z.strictObject({
    type: z.literal('signed-transfer'),
    txInfo: z.string(),
    txHash: z.string(),
    publicKey: z.string(),
    signingChainId: z.int(),
  }),
  /** The request body of a raw call. */
  z.strictObject({ type: z.literal('call'), request: z.record(z.string(), z.unknown()) }),
  /** A deposit address is about to be shown: from now on anybody may pay it. */
  z.strictObject({ type: z.literal('address'), address: hex, untilMs: z.number() }),
  /** The service or the venue has accepted it. */
  z.strictObject({ type: z.literal('request'), requestId: z.string() }),
  z.strictObject({ type: z.literal('status'), status: z.string() }),
  /** The run has ended. */
  z.strictObject({
    type: z.literal('outcome'),
    status: z.string(),
    funds: z.enum(fundsWords),
    code: z.nullable(z.string()),
  }),
]);

/** A journal entry: announces an action, or records the result of one. */
export type Entry = z.output<typeof entrySchema>;

/**
 * How a run pays: by own transactions; by a batch, permit or raw call that the service submits; by a venue transfer; or
 * by whoever pays its deposit address.
 */
export type Kind = z.output<typeof kind>;

/**
 * Entries that need not wait for the disk. What precedes a signature reaches it with the entry of the signature, before which
 * nothing is at stake; what records a result is read again from the chain or the service if the machine loses it.
 */
export const unsynced: readonly Entry['type'][] = [
  ...(['quote', 'proof', 'plan', 'head'] as const),
  ...(['broadcast', 'receipt', 'request', 'status'] as const),
];

/** The entries of one type. */
export type Of<T extends Entry['type']> = Extract<Entry, { type: T }>;

/** One of the transactions signed with the same nonce, of which at most one is ever mined. */
export type Attempt = { purpose: 'send' | Of<'replacement'>['purpose']; bytes: string; txHash: string };

/** A block of the destination, from before the payment. */
export type Head = Omit<Of<'head'>, 'type'>;

/** Appends to the journal of a run. */
export type JournalWriter = {
  /**
   * Resolves once the entry is durable, unless it is one of `unsynced`, and with it the nonces that the turn has used,
   * and the end of the line that the run carries out: all of them or nothing.
   *
   * @throws config.unwritable, store.* for an entry that announces an action
   */
  append(entry: Entry, turn?: Turn, line?: BatchLineRef.BatchLineEnd): Promise<void>;
};

/** The state of a transaction that the account sends itself. */
export type Sent = Pick<Of<'signed'>, 'step' | 'action' | 'nonce'> & {
  /** Oldest first. */
  attempts: readonly Attempt[];
  broadcast: boolean;
  receipt: Of<'receipt'> | undefined;
};

/** What was signed or made for the service or the venue to submit. */
export type Handed = Of<'signed-batch'> | Of<'signed-permit'> | Of<'signed-transfer'> | Of<'call'>;

/** A transaction that ferry did not sign, and the nonce that it used. */
export type Foreign = { nonce: number; txHash: Hex };

/** The state of a run. */
export type State = Omit<Of<'intent'>, 'type'> & {
  quote: Of<'quote'> | undefined;
  proof: Of<'proof'> | undefined;
  steps: readonly string[] | undefined;
  /** By the step's index in the plan, without transactions that became impossible. */
  sent: ReadonlyMap<number, Sent>;
  /** Number of signed transactions that are no longer part of the plan. */
  earlier: number;
  /** The transaction of another program that used a nonce of the run, until a step is signed again. */
  foreign: Foreign | undefined;
  /** Whether an approval was mined, for this plan or an earlier one. */
  approved: boolean;
  handed: Handed | undefined;
  /** Undefined in runs of earlier versions, and if the destination has no node. */
  head: Head | undefined;
  /** The last transaction to make `handed` void. */
  invalidation: Of<'invalidation'> | undefined;
  /** The deposit address that was shown. */
  address: Omit<Of<'address'>, 'type'> | undefined;
  /** The request id, once the service or the venue has accepted what was submitted. */
  taken: string | undefined;
  /** The last status word of the service. */
  status: string | undefined;
  outcome: Of<'outcome'> | undefined;
};

/**
 * The next action: none, since nothing was signed (`nothing`); finish what was signed, with the same bytes (`settle`);
 * sign the next step (`sign`); follow the request (`follow`); none, since the run has ended (`ended`).
 */
export type Next = 'nothing' | 'settle' | 'sign' | 'follow' | 'ended';

/** The state after the entries of a run, or any prefix of them. @throws run.unreadable for an impossible order */
export function from(entries: readonly Entry[]): State {
  const [first, ...rest] = entries;
  if (first?.type !== 'intent') throw unordered('it does not begin with the intent');
  const { type: _, ...intent } = first;
  const begun: State = {
    ...intent,
    quote: undefined,
    proof: undefined,
    steps: undefined,
    sent: new Map(),
    earlier: 0,
    foreign: undefined,
    approved: false,
    handed: undefined,
    head: undefined,
    invalidation: undefined,
    address: undefined,
    taken: undefined,
    status: undefined,
    outcome: undefined,
  };
  return rest.reduce(reduce, begun);
}

/** The state after one more entry. @throws run.unreadable */
export function reduce(state: State, next: Entry): State {
  switch (next.type) {
    case 'intent':
      throw unordered('it has a second intent');
    case 'quote':
      if (isPaid(state) || state.address) throw unordered('a quote follows a payment');
      // A new plan: transactions sent for the old one are not among its steps.
      return {
        ...state,
        quote: next,
        proof: undefined,
        steps: undefined,
        sent: new Map(),
        earlier: state.earlier + state.sent.size,
      };
    case 'proof':
      if (!state.quote) throw unordered('a proof without a quote');
      return { ...state, proof: next };
    case 'plan':
      if (!state.proof) throw unordered('a plan without a proof');
      return { ...state, steps: next.steps };
    case 'signed': {
      if (state.kind !== 'transactions' || !state.steps || next.step < 0 || next.step >= state.steps.length)
        throw unordered('a signature without a plan');
      if (state.sent.has(next.step)) throw unordered('a step is signed twice');
      const { step, action, nonce, bytes, txHash } = next;
      const attempts: Attempt[] = [{ purpose: 'send', bytes, txHash }];
      const signed = { step, action, nonce, attempts, broadcast: false, receipt: undefined };
      return { ...withSent(state, signed), foreign: undefined };
    }
    case 'replacement': {
      const sent = sentOf(state, next.step);
      if (sent.nonce !== next.nonce) throw unordered('a replacement without a pending transaction');
      const { purpose, bytes, txHash } = next;
      const attempts = [...sent.attempts, { purpose, bytes, txHash }];
      // One that was mined is pending again once its block was taken back.
      return withSent(state, { ...sent, attempts, broadcast: false, receipt: undefined });
    }
    case 'broadcast':
      return withSent(state, { ...sentOf(state, next.step), broadcast: true });
    case 'receipt': {
      const sent = sentOf(state, next.step);
      const approved = state.approved || (sent.action === 'approve' && next.status === 'success');
      return { ...withSent(state, { ...sent, receipt: next }), approved };
    }
    case 'impossible': {
      // Some journals have it twice.
      if (state.earlier > 0 && !state.sent.has(next.step)) return state;
      const { nonce, attempts } = sentOf(state, next.step);
      const isOwn = attempts.some(({ txHash }) => txHash === next.by);
      const sent = new Map(state.sent);
      sent.delete(next.step);
      const foreign = isOwn ? state.foreign : { nonce, txHash: next.by as Hex };
      return { ...state, sent, earlier: state.earlier + 1, foreign };
    }
    case 'signed-batch':
    case 'signed-permit':
    case 'signed-transfer':
      if (`signed-${state.kind}` !== next.type || !state.steps) throw unordered('a signature without a plan');
      if (state.handed) throw unordered('it is signed twice');
      return { ...state, handed: next };
    case 'call':
      if (state.kind !== 'call' || state.handed) throw unordered('a call in a run that has none to make');
      return { ...state, handed: next };
    case 'invalidation':
      if (!state.handed) throw unordered('nothing was signed that could be made void');
      return { ...state, invalidation: next };
    case 'address': {
      if (state.kind !== 'address' || !state.steps) throw unordered('an address without a plan');
      if (state.address) throw unordered('it has two addresses');
      const { type: _, ...address } = next;
      return { ...state, address };
    }
    case 'head': {
      const { type: _, ...head } = next;
      return { ...state, head };
    }
    case 'request':
      return { ...state, taken: next.requestId };
    case 'status':
      return { ...state, status: next.status };
    case 'outcome':
      return { ...state, outcome: next };
  }
}

/** The next action for a run. */
export function next(state: State): Next {
  if (state.outcome) return 'ended';
  if (state.handed) return state.taken ? 'follow' : 'settle';
  if (isUnsigned(state)) return 'nothing';
  if (!hasSigned(state)) return 'follow';
  if (hasWaiting(state)) return 'settle';
  return isPaid(state) ? 'follow' : 'sign';
}

/** Whether anything was signed that can move funds or set an allowance. */
export function hasSigned(state: Pick<State, 'sent' | 'handed' | 'earlier'>): boolean {
  return signatures(state) > 0;
}

/** How many such signatures the journal has; those that replaced another one are not counted. It only grows. */
export function signatures({ sent, handed, earlier }: Pick<State, 'sent' | 'handed' | 'earlier'>): number {
  return sent.size + earlier + (handed === undefined ? 0 : 1);
}

/** Whether nothing was signed, accepted by the service or shown for others to pay. */
export function isUnsigned(state: State): boolean {
  return !hasSigned(state) && state.taken === undefined && state.address === undefined;
}

/** Whether the payment was signed. */
export function isPaid({ sent, handed, steps }: State): boolean {
  return handed !== undefined || (steps !== undefined && sent.has(steps.length - 1));
}

/** Whether something was signed, accepted by the service or shown for others to pay, and its outcome is not known. */
export function isUnfinished(state: State): boolean {
  return !state.outcome && !isUnsigned(state);
}

const final: readonly Code[] = [
  'track.refunded',
  'track.failed',
  'submit.reverted',
  'submit.cancelled',
  'submit.expired',
  'submit.venue-refused',
  'submit.venue-failed',
];

/** Whether an error ends the run, with nothing left to resume. */
export function isFinal(state: State, error: Pick<BaseError, 'code' | 'funds'>): boolean {
  if (final.includes(error.code) || !(hasSigned(state) || state.taken || state.address)) return true;
  // The address was shown, so it may be paid, whatever the service answers.
  if (state.address) return false;
  if (error.funds !== 'untouched' || error.code === 'submit.replaced') return false;
  // The receiver of a signature may use it, whatever it answers. A transaction refused by one node may be accepted by
  // another.
  if (state.handed) return state.kind === 'call' && /^submit\.|^(service|auth)\.refused$/.test(error.code);
  return !isPaid(state) && !hasWaiting(state) && /^(submit|verify|quote)\.|^service\.refused$/.test(error.code);
}

/** Where the funds are, as far as the journal shows. */
export function fundsOf(state: State): Funds {
  if (state.outcome) return state.outcome.funds;
  return outOf(state) ?? (state.address ? 'unknown' : 'untouched');
}

/**
 * Where a payment is that has left this machine and whose end is not known: `in-flight` once somebody has it, `unknown`
 * while it may be out. Undefined if nothing that pays has left. No answer of the service makes this untouched.
 */
export function outOf(state: State): 'in-flight' | 'unknown' | undefined {
  if (state.outcome) return state.outcome.funds === 'unknown' ? 'unknown' : undefined;
  // This machine paid nothing: who has paid, if anybody, is not known here, and the service alone says that somebody has.
  if (state.address) return state.taken ? 'unknown' : undefined;
  if (!isPaid(state)) return undefined;
  const paid = state.sent.get((state.steps?.length ?? 0) - 1);
  return state.taken !== undefined || paid?.broadcast || paid?.receipt ? 'in-flight' : 'unknown';
}

/** Whether the run is of a request, sent the transaction of that hash, or showed that deposit address. */
export function isOf({ quote, taken, sent, address }: State, reference: string): boolean {
  const named = [
    quote?.requestId,
    taken,
    address?.address,
    ...[...sent.values()].flatMap(({ attempts }) => attempts.map((a) => a.txHash)),
  ];
  return named.some((each) => each?.toLowerCase() === reference.toLowerCase());
}

/** Whether a transaction is pending: signed, and not known to be mined. */
function hasWaiting({ sent }: State): boolean {
  return [...sent.values()].some(({ receipt }) => !receipt);
}

function sentOf({ sent }: State, step: number): Sent {
  const found = sent.get(step);
  if (!found) throw unordered('it has an entry for a transaction that was never signed');
  return found;
}

function withSent(state: State, sent: Sent): State {
  return { ...state, sent: new Map([...state.sent, [sent.step, sent]]) };
}

/** Encodes caps for the journal. */
export function fromCaps({ maxImpactBps, maxAgeMs, ...amounts }: TransferIntent.Caps): RecordedCaps {
  const { maxFeeUsd, minOut, maxIn, maxVenueFee, maxGasUsd, maxTipWei } = amounts;
  const text = (amount: bigint | undefined): string | null => (amount === undefined ? null : String(amount));
  return {
    maxImpactBps,
    maxFeeUsd: text(maxFeeUsd),
    minOut: text(minOut),
    maxIn: text(maxIn),
    maxVenueFee: text(maxVenueFee),
    maxGasUsd: text(maxGasUsd),
    maxTipWei: text(maxTipWei),
    maxAgeMs,
  };
}

/** Decodes caps from the journal. */
export function toCaps({ maxImpactBps, maxAgeMs, ...amounts }: RecordedCaps): TransferIntent.Caps {
  const { maxFeeUsd, minOut, maxIn, maxVenueFee, maxGasUsd = null, maxTipWei = null } = amounts;
  const amount = (text: string | null): bigint | undefined => (text === null ? undefined : BigInt(text));
  return {
    maxImpactBps,
    maxFeeUsd: amount(maxFeeUsd),
    minOut: amount(minOut),
    maxIn: amount(maxIn),
    maxVenueFee: amount(maxVenueFee),
    maxGasUsd: amount(maxGasUsd),
    maxTipWei: amount(maxTipWei),
    maxAgeMs,
  };
}

/** The entries are in an order that no run writes. */
export function unordered(why: string): BaseError {
  return new BaseError('run.unreadable', `The journal of the run is inconsistent: ${why}.`, {
    hint: 'Something other than ferry changed it. Check the chain before you send anything again.',
    funds: 'unknown',
  });
}
