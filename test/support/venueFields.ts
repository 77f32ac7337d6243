/** The venue's required fields as its own OpenAPI lists them, and what an answer lacks of them. */
import { readFileSync } from 'node:fs';

/** A JSON type, a model, or a list of a model: `integer`, `PublicPoolInfo`, `Asset[]`. */
type FieldType = string;

type Facts = {
  models: Readonly<Record<string, Readonly<Record<string, FieldType>>>>;
  endpoints: Readonly<Record<string, Endpoint>>;
};

type Endpoint = { model: string; required: readonly string[]; optional: readonly string[]; consumes?: string };

export const facts = JSON.parse(
  readFileSync(new URL('../recorded/venue-fields.json', import.meta.url), 'utf8'),
) as Facts;

/** One line for each required field of a model that a value lacks or has with another type; empty if there are none. */
export function lacking(model: string, value: unknown, path = model): string[] {
  const fields = facts.models[model];
  if (!fields) throw new Error(`There is no model ${model}.`);
  if (!isOf('object', value)) return [`${path}: not an object`];
  return Object.entries(fields).flatMap(([name, type]) => {
    const at = `${path}.${name}`;
    const found = (value as Record<string, unknown>)[name];
    if (found === undefined) return [`${at}: missing`];
    const items = type.endsWith('[]') ? type.slice(0, -2) : undefined;
    if (items !== undefined && Array.isArray(found)) return found.flatMap((each) => lacking(items, each, `${at}[]`));
    if (facts.models[type]) return lacking(type, found, at);
    return isOf(type, found) ? [] : [`${at}: not of type ${type}`];
  });
}

/** The models that a model leads to, itself first. */
export function modelsOf(model: string): string[] {
  const parts = Object.values(facts.models[model] ?? {}).map((type) => type.replace('[]', ''));
  return [model, ...parts.filter((part) => facts.models[part]).flatMap(modelsOf)];
}

function isOf(type: FieldType, value: unknown): boolean {
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}
