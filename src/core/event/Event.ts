/**
 * The events that a command yields while it runs; `--json` prints them, one per line. In memory, on-chain quantities are
 * `bigint`; on the wire they are decimal strings. `schema` describes both forms.
 */
import * as z from 'zod/mini';
import * as RequestDocument from '../history/RequestDocument.js';
import * as UnreadableRecord from '../history/UnreadableRecord.js';
import type { Waiting } from '../ports/Ports.js';
import * as QuoteDocument from '../quote/QuoteDocument.js';
import * as ErrorSchema from '../text/ErrorSchema.js';
import type * as StatusPolling from '../tracking/StatusPolling.js';

/** An event of a transfer or of any other command that streams, told apart by `type`. */
export type Event = z.output<typeof schema>;

export type Of<Type extends Event['type']> = Extract<Event, { type: Type }>;

/** A non-negative `bigint` in memory, its decimal digits on the wire. */
const quantity = z.codec(z.string().check(z.regex(/^\d+$/)), z.bigint(), {
  decode: (digits) => BigInt(digits),
  encode: String,
});

/** A transaction on the origin chain. */
const transaction = {
  action: z.enum(['approve', 'deposit', 'swap', 'wrap', 'unwrap', 'send', 'cancel']),
  /** One line for a person. */
  summary: z.string(),
  txHash: z.string(),
  /** Its page in the chain's explorer, if the chain has one. */
  url: z.optional(z.string()),
};

/** A transfer on the venue. */
const venueTransfer = { summary: z.string(), txHash: z.string() };

const { amount } = QuoteDocument;
const { requestId, send, receive, minimum, fees, originGas, impact, timeEstimateSeconds, intent } =
  QuoteDocument.schema.shape;
const { user, recipient } = intent.shape;

