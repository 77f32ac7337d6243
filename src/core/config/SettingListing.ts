/** Settings as commands print them. */
import * as z from 'zod/mini';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';

export const schema = z.object({
  key: z.string(),
  /** The value as a user writes it; secrets are `***`, URLs are redacted. Null if not set. */
  value: z.nullable(z.string()),
  source: z.object({
    kind: z.enum(['flag', 'env', 'project', 'user', 'default']),
    /** The flag or the variable. */
    name: z.optional(z.string()),
    /** The file. */
    path: z.optional(z.string()),
  }),
});

export function formatList(rows: readonly z.output<typeof schema>[], style: Style): string {
  return TerminalText.columns(
    // A name or value that the user chose may be long: it shifts only its own row.
    rows.map(({ key, value, source }) => [
      TerminalText.escape(key),
      value === null ? style.dim('-') : TerminalText.escape(value),
      style.dim(TerminalText.escape(source.name ?? source.path ?? source.kind)),
    ]),
    [],
    24,
  );
}
