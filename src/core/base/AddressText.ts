/** When two addresses of any chain are the same text. Apart from `Address.ts`, which loads the code of EVM addresses. */

/**
 * Whether two addresses are equal. The case of hexadecimal digits says nothing, but in Base58 and base64 another case is
 * another address.
 */
export function isEqual(a: string, b: string): boolean {
  return a === b || (isHexadecimal(a) && isHexadecimal(b) && a.toLowerCase() === b.toLowerCase());
}

function isHexadecimal(text: string): boolean {
  return /^0[xX][0-9a-fA-F]*$/.test(text);
}
