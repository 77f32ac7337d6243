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
  const splitter = createSplitter(maxBytes);
  for await (const part of source) yield* splitter.split(typeof part === 'string' ? Buffer.from(part) : part);
  yield* splitter.end();
}

/** Splits text that arrives in chunks. Each call gives the lines that it completes; `end` the last one, if any. */
export type Splitter = {
  /** Keeps nothing of the chunk, which may be overwritten afterwards. @throws TooLongError */
  split(chunk: Uint8Array): Generator<Line, void>;
  end(): Generator<Line, void>;
};

export function createSplitter(maxBytes: number): Splitter {
  const decoder = new TextDecoder();
  let parts: Uint8Array[] = [];
  let size = 0;
  let number = 0;
  let start = 0;
  const take = (last: Uint8Array, isWhole: boolean): Line | undefined => {
    const bytes = parts.length === 0 ? last : Buffer.concat([...parts, last]);
    const text = decoder.decode(bytes).trim();
    const line = { number: ++number, text, start, isWhole };
    start += size + 1;
    parts = [];
    size = 0;
    return text === '' ? undefined : line;
  };
  return {
    *split(whole) {
      for (let chunk = whole; ; ) {
        const at = chunk.indexOf(0x0a);
        const piece = at < 0 ? chunk : chunk.subarray(0, at);
        size += piece.length;
        if (size > maxBytes) throw new TooLongError(number + 1, maxBytes);
        if (at < 0) {
          if (piece.length > 0) parts.push(Buffer.from(piece));
          return;
        }
        const line = take(piece, true);
        if (line) yield line;
        chunk = chunk.subarray(at + 1);
      }
    },
    *end() {
      const last = size > 0 ? take(new Uint8Array(0), false) : undefined;
      if (last) yield last;
    },
  };
}

export class TooLongError extends Error {
  override name = 'TooLongError';
  readonly line: number;
  constructor(line: number, maxBytes: number) {
    super(`Line ${line} is longer than ${maxBytes} bytes.`);
    this.line = line;
  }
}
