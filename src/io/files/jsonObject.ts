import * as JsonText from '../../core/text/JsonText.js';

/** The object in a text of JSON; undefined if it is no JSON, or no object. */
export function objectIn<T extends object>(text: string): Partial<T> | undefined {
  const value = JsonText.read(text);
  return typeof value === 'object' && value !== null ? value : undefined;
}
