/** Forms of typed data: the exact struct types, and a reader for messages of these types. */
import type * as z from 'zod/mini';
import * as Decode from '../../api/schema/Decode.js';
import type { Address } from '../../base/Address.js';
import type { Binding } from './OrderBinding.js';
import type { Grant } from './TokenGrant.js';

/** The struct types of a message; the first is the primary type. */
export type Types = Readonly<Record<string, readonly Field[]>>;
export type Field = { name: string; type: string };

/** A decoded message: as it is signed, what it grants, and how it is bound to an order. */
export type Read = { message: Record<string, unknown>; grant: Grant; binding: Binding };

export type Form = {
  types: Types;
  /** Decodes a message that has exactly the fields of the types. `token` is the contract named by the domain. */
  read(value: unknown, token: Address): Decode.Decoding<Read>;
};

/** A signature standard with its forms. */
export type Kind = {
  /** For example `an EIP-3009 authorization`. */
  label: string;
  /** The values of `post.body.kind` for it. */
  bodyKinds: readonly string[];
  /** The one contract that accepts it and its domain name; undefined if each token is its own verifying contract. */
  domain: { name: string; contract: Address } | undefined;
  forms: readonly Form[];
};

/** Builds a form from its types, the schema of its message, and a function that interprets the message. */
export function of<M extends Record<string, unknown>>(
  types: Types,
  schema: z.ZodMiniType<M>,
  interpret: (message: M, token: Address) => Omit<Read, 'message'>,
): Form {
  return {
    types,
    read(value, token) {
      const decoding = Decode.from(schema, value);
      if (!decoding.ok) return decoding;
      const message = decoding.value as M;
      return { ok: true, value: { message, ...interpret(message, token) } };
    },
  };
}

/**
 * Parses struct types from the notation of the standards, the primary type first.
 *
 * @example types('Mail(address to,Part[] parts)', 'Part(bytes content)')
 */
export function types(...structs: readonly string[]): Record<string, Field[]> {
  return Object.fromEntries(
    structs.map((struct) => {
      const [name = '', fields = ''] = struct.replace(')', '').split('(');
      return [name, fields.split(',').map(field)];
    }),
  );
}

/** The type whose hash is signed. */
export function primaryType(types: Types): string {
  return Object.keys(types)[0] ?? '';
}

/** Whether two sets of types have the same structs, with the same fields in the same order. Struct order is ignored. */
export function isSame(a: Types, b: Types): boolean {
  return canonical(a) === canonical(b);
}

/** The types in the notation of the standards. */
export function format(types: Types): string {
  return Object.entries(types)
    .map(([name, fields]) => `${name}(${fields.map((each) => `${each.type} ${each.name}`).join(',')})`)
    .join('');
}

function field(text: string): Field {
  const [type = '', name = ''] = text.split(' ');
  return { name, type };
}

function canonical(types: Types): string {
  const structs = Object.entries(types).map(([name, fields]) => [name, fields.map((each) => [each.type, each.name])]);
  return JSON.stringify(structs.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}
