/** Reads the fields of a POST to the venue, which takes forms and query parameters. */
import { readText } from '../http/requestBody.js';
import { VenueRefusalError } from './VenueRefusal.js';

/**
 * The query parameters, and over them the fields of a form, which is `multipart/form-data` or URL-encoded.
 *
 * @throws 20001 for another body
 */
export async function sentFields(request: Request): Promise<Record<string, unknown>> {
  const inQuery = Object.fromEntries(new URL(request.url).searchParams);
  const header = request.headers.get('content-type') ?? undefined;
  const type = header?.split(';')[0]?.trim().toLowerCase();
  const text = await readText(request);
  if (type === 'application/x-www-form-urlencoded') {
    return { ...inQuery, ...Object.fromEntries(new URLSearchParams(text)) };
  }
  if (type === 'multipart/form-data') return { ...inQuery, ...(await partsOf(text, header ?? '')) };
  if (text !== '' || type !== undefined) throw new VenueRefusalError(20001);
  return inQuery;
}

/** The parts of a multipart form. A file has no text, so that its field is refused. */
async function partsOf(text: string, type: string): Promise<Record<string, unknown>> {
  try {
    return Object.fromEntries(await new Response(text, { headers: { 'content-type': type } }).formData());
  } catch {
    throw new VenueRefusalError(20001);
  }
}
