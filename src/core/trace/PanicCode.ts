/** Solidity panic codes: failures of checks that the compiler inserts. */

/** Describes a panic code. @example words(17n) // 'an arithmetic overflow or underflow' */
export function words(number: bigint): string {
  return panics[number.toString()] ?? 'unknown';
}

/** Formats a panic code as hexadecimal. @example code(1n) // '0x01' */
export function code(number: bigint): string {
  return `0x${number.toString(16).padStart(2, '0')}`;
}

const panics: Readonly<Record<string, string>> = {
  '0': 'a generic compiler panic',
  '1': 'an assertion failed',
  '17': 'an arithmetic overflow or underflow',
  '18': 'a division by zero',
  '33': 'an invalid enum value',
  '34': 'a corrupt storage byte array',
  '49': 'a pop from an empty array',
  '50': 'an array index out of bounds',
  '65': 'an excessive memory allocation',
  '81': 'a call to an uninitialized function',
};
