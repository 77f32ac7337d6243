/** When two addresses of any chain are the same text. Apart from `Address.ts`, which loads the code of EVM addresses. */

/**
 * Whether two addresses are equal. The case of hexadecimal digits says nothing, but in Base58 and base64 another case is
 * another address.
 */
export function isEqual(a: string, b: string): boolean {
  return a === b || (isHexadecimal(a) && isHexadecimal(b) && a.toLowerCase() === b.toLowerCase());
}

/** The first character of a text that nobody sees, as `U+200B`, such as a web page brings along; undefined if there is none. */
export function invisible(text: string): string | undefined {
  const found = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00a0\u202f]/u.exec(text)?.[0].codePointAt(0);
  return found === undefined ? undefined : `U+${found.toString(16).toUpperCase().padStart(4, '0')}`;
}

function isHexadecimal(text: string): boolean {
  return /^0[xX][0-9a-fA-F]*$/.test(text);
}
