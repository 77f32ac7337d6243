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
