/** The JSON Schemas of what `--json` prints: envelopes and events. */
import * as z from 'zod/mini';
import * as Event from '../event/Event.js';
import * as ErrorSchema from '../text/ErrorSchema.js';

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

export function errorEnvelope(): Schema {
  return toJsonSchema(
    z.object({
      schema: z.literal('ferry.error/1'),
      ok: z.literal(false),
      network: z.nullable(z.string()),
      error: ErrorSchema.schema,
    }),
  );
}

/** A line that a streaming command prints for an event. */
export function eventSchema(): Schema {
  return toJsonSchema(Event.line);
}

function toJsonSchema(schema: z.ZodMiniType): Schema {
  return z.toJSONSchema(schema, { io: 'input' }) as Schema;
}
