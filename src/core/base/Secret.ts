/** A text that must not be shown: an API key, a private key. It prints as `***` however it is printed. */
export type Secret = {
  /** The text itself. Called only where it is sent or signed with. */
  reveal(): string;
  toString(): string;
  toJSON(): string;
};

/** What stands in the place of a secret. */
export const mask = '***';

/** Wraps a text. It lives in a closure, so neither JSON, nor a template, nor an inspector gets at it. */
export function from(text: string): Secret {
  return Object.freeze({ reveal: () => text, toString: () => mask, toJSON: () => mask });
}
