/** The characters that text from elsewhere must not bring to a terminal or into a file. */

/**
 * Control characters; invisible format characters, such as bidi marks, zero-width characters and tags; line and
 * paragraph separators; letters without a shape; blanks at which no line is broken, so that they lay out lines that look
 * like ferry's own.
 */
export const pattern =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u2065\u2800\u3164\uffa0\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u{e0000}-\u{e007f}]|\u034f|\u17b4|\u17b5|\u180b|\u180c|\u180d|\u180f/gu;

/**
 * Makes text from the service or a chain safe for a terminal. Control, bidi and zero-width characters become visible
 * escapes, so the text cannot move the cursor, or hide or reverse its surroundings.
 */
// biome-ignore lint/suspicious/noShadowRestrictedNames: the global of that name is deprecated and not used here
export function escape(text: string): string {
  // Few texts have a character of Unicode, whose classes take a millisecond to compile.
  return /[^ -~]/.test(text) ? text.replace(pattern, visible) : text;
}

/** A character as a visible escape. */
export function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}
