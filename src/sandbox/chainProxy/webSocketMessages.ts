/** Reads the text messages that a WebSocket client sends, from the bytes on the wire. Extensions must be off. */

/** Reports each message once it is complete. */
export function createMessageReader(onMessage: (text: string) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let parts: Buffer[] = [];
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (let frame = frameIn(rest); frame; frame = frameIn(rest)) {
      rest = rest.subarray(frame.size);
      if (frame.isControl) continue;
      parts.push(frame.content);
      if (!frame.isLast) continue;
      const message = Buffer.concat(parts);
      parts = [];
      onMessage(message.toString());
    }
  };
}

type Frame = { size: number; isLast: boolean; isControl: boolean; content: Buffer };

/** The first frame; undefined until all of it is there. */
function frameIn(bytes: Buffer): Frame | undefined {
  if (bytes.length < 2) return undefined;
  const [first = 0, second = 0] = bytes;
  const short = second & 0x7f;
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
  const isMasked = second >= 0x80;
  const start = 2 + extended + (isMasked ? 4 : 0);
  if (bytes.length < start) return undefined;
  const length = extended === 0 ? short : extended === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (bytes.length < start + length) return undefined;
  const content = Buffer.from(bytes.subarray(start, start + length));
  if (isMasked)
    for (let at = 0; at < length; at++) content[at] = (content[at] ?? 0) ^ (bytes[start - 4 + (at % 4)] ?? 0);
  return { size: start + length, isLast: first >= 0x80, isControl: (first & 0x0f) >= 8, content };
}
