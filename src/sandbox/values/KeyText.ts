/** Base58, in which Solana writes keys and signatures: the sandbox's own, beside the client's. */

const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** The text of bytes. */
export function encode(bytes: Uint8Array): string {
  let value = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (; value > 0n; value /= 58n) text = `${digits[Number(value % 58n)]}${text}`;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return `${'1'.repeat(zeros < 0 ? bytes.length : zeros)}${text}`;
}

/** The bytes of a text; undefined if it is not Base58, or longer than by default a signature: it takes quadratic time. */
export function decode(text: string, mostDigits = 90): Uint8Array | undefined {
  if (!/^[1-9A-HJ-NP-Za-km-z]+$/.test(text) || text.length > mostDigits) return undefined;
  let value = 0n;
  for (const digit of text) value = value * 58n + BigInt(digits.indexOf(digit));
  const hex = value === 0n ? '' : value.toString(16);
  const zeros = /^1*/.exec(text)?.[0].length ?? 0;
  return Buffer.concat([Buffer.alloc(zeros), Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')]);
}
