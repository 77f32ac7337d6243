/** Reads text of any length line by line, with at most one line and one chunk in memory. */

export type Line = {
  /** Line number from 1, counting empty lines. */
  number: number;
  /** The text without its line break. Invalid UTF-8 is replaced. */
  text: string;
  /** Byte offset of the line. */
  start: number;
  /** Whether a line break ends it; the last line may have none. */
  isWhole: boolean;
};

/** The non-empty lines of a source. @throws TooLongError · whatever the source throws */
export async function* lines(source: AsyncIterable<Uint8Array | string>, maxBytes: number): AsyncGenerator<Line, void> {
  const decoder = new TextDecoder();
  let parts: Uint8Array[] = [];
  let size = 0;
  let number = 0;
  let start = 0;
  const take = (isWhole: boolean): Line | undefined => {
    const text = decoder.decode(Buffer.concat(parts)).trim();
    const line = { number: ++number, text, start, isWhole };
    start += size + 1;
    parts = [];
    size = 0;
    return text === '' ? undefined : line;
  };
  for await (const part of source) {
    let chunk: Uint8Array = typeof part === 'string' ? Buffer.from(part) : part;
    for (;;) {
      const at = chunk.indexOf(0x0a);
      const piece = at < 0 ? chunk : chunk.subarray(0, at);
      size += piece.length;
      if (size > maxBytes) throw new TooLongError(number + 1, maxBytes);
      if (piece.length > 0) parts.push(piece);
      if (at < 0) break;
      const line = take(true);
      if (line) yield line;
      chunk = chunk.subarray(at + 1);
    }
  }
  const last = size > 0 ? take(false) : undefined;
  if (last) yield last;
}

/** A line longer than the limit. */
export class TooLongError extends Error {
  override name = 'TooLongError';
  readonly line: number;
  constructor(line: number, maxBytes: number) {
    super(`Line ${line} is longer than ${maxBytes} bytes.`);
    this.line = line;
  }
}
