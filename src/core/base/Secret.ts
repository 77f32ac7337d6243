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
