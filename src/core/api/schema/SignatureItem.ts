/** The data of a signature item: what to sign and where to post the signature. */
import * as z from 'zod/mini';
import * as Primitives from './Primitives.js';

export type Signing = z.output<typeof schema>;
export type Sign = Signing['sign'];
export type TypedData = z.output<typeof eip712>;
export type PersonalMessage = z.output<typeof eip191>;
export type Post = z.output<typeof post>;
export type Kind = (typeof kinds)[number];

export const kinds = ['eip191', 'eip712'] as const;

/** A 32-byte hash is signed as raw bytes, any other message as text. */
export const eip191 = z.strictObject({ signatureKind: z.literal('eip191'), message: z.string() });

const domain = z.strictObject({
  name: z.optional(z.string()),
  version: z.optional(z.string()),
  chainId: z.optional(z.union([Primitives.count, Primitives.digits])),
  verifyingContract: z.optional(z.string()),
  salt: z.optional(Primitives.bytes32),
});

export const eip712 = z.strictObject({
  signatureKind: z.literal('eip712'),
  domain,
  /** May or may not list `EIP712Domain`. */
  types: z.record(z.string(), z.array(z.strictObject({ name: z.string(), type: z.string() }))),
  primaryType: z.string(),
  /** The message, under this name. */
  value: z.record(z.string(), z.unknown()),
});

/** Where to post the signature, as the query parameter `signature`. The body is sent back unchanged. */
export const post = Primitives.object({
  endpoint: z.string(),
  method: z.string(),
  body: z.optional(z.record(z.string(), z.unknown())),
});

/** Strict in everything that is signed. */
export const schema = z.strictObject({
  sign: z.discriminatedUnion('signatureKind', [eip191, eip712]),
  post: z.optional(post),
});

/**
 * The paths of message fields that the EIP-712 types do not cover. The signature does not protect them, so they must
 * not be relied on.
 *
 * @example unsignedFields(typedData) // ['witness.note']
 */
export function unsignedFields(typedData: TypedData): string[] {
  return uncovered({ types: typedData.types, type: typedData.primaryType, value: typedData.value, path: '' });
}

type Place = { types: TypedData['types']; type: string; value: unknown; path: string };

function uncovered({ types, type, value, path }: Place): string[] {
  const element = /^(.*)\[[0-9]*\]$/.exec(type)?.[1];
  if (element !== undefined) {
    if (!Array.isArray(value)) return [];
    return value.flatMap((part, index) => uncovered({ types, type: element, value: part, path: `${path}[${index}]` }));
  }
  const fields = Object.hasOwn(types, type) ? types[type] : undefined;
  if (!fields || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const at = path ? `${path}.${key}` : key;
    const field = fields.find(({ name }) => name === key);
    return field ? uncovered({ types, type: field.type, value: part, path: at }) : [at];
  });
}
