/** The `error` of the envelope `ferry.error/1` and of a failed line of a batch. */
import * as z from 'zod/mini';
import { type Code, entries, fundsWords } from '../base/Errors.js';

export const schema = z.object({
  code: z.enum(entries().map(([code]) => code) as [Code, ...Code[]]),
  message: z.string(),
  facts: z.record(z.string(), z.string()),
  hint: z.nullable(z.string()),
  next: z.nullable(z.string()),
  retryable: z.boolean(),
  funds: z.enum(fundsWords),
  exit: z.int(),
  run: z.optional(z.string()),
  requestId: z.optional(z.string()),
  txHash: z.optional(z.string()),
  httpStatus: z.optional(z.int()),
  /** Allowances of the run that were not used up, each with the command that revokes it. */
  allowances: z.optional(
    z.array(
      z.object({
        chain: z.string(),
        chainId: z.int(),
        currency: z.string(),
        symbol: z.string(),
        owner: z.string(),
        spender: z.string(),
        amount: z.string(),
        formatted: z.string(),
        next: z.string(),
      }),
    ),
  ),
  /** The service's account of a failed simulation; `ferry trace -` draws it. */
  trace: z.optional(z.record(z.string(), z.unknown())),
});
