/** Undoes the compression of a response. Servers and gateways compress without being asked. */
import * as zlib from 'node:zlib';

type Decompress = (body: Uint8Array, bounds: { maxOutputLength: number }) => Uint8Array;

/** By the names that HTTP has for them. Node has `zstd` since version 22.15. */
const decompressions: Readonly<Record<string, Decompress | undefined>> = {
  identity: (body) => body,
  gzip: zlib.gunzipSync,
  'x-gzip': zlib.gunzipSync,
  // Some servers leave out the zlib header, whose first four bits are always 8.
  deflate: (body, bounds) =>
    ((body[0] ?? 0) & 0x0f) === 8 ? zlib.inflateSync(body, bounds) : zlib.inflateRawSync(body, bounds),
  br: zlib.brotliDecompressSync,
  zstd: (zlib as { zstdDecompressSync?: Decompress }).zstdDecompressSync,
};

/** What became of a body: itself, or why it cannot be read. */
export type Decoded = { body: Uint8Array } | { failed: 'too-large' | 'unknown' | 'damaged' };

/** Decodes a body by its Content-Encoding header, which lists encodings in the order in which they were applied. */
export function decode(body: Uint8Array, header: string | undefined, maxBytes: number): Decoded {
  if (header === undefined || body.length === 0) return { body };
  let decoded = body;
  for (const name of header.toLowerCase().split(',').reverse()) {
    const decompress = decompressions[name.trim()];
    if (!decompress) return { failed: 'unknown' };
    try {
      decoded = decompress(decoded, { maxOutputLength: maxBytes });
    } catch (error) {
      return { failed: (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : 'damaged' };
    }
  }
  return { body: decoded };
}
