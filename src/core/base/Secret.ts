/** A string that must never be printed, such as an API key or a private key. It always prints as `***`. */
export type Secret = {
  /** The secret itself. Call it only to send it or sign with it. */
  reveal(): string;
  toString(): string;
  toJSON(): string;
};

/** Printed in place of a secret. */
export const mask = '***';

/** Wraps a string in a closure, out of reach of JSON, template literals and inspectors. */
export function from(text: string): Secret {
  return Object.freeze({ reveal: () => text, toString: () => mask, toJSON: () => mask });
}

/** Keys of EVM chains and of the venue, keys from which a wallet derives others, those of Solana and of Bitcoin. */
const keyForms = [
  /^(0x)?([0-9a-f]{64}|[0-9a-f]{80})$/i,
  /^[a-z]prv[1-9A-HJ-NP-Za-km-z]{100,}$/,
  /^[1-9A-HJ-NP-Za-km-z]{87,88}$/,
  /^[5KL][1-9A-HJ-NP-Za-km-z]{50,51}$/,
];

/** Whether a text is a private key, of a wallet or of the venue. A hash may look like one. */
export function isKey(text: string): boolean {
  return keyForms.some((form) => form.test(text));
}
