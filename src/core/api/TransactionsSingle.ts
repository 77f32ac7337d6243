/** `POST /transactions/single`: tells the service of a transaction on one chain, which it would not find by itself. */
import * as z from 'zod/mini';
import * as Primitives from './schema/Primitives.js';

export type Request = z.output<typeof request>;
export type Response = z.output<typeof response>;

export const endpoint = { method: 'POST', path: '/transactions/single' } as const;

export const request = z.strictObject({
  requestId: z.string(),
  /** In digits. */
  chainId: Primitives.digits,
  /** The transaction as JSON, its `txHash` included. */
  tx: z.string(),
});

export const response = Primitives.object({ message: z.optional(z.string()) });
