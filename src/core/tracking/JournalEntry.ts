/** What a line of a run's journal says. Amounts are strings of digits, times Unix milliseconds unless they say otherwise. */
import * as z from 'zod/mini';
import * as BatchLineRef from './BatchLineRef.js';
import * as JournalCaps from './JournalCaps.js';

const hex = z.string().check(z.regex(/^0x[0-9a-fA-F]*$/));
const digits = z.string().check(z.regex(/^\d+$/));
const funds = z.enum(['untouched', 'in-flight', 'returned', 'held', 'delivered', 'unknown']);

const kind = z.enum(['transactions', 'batch', 'permit', 'transfer', 'call']);

/** Every entry announces what is done next, or notes what has come of it. */
export const schema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('intent'),
    run: z.string(),
    kind,
    network: z.string(),
    /** Of the sandbox; null elsewhere. */
    instance: z.nullable(z.string()),
    baseUrl: z.nullable(z.string()),
    /** The same for the same intent. */
    key: z.string(),
    /** One line for a person. */
    summary: z.string(),
    /** What was typed, to be typed again; null where it cannot be. */
    command: z.nullable(z.string()),
    /** The name of the account that signs. */
    account: z.nullable(z.string()),
    line: z.optional(BatchLineRef.schema),
  }),
  z.strictObject({ type: z.literal('quote'), requestId: z.string(), document: z.record(z.string(), z.unknown()) }),
  z.strictObject({ type: z.literal('proof'), checks: z.int(), allow: z.array(z.string()), caps: JournalCaps.schema }),
  /** What will be done, in order; the last one pays. */
  z.strictObject({ type: z.literal('plan'), steps: z.array(z.string()) }),
  z.strictObject({
    type: z.literal('signed'),
    step: z.int(),
    action: z.string(),
    bytes: hex,
    txHash: hex,
    nonce: z.int(),
  }),
  /** Another transaction with the nonce of one that waits, at a higher fee: the same again, or one that does nothing. */
  z.strictObject({
    type: z.literal('replacement'),
    step: z.int(),
    purpose: z.enum(['speed-up', 'cancel']),
    bytes: hex,
    txHash: hex,
    nonce: z.int(),
  }),
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
  /** A transaction that can never be mined, as another one took its nonce; the step may be signed anew. */
  z.strictObject({ type: z.literal('impossible'), step: z.int(), txHash: hex, by: hex }),
  z.strictObject({
    type: z.literal('signed-batch'),
    /** The body of the posting. */
    request: z.record(z.string(), z.unknown()),
    batchExecutor: hex,
    executor: hex,
    nonce: digits,
    /** Unix time in seconds. */
    deadline: digits,
  }),
  z.strictObject({ type: z.literal('signed-permit'), request: z.record(z.string(), z.unknown()), signature: hex }),
  z.strictObject({
    type: z.literal('signed-transfer'),
    txInfo: z.string(),
    txHash: z.string(),
    publicKey: z.string(),
    signingChainId: z.int(),
  }),
  /** The body of the posting of a raw call. */
  z.strictObject({ type: z.literal('call'), request: z.record(z.string(), z.unknown()) }),
  /** The service or the venue has it. */
  z.strictObject({ type: z.literal('request'), requestId: z.string() }),
  z.strictObject({ type: z.literal('status'), status: z.string() }),
  /** Nothing more will come of it. */
  z.strictObject({ type: z.literal('outcome'), status: z.string(), funds, code: z.nullable(z.string()) }),
]);

/** It announces an act, or notes what came of one. */
export type JournalEntry = z.output<typeof schema>;

/** How a run pays: own transactions, a batch, a permit or a raw call that the service submits, a transfer on the venue. */
export type Kind = z.output<typeof kind>;
