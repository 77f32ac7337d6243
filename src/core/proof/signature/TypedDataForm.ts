/** The forms of typed data that ferry knows: their types, field for field, and how a message reads. */
import type * as z from 'zod/mini';
import * as Decode from '../../api/schema/Decode.js';
import type { Address } from '../../base/Address.js';
import type { Binding } from './OrderBinding.js';
import type { Grant } from './TokenGrant.js';

/** The struct types of a message; the first is the primary type. */
export type Types = Readonly<Record<string, readonly Field[]>>;
export type Field = { name: string; type: string };

/** What a message says, and the message as it is signed. */
export type Read = { message: Record<string, unknown>; grant: Grant; binding: Binding };

export type Form = {
  types: Types;
  /** Reads a message that must have exactly the fields of the types. `token` is the contract that the domain names. */
  read(value: unknown, token: Address): Decode.Decoding<Read>;
};

/** A standard with its forms. */
export type Kind = {
  /** `EIP-3009 authorisation`. */
  label: string;
  /** What `post.body.kind` calls it. */
  words: readonly string[];
  /** The one contract that takes it and the name of its domain; undefined where each token takes its own. */
  domain: { name: string; contract: Address } | undefined;
  forms: readonly Form[];
};

/** A form of its types, the schema of its message and what the message grants. */
export function of<M extends Record<string, unknown>>(
  types: Types,
  schema: z.ZodMiniType<M>,
  mean: (message: M, token: Address) => Omit<Read, 'message'>,
): Form {
  return {
    types,
    read(value, token) {
      const decoding = Decode.from(schema, value);
      if (!decoding.ok) return decoding;
      const message = decoding.value as M;
      return { ok: true, value: { message, ...mean(message, token) } };
    },
  };
}

/**
 * Struct types from the text in which the standards write them, the primary type first.
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

/** Whether two sets of types are the same field for field and in order; in which order the structs come is no matter. */
export function isSame(a: Types, b: Types): boolean {
  return canonical(a) === canonical(b);
}

/** The types as the standards write them. */
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
