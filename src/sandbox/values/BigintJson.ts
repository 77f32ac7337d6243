/** JSON with bigints, each as `{ "$bigint": "12" }`. */

export function stringify(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? { $bigint: part.toString() } : part));
}

export function parse(text: string): unknown {
  return JSON.parse(text, (_, part) => (typeof part?.$bigint === 'string' ? BigInt(part.$bigint) : part));
}
