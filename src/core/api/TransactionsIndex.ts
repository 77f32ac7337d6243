/** `POST /transactions/index`: notifies the service of a deposit or swap that was just broadcast. */
import * as z from 'zod/mini';
import * as Primitives from './schema/Primitives.js';

export type Request = z.output<typeof request>;

export const endpoint = { method: 'POST', path: '/transactions/index' } as const;

export const request = z.strictObject({
  chainId: Primitives.digits,
  txHash: z.string(),
  requestId: z.optional(z.string()),
});

export const response = Primitives.object({ message: z.optional(z.string()) });
