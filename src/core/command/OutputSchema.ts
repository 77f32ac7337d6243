/** The JSON Schemas of the envelopes that `--json` prints. */
import * as z from 'zod/mini';
import { entries } from '../base/Errors.js';

type Schema = Record<string, unknown>;

/** The envelope of a command's success. */
export function envelopeOf(name: string, data: z.ZodMiniType): Schema {
  return toJsonSchema(
    z.object({
      schema: z.literal(`ferry.${name.replaceAll(' ', '-')}/1`),
      ok: z.literal(true),
      network: z.string(),
      data,
      warnings: z.array(z.string()),
    }),
  );
}

/** The envelope of every failure. */
export function errorEnvelope(): Schema {
  return toJsonSchema(
    z.object({
      schema: z.literal('ferry.error/1'),
      ok: z.literal(false),
      network: z.nullable(z.string()),
      error: z.object({
        code: z.enum(entries().map(([code]) => code) as [string, ...string[]]),
        message: z.string(),
        facts: z.record(z.string(), z.string()),
        hint: z.nullable(z.string()),
        next: z.nullable(z.string()),
        retryable: z.boolean(),
        funds: z.enum(['untouched', 'in-flight', 'returned', 'held', 'delivered', 'unknown']),
        exit: z.int(),
        run: z.optional(z.string()),
        requestId: z.optional(z.string()),
        txHash: z.optional(z.string()),
        httpStatus: z.optional(z.int()),
        /** Allowances that the run set and that were not used. */
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
        trace: z.optional(z.record(z.string(), z.unknown())),
      }),
    }),
  );
}

function toJsonSchema(schema: z.ZodMiniType): Schema {
  return z.toJSONSchema(schema, { io: 'input' }) as Schema;
}
