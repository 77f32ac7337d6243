/** Solidity's panics: what the compiler's own checks say by a number. */

/** In words. @example words(17n) // 'an arithmetic overflow or underflow' */
export function words(number: bigint): string {
  return panics[number.toString()] ?? 'unknown';
}

/** As it is usually written. @example code(1n) // '0x01' */
export function code(number: bigint): string {
  return `0x${number.toString(16).padStart(2, '0')}`;
}

const panics: Readonly<Record<string, string>> = {
  '0': 'a panic of the compiler',
  '1': 'an assertion failed',
  '17': 'an arithmetic overflow or underflow',
  '18': 'a division by zero',
  '33': 'an invalid enumeration value',
  '34': 'a corrupt storage byte array',
  '49': 'a removal from an empty array',
  '50': 'an array index out of bounds',
  '65': 'too much memory',
  '81': 'a call of an uninitialised function',
};