/** The events. Its input is the wire form, its output the form in memory. */
export const schema = z.discriminatedUnion('type', [
  /** The run was written to its journal. */
  eventOf('run', {
    run: z.string(),
    /** The command that goes on with it if this one stops. */
    next: z.string(),
    /** The directory of all journals. */
    folder: z.string(),
  }),
  /** A run is about to be continued: what it pays, and to whom. */
  eventOf('resuming', {
    run: z.string(),
    /** One line for a person. */
    summary: z.string(),
    /** Who receives it; for a raw call, the contract. */
    recipient: z.string(),
    /** Null for a raw call. */
    send: z.nullable(send),
    minimum: z.nullable(minimum),
    /** Whether the journal is sealed by this user. */
    isOwn: z.boolean(),
  }),
  /** A quote was fetched. Its fields are those of `ferry quote --json`. */
  eventOf('quoted', {
    /** Set if whoever likes pays, at a deposit address: the user is the one who is refunded. */
    byAddress: z.optional(z.literal(true)),
    ...{ requestId, user, recipient, send, receive, minimum, fees, originGas, impact, timeEstimateSeconds },
  }),
  /** The quote passed verification. */
  eventOf('verified', {
    checks: z.int(),
    /** What rests on one witness, who that is, and what was found. */
    single: z.array(z.object({ check: z.string(), witness: z.string(), found: z.string() })),
    /** Most that the gas of the account's transactions can cost; null if it sends none. */
    maxGas: z.nullable(QuoteDocument.gasCost),
  }),
  /** Another process holds the nonce counter: ferry waits for it to finish. */
  eventOf('waiting', {
    summary: z.string(),
    /** The other process; null if its id is not known. */
    pid: z.nullable(z.int()),
  }) satisfies z.ZodMiniType<Waiting>,
  /** The sender's balances cover the transfer and its gas. */
  eventOf('checked', {
    chainId: z.int(),
    /** Base units of the input token. */
    balance: quantity,
    /** Wei of the chain's native asset. */
    gasBalance: quantity,
  }),
  /** A transaction of the plan is not needed. */
  eventOf('skipped', {
    action: transaction.action,
    summary: z.string(),
    why: z.string(),
  }),
  /** A transaction was signed. It has not been broadcast yet. */
  eventOf('signed', { ...transaction, nonce: z.int() }),
  /** A transaction that was signed by an earlier process is about to be broadcast again, unless it is mined. */
  eventOf('resent', { ...transaction, nonce: z.int() }),
  /** A transaction was broadcast. */
  eventOf('sent', { ...transaction }),
  /** A transaction was mined and has taken effect. One that reverted is the error of its run. */
  eventOf('mined', {
    ...transaction,
    blockNumber: quantity,
    /** Gas units. */
    gasUsed: quantity,
  }),
  /** The account has an EIP-7702 delegation to the batch executor. */
  eventOf('delegated', {
    summary: z.string(),
    delegate: z.string(),
    /** Whether the authorization was signed now. */
    isNew: z.boolean(),
  }),
  /** A batch of calls was signed for the service to submit. */
  eventOf('batch-signed', {
    summary: z.string(),
    calls: z.int(),
    /** The only address that may submit it; the zero address for any. */
    executor: z.string(),
    /** Unix time in seconds until which it can be submitted. */
    deadline: quantity,
    /** The batch executor's nonce. */
    nonce: quantity,
  }),
  /** An EIP-712 permit was signed. */
  eventOf('permit-signed', { summary: z.string(), primaryType: z.string() }),
  /** The service accepted a signed batch, a permit or a raw call. */
  eventOf('submitted', { summary: z.string(), requestId: z.string() }),
  /** The outcome of a submission is not known yet: ferry asks the service or the venue. */
  eventOf('asking', { summary: z.string(), why: z.string() }),
  /** The venue account that pays or is credited. */
  eventOf('venue-account', {
    index: z.int(),
    /** The wallet that owns it. */
    wallet: z.string(),
    /** Its USDC now. */
    before: amount,
    /** Null: not known before the transfer. */
    after: z.nullable(amount),
  }),
  /** A venue transfer was signed by the API key and the wallet. */
  eventOf('venue-signed', {
    ...venueTransfer,
    /** The transaction in the venue's format, with both signatures. */
    txInfo: z.string(),
    publicKey: z.string(),
    signingChainId: z.int(),
    accountIndex: z.int(),
    apiKeyIndex: z.int(),
    nonce: z.string(),
    /** Unix time in milliseconds until which it can be submitted. */
    expiresAt: z.int(),
  }),
  /** The venue accepted a transfer. */
  eventOf('venue-sent', { ...venueTransfer }),
  /** The venue executed a transfer. */
  eventOf('venue-executed', { ...venueTransfer }),
  /** A deposit address was proved: anybody may pay it. */
  eventOf('address', {
    requestId: z.string(),
    address: z.string(),
    /** Where it is to be paid: on no other chain. */
    chain: z.string(),
    chainId: z.int(),
    /** The token's address; the zero address for the native asset. */
    token: z.string(),
    /** What is to be paid, exactly. */
    send: z.extend(amount, { currency: z.string() }),
    /** What arrives at least. */
    minimum: z.extend(amount, { currency: z.string() }),
    recipient: z.string(),
    /** Who is refunded. */
    refundTo: z.string(),
    /** Unix time in milliseconds until which it may be paid. */
    untilMs: z.number(),
  }),
  /** What a deposit address holds has changed, before the service has it. */
  eventOf('address-balance', {
    address: z.string(),
    held: amount,
    wanted: z.extend(amount, { symbol: z.string() }),
    isEnough: z.boolean(),
  }),
  /** The status of a request changed. */
  eventOf('status', {
    requestId: z.string(),
    /** As the service names it; it may add words. */
    status: z.string(),
    /** The status in plain words. */
    words: z.string(),
    /** Transactions on the origin. */
    inTxHashes: z.array(z.string()),
    /** Transactions on the destination, or refunds. */
    outTxHashes: z.array(z.string()),
  }) satisfies z.ZodMiniType<Extract<StatusPolling.Update, { type: 'status' }>>,
  /** Another request replaced the one that was followed; ferry follows the new one. */
  eventOf('superseded', {
    requestId: z.string(),
    by: z.string(),
  }) satisfies z.ZodMiniType<Extract<StatusPolling.Update, { type: 'superseded' }>>,
  /** The result of one line of a batch. */
  eventOf('result', {
    command: z.enum(['quote', 'execute']),
    id: z.string(),
    /** Identifies the transfer that the line describes. */
    digest: z.string(),
    ok: z.boolean(),
    /** The `data` of the command without a batch, reduced by `--fields`; null on failure. */
    data: z.unknown(),
    /** Null on success. */
    error: z.nullable(ErrorSchema.schema),
    /** Of a batch in a store: which of its results it is, from 1. */
    seq: z.optional(z.int()),
  }),
  /** The service has stopped answering while a batch runs, or answers again. */
  eventOf('service', {
    answers: z.boolean(),
    /** What the batch waits for. */
    summary: z.string(),
  }),
  /** A line of a batch takes long, and the results of later lines wait for it. */
  eventOf('held-up', {
    id: z.string(),
    /** The number of results that wait. */
    results: z.int(),
    summary: z.string(),
  }),
  /** A worker serves its page and its numbers. */
  eventOf('serving', { url: z.string() }),
  /** One request of `ferry requests list`. */
  eventOf('request', { ...RequestDocument.schema.shape }),
  /** One request of `ferry requests list` whose record cannot be read. */
  eventOf('unreadable', { ...UnreadableRecord.schema.shape }),
  /** A transfer of `ferry demo`, or an attack of `ferry demo attack`, begins. */
  eventOf('scene', { title: z.string() }),
  /** A sandbox in the foreground accepts requests. */
  eventOf('ready', {
    running: z.boolean(),
    /** Whether this command started it. */
    started: z.boolean(),
    /** The id of its state; `ferry sandbox reset` changes it, and so does a state that cannot be continued. */
    instance: z.string(),
    /** The instance before this one, if its state could not be continued. */
    lost: z.nullable(z.object({ instance: z.nullable(z.string()), at: z.string(), why: z.string() })),
    pid: z.int(),
    baseUrl: z.string(),
    venueUrl: z.string(),
    /** RPC URL by chain name. */
    rpcUrls: z.record(z.string(), z.string()),
    /** ISO 8601. */
    startedAt: z.string(),
  }),
]);

function eventOf<const Type extends string, Fields extends z.core.$ZodLooseShape>(type: Type, fields: Fields) {
  return z.object({ type: z.literal(type), ...fields });
}

/** A line that `--json` prints for an event: see `EventLine`. */
export const line = z.intersection(z.object({ schema: z.literal('ferry.event/1'), network: z.string() }), schema);

/**
 * Reads a line that `--json` printed.
 *
 * @throws SyntaxError if it is not JSON, a Zod error if it is not an event
 */
export function fromLine(text: string): { network: string; event: Event } {
  const { schema: _, network, ...event } = z.parse(line, JSON.parse(text));
  return { network, event };
}
