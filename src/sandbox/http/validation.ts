/**
 * Validates requests the way the service does: numbers and strings are coerced into each other, unknown properties are
 * dropped, and the first violation is reported in the form `body must have required property 'user'`.
 */
import * as z from 'zod/mini';
import * as Decode from '../../core/api/schema/Decode.js';
import { frameworkError, type HttpError } from './HttpError.js';

/** The part of the request being validated; it opens the error message. */
export type RequestPart = 'body' | 'querystring' | 'params' | 'headers';

type Path = readonly PropertyKey[];
type Issue = z.core.$ZodIssue;

/**
 * The parsed value. The input is not modified.
 *
 * @throws HttpError with status 400 and code FST_ERR_VALIDATION
 */
export function read<schema extends z.core.$ZodType>(
  schema: schema,
  place: RequestPart,
  input: unknown,
): z.output<schema> {
  let value = structuredClone(input);
  // Each round coerces what it can; a coerced value may reveal further violations inside it.
  for (let round = 0; round < 8; round++) {
    const result = z.safeParse(schema, value);
    if (result.success) return result.data;
    let repaired = false;
    for (const issue of result.error.issues) {
      const next = repair(value, issue);
      if (next.repaired) [value, repaired] = [next.value, true];
    }
    if (!repaired) break;
  }
  throw validationError(place, schema, value);
}

/** The body of a request. @throws HttpError */
export async function readJson<schema extends z.core.$ZodType>(
  request: Request,
  schema: schema,
): Promise<z.output<schema>> {
  return read(schema, 'body', await readBody(request));
}

/** The parameters of a request's query string. @throws HttpError */
export function readQuery<schema extends z.core.$ZodType>({ url }: Request, schema: schema): z.output<schema> {
  return read(schema, 'querystring', fromQuery(new URL(url).searchParams));
}

/** A query string as an object; a repeated parameter becomes an array. */
export function fromQuery(parameters: URLSearchParams): Record<string, string | string[]> {
  const names = [...new Set(parameters.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length > 1 ? values : (values[0] ?? '')];
    }),
  );
}

function repair(value: unknown, issue: Issue): { value: unknown; repaired: boolean } {
  const found = getPath(value, issue.path);
  if (issue.code === 'unrecognized_keys' && isRecord(found)) {
    for (const key of issue.keys) delete found[key];
    return { value, repaired: true };
  }
  const wanted =
    issue.code === 'invalid_type'
      ? [issue.expected]
      : issue.code === 'invalid_union'
        ? issue.errors.flatMap((list) => list.flatMap((e) => (e.code === 'invalid_type' ? [e.expected] : [])))
        : [];
  for (const type of wanted) {
    const coerced = coerce(found, type);
    if (coerced !== undefined) return { value: setPath(value, issue.path, coerced), repaired: true };
  }
  return { value, repaired: false };
}

function coerce(value: unknown, type: string): unknown {
  if (value === null) return type === 'string' ? '' : type === 'boolean' ? false : type === 'number' ? 0 : undefined;
  if (type === 'string') return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
  if (typeof value !== 'string') return undefined;
  if (type === 'number' || type === 'int') return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : undefined;
  if (type === 'array') return [value];
  return undefined;
}

function validationError(place: RequestPart, schema: z.core.$ZodType, value: unknown): HttpError {
  const decoding = Decode.from(schema, value);
  const problems = decoding.ok ? [] : decoding.problems;
  const problem = Decode.foremost(problems);
  const message = problem ? Decode.formatSchemaMessage(problem, place) : `${place} is invalid`;
  return frameworkError(400, 'FST_ERR_VALIDATION', message);
}

function getPath(value: unknown, path: Path): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<PropertyKey, unknown>)[key];
  }
  return found;
}

function setPath(value: unknown, path: Path, replacement: unknown): unknown {
  const last = path[path.length - 1];
  if (last === undefined) return replacement;
  const parent = getPath(value, path.slice(0, -1));
  if (typeof parent === 'object' && parent !== null) (parent as Record<PropertyKey, unknown>)[last] = replacement;
  return value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** 1 MiB. */
const limitBytes = 1_048_576;

/** The body as JSON. @throws HttpError with status 413, 415 or 400 */
export async function readBody(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    const name = type ? `: ${type}` : '';
    throw frameworkError(415, 'FST_ERR_CTP_INVALID_MEDIA_TYPE', `Unsupported Media Type${name}`);
  }
  const text = await readText(request);
  if (text === '') {
    const message = "Body cannot be empty when content-type is set to 'application/json'";
    throw frameworkError(400, 'FST_ERR_CTP_EMPTY_JSON_BODY', message);
  }
  try {
    return JSON.parse(text);
  } catch {
    const message = "Body is not valid JSON but content-type is set to 'application/json'";
    throw frameworkError(400, 'FST_ERR_CTP_INVALID_JSON_BODY', message);
  }
}

/** @throws HttpError with status 413 */
export async function readText(request: Request): Promise<string> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > limitBytes) throw tooLarge();
  return await readLimited(request.body ?? []);
}

/** The text of a body that may be of any length. @throws HttpError with status 413 */
export async function readLimited(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limitBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function tooLarge() {
  return frameworkError(413, 'FST_ERR_CTP_BODY_TOO_LARGE', 'Request body is too large');
}
