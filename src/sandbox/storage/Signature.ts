/**
 * A small summary of a set of words. It tells at once that most sets lack a word; that a set has it, is for the set
 * itself to say.
 */

/** Of each signature, in 32-bit words. */
export const words = 8;

const bitsPerWord = 3;
const bits = words * 32;

/** The summary of a set. */
export function of(set: readonly string[]): Uint32Array {
  const signature = new Uint32Array(words);
  for (const word of set) mark(signature, word);
  return signature;
}

/** Whether the set behind the signature at an offset may have all words behind a mask. */
export function mayHave(signatures: Uint32Array, offset: number, mask: Uint32Array): boolean {
  for (let at = 0; at < words; at++) {
    const wanted = mask[at] ?? 0;
    if (((signatures[offset + at] ?? 0) & wanted) >>> 0 !== wanted) return false;
  }
  return true;
}

function mark(signature: Uint32Array, word: string): void {
  const [first, second] = hash(word);
  for (let turn = 0; turn < bitsPerWord; turn++) {
    const bit = (first + turn * second) % bits;
    signature[bit >>> 5] = (signature[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }
}

/** Two independent 32-bit hashes of a text, regardless of case. */
export function hash(text: string): [first: number, second: number] {
  let first = 0x811c9dc5;
  let second = 0x9e3779b9;
  const lower = text.toLowerCase();
  for (let at = 0; at < lower.length; at++) {
    const code = lower.charCodeAt(at);
    first = Math.imul(first ^ code, 0x01000193);
    second = Math.imul(second ^ code, 0x85ebca6b);
    second ^= second >>> 13;
  }
  return [mixed(first), mixed(second)];
}

function mixed(value: number): number {
  let out = value;
  out = Math.imul(out ^ (out >>> 16), 0x7feb352d);
  out = Math.imul(out ^ (out >>> 15), 0x846ca68b);
  return (out ^ (out >>> 16)) >>> 0;
}
