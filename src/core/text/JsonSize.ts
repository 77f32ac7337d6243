/** How many objects and lists a JSON text holds: millions of empty ones take twenty times the memory of their text. */

/** Whether a text has more than so many. Brackets inside strings count as well. */
export function isOver(text: string, most: number): boolean {
  let left = most;
  for (let at = 0; at < text.length && left >= 0; at++) {
    const code = text.charCodeAt(at);
    if (code === brace || code === bracket) left--;
  }
  return left < 0;
}

const [brace, bracket] = [0x7b, 0x5b];
