/** `POST /transactions/single`: submits a same-chain transaction that the service would not find on its own. */
import * as z from 'zod/mini';
import * as Primitives from './schema/Primitives.js';

export type Request = z.output<typeof request>;

export const endpoint = { method: 'POST', path: '/transactions/single' } as const;

export const request = z.strictObject({
  requestId: z.string(),
  chainId: Primitives.digits,
  /** The transaction as JSON, including its `txHash`. */
  tx: z.string(),
});

export const response = Primitives.object({ message: z.optional(z.string()) });
