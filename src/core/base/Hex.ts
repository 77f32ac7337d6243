/** Bytes as `0x` and hexadecimal digits. */
export type Hex = `0x${string}`;
