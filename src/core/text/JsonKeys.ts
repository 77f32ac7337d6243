/** The keys of a JSON text. A parser keeps one of two values of the same key, and not every parser keeps the same one. */

/** The first key that an object of a valid JSON text has twice; undefined if there is none. */
export function repeated(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{') open.push(new Set());
    else if (character === '}') open.pop();
    if (character !== '"') continue;
    const start = at;
    for (at++; text[at] !== '"'; at++) if (text[at] === '\\') at++;
    colon.lastIndex = at + 1;
    if (!colon.test(text)) continue;
    // Decoded: the same key may be written in several ways.
    const key: string = JSON.parse(text.slice(start, at + 1));
    const keys = open.at(-1);
    if (keys?.has(key)) return key;
    keys?.add(key);
  }
  return undefined;
}

const colon = /\s*:/y;
