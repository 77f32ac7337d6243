/** `POST /execute/permits`: submits a signature, which travels as a query parameter. */
import * as z from 'zod/mini';
import * as Primitives from './schema/Primitives.js';
import * as Step from './schema/Step.js';

export type Request = z.output<typeof request>;
export type Response = z.output<typeof response>;

export const endpoint = { method: 'POST', path: '/execute/permits' } as const;

export const query = z.strictObject({ signature: Primitives.bytes });

/** The body given by the step's `post`. */
export const request = z.strictObject({
  /** `eip3009`, `permit2`, `claim` and others. */
  kind: z.string(),
  requestId: z.string(),
  api: z.optional(z.enum(['bridge', 'swap', 'user-swap'])),
});

/** The body as the service's own client sends it: it adds its name. */
export const submission = z.extend(request, { referrer: z.optional(z.string()) });

export const response = Primitives.object({
  message: z.string(),
  /** Further steps, to run after those of the quote. */
  steps: z.optional(z.array(Step.schema)),
});
