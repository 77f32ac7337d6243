/** The text in bytes that other programs wrote. PowerShell writes UTF-16, and some editors a mark before UTF-8. */

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/**
 * The encoding of a text, by its mark. Without one, every second byte of UTF-16 is zero where it begins with ASCII, which no
 * text in UTF-8 has.
 */
function encodingOf([first, second]: Uint8Array): Encoding {
  if (first === undefined || second === undefined) return 'utf-8';
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? 'utf-16be' : 'utf-8';
}

/** Decodes a text without its mark. @throws TypeError if it has bytes that are none of its encoding, and it is `strict` */
export function decode(bytes: Uint8Array, { strict = false } = {}): string {
  return new TextDecoder(encodingOf(bytes), { fatal: strict }).decode(bytes);
}

/** Passes a text on in UTF-8. One that is in UTF-8 keeps its bytes, with its mark. */
export async function* toUtf8(source: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array, void> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let held: Uint8Array = new Uint8Array(0);
  let isKnown = false;
  for await (const part of source) {
    let bytes: Uint8Array = typeof part === 'string' ? Buffer.from(part) : part;
    if (!isKnown) {
      bytes = held = Buffer.concat([held, bytes]);
      if (held.length < 2) continue;
      isKnown = true;
      const encoding = encodingOf(held);
      if (encoding !== 'utf-8') decoder = new TextDecoder(encoding);
    }
    yield decoder ? Buffer.from(decoder.decode(bytes, { stream: true })) : bytes;
  }
  if (!isKnown) yield held;
  else if (decoder) yield Buffer.from(decoder.decode());
}
