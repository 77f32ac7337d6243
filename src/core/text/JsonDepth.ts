/** How deep a JSON text nests. Code that calls itself for each level fails on a text made to nest deeper than that. */

/** Far more than anything that ferry reads, but a call trace, and far less than what the stack holds. */
const most = 200;

/** Whether a text of JSON or YAML nests deeper than anything that ferry reads. Brackets inside strings do not count. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === backslash) at++;
      else if (code === quote) inString = false;
    } else if (code === quote) inString = true;
    else if (code === bracket || code === brace) {
      depth++;
      if (depth > most) return true;
    } else if (code === bracket + 2 || code === brace + 2) depth--;
  }
  return false;
}

const [quote, backslash, bracket, brace] = [0x22, 0x5c, 0x5b, 0x7b];
