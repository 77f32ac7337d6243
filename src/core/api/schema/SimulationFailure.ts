/** Why a simulated call reverted: the details of `POST /execute`'s simulation failure. */
import * as z from 'zod/mini';
import * as Primitives from './Primitives.js';

export type Details = z.output<typeof details>;
export type CallFrame = Details['topLevel'];
export type Revert = Details['revert'];

export const revertTypes = ['errorString', 'panic', 'customError', 'unknownCustomError', 'empty'] as const;

const callFrame = Primitives.object({
  /** `CALL`, `DELEGATECALL` and so on. */
  type: z.string(),
  address: z.optional(z.string()),
  contract: z.optional(z.string()),
  function: z.optional(z.string()),
  selector: z.optional(z.string()),
  error: z.optional(z.string()),
  revertReason: z.optional(z.string()),
  gasUsed: z.optional(z.string()),
});

const revert = Primitives.object({
  type: z.enum(revertTypes),
  label: z.string(),
  message: z.string(),
  selector: z.optional(z.string()),
  name: z.optional(z.string()),
  args: z.optional(z.record(z.string(), z.string())),
  rawArgsHex: z.optional(z.string()),
});

export const details = Primitives.object({
  topLevel: callFrame,
  innermost: callFrame,
  path: z.array(callFrame),
  revert,
});
