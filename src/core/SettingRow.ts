/** A setting as commands show it. */
import * as z from 'zod/mini';
import type { Row } from './Config.js';
import type { Style } from './render/Style.js';
import * as Text from './render/Text.js';

export const schema = z.object({
  key: z.string(),
  /** As a person writes it; secrets are `***`, URLs are cut short. Null where nothing is set. */
  value: z.nullable(z.string()),
  source: z.object({
    kind: z.enum(['flag', 'env', 'project', 'user', 'default']),
    /** The flag or the variable. */
    name: z.optional(z.string()),
    /** The file. */
    path: z.optional(z.string()),
  }),
});

export type SettingRow = z.infer<typeof schema>;

/** As it stands in the JSON output. */
export function from({ key, value, source }: Row): SettingRow {
  return { key, value: value ?? null, source };
}

/** Key, value and source in columns. */
export function formatList(rows: readonly SettingRow[], style: Style): string {
  return Text.columns(
    // A name or a value of the user's own may be long: it takes its room from its own row.
    rows.map(({ key, value, source }) => [
      Text.escape(key),
      value === null ? style.dim('-') : Text.escape(value),
      style.dim(Text.escape(source.name ?? source.path ?? source.kind)),
    ]),
    [],
    24,
  );
}
