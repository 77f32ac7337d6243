/** The WebSocket of statuses: a client subscribes to a request, and is told whenever its status changes. */
import * as z from 'zod/mini';
import * as Primitives from './schema/Primitives.js';

/** What the service sends once the connection stands. */
export type Ready = z.output<typeof ready>;
export type Answer = z.output<typeof answer>;
export type Update = z.output<typeof update>;

/** The only event. */
export const event = 'request.status.updated';

/** The query parameter of the API key, which may be absent. */
export const keyParameter = 'apiKey';

const filters = z.strictObject({ id: z.string() });

/** Without filters, `unsubscribe` ends all subscriptions. */
export const order = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('subscribe'), event: z.literal(event), filters }),
  z.strictObject({ type: z.literal('unsubscribe'), event: z.literal(event), filters: z.optional(filters) }),
]);

export const ready = Primitives.object({
  type: z.literal('connection'),
  status: z.literal('ready'),
  /** The id of the connection, for support. */
  data: Primitives.object({ id: z.string() }),
});

/** Only successes are documented. */
export const answer = Primitives.object({
  type: z.enum(['subscribe', 'unsubscribe', 'error']),
  status: z.enum(['success', 'error']),
  data: Primitives.object({
    event: z.optional(z.string()),
    filters: z.optional(z.looseObject({})),
    message: z.optional(z.string()),
  }),
});

export const update = Primitives.object({
  event: z.literal(event),
  data: Primitives.object({
    status: z.string(),
    inTxHashes: z.array(z.string()),
    txHashes: z.array(z.string()),
    /** Unix time in milliseconds. */
    updatedAt: z.int(),
    originChainId: z.int(),
    destinationChainId: z.int(),
    requestId: z.string(),
  }),
  /** Unix time in milliseconds. */
  publishedAt: z.int(),
});
