/** Why a simulated call reverted: the details of `POST /execute`'s simulation failure. */
import * as z from 'zod/mini';
import * as Wire from './Wire.js';

export type Details = z.output<typeof details>;
export type CallFrame = Details['topLevel'];
export type Revert = Details['revert'];
export type RevertType = (typeof revertTypes)[number];

export const revertTypes = ['errorString', 'panic', 'customError', 'unknownCustomError', 'empty'] as const;

/** Refuses fields beside the documented four. */
export const details = of(Wire.strictObject);

/** Takes and keeps unknown fields. */
export const tolerant = of(Wire.object);

function of(object: typeof Wire.object) {
  const callFrame = Wire.object({
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
  const revert = Wire.object({
    type: z.enum(revertTypes),
    label: z.string(),
    message: z.string(),
    selector: z.optional(z.string()),
    name: z.optional(z.string()),
    args: z.optional(z.record(z.string(), z.string())),
    rawArgsHex: z.optional(z.string()),
  });
  return object({ topLevel: callFrame, innermost: callFrame, path: z.array(callFrame), revert });
}
