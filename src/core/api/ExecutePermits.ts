/** `POST /execute/permits`: takes a signature. The signature itself is the query parameter. */
import * as z from 'zod/mini';
import * as Primitives from './schema/Primitives.js';
import * as Step from './schema/Step.js';

/** The signature, in the query. */
export type Query = z.output<typeof query>;
/** What was signed. */
export type Request = z.output<typeof request>;
/** That it was taken. */
export type Response = z.output<typeof response>;

export const endpoint = { method: 'POST', path: '/execute/permits' } as const;

export const query = z.strictObject({ signature: Primitives.bytes });

/** The body that the step's `post` carried. */
export const request = z.strictObject({
  /** `eip3009`, `permit2`, `claim` and others. */
  kind: z.string(),
  requestId: z.string(),
  api: z.optional(z.enum(['bridge', 'swap', 'user-swap'])),
});

export const response = Primitives.object({
  message: z.string(),
  /** Further steps to run after those of the quote. */
  steps: z.optional(z.array(Step.schema)),
});

/** 400. */
export const error = Primitives.object({ message: z.string() });
