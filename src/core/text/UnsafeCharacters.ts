/** The characters that text from elsewhere must not bring to a terminal or into a file. */

/**
 * Control characters; invisible format characters, such as bidi marks, zero-width characters and tags; line and
 * paragraph separators; letters without a shape.
 */
export const pattern =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u2065\u3164\uffa0\u{e0000}-\u{e007f}]|\u034f|\u17b4|\u17b5|\u180b|\u180c|\u180d|\u180f/gu;
