/** Reads request bodies, with the errors of the service's HTTP framework. */
import { frameworkError } from './HttpError.js';

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
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > limitBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function tooLarge() {
  return frameworkError(413, 'FST_ERR_CTP_BODY_TOO_LARGE', 'Request body is too large');
}
