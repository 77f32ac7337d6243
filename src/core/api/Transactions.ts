/** What the service is told of transactions: both are answered with a message, if with anything. */
import * as z from 'zod/mini';
import * as Primitives from './schema/Primitives.js';

export type IndexRequest = z.output<typeof index.request>;
export type SingleRequest = z.output<typeof single.request>;

/** `POST /transactions/index`: notifies the service of a deposit or swap that was just broadcast. */
export const index = {
  endpoint: { method: 'POST', path: '/transactions/index' },
  request: z.strictObject({ chainId: Primitives.digits, txHash: z.string(), requestId: z.optional(z.string()) }),
} as const;

/** `POST /transactions/single`: submits a same-chain transaction that the service would not find on its own. */
export const single = {
  endpoint: { method: 'POST', path: '/transactions/single' },
  /** `tx` is the transaction as JSON, including its `txHash`. */
  request: z.strictObject({ requestId: z.string(), chainId: Primitives.digits, tx: z.string() }),
} as const;

export const response = Primitives.object({ message: z.optional(z.string()) });
