/** EIP-712 struct hashes straight from the specification: an independent check on the product's own. */
import * as Keccak from './keccak.js';

/** Definitions by name, each as the standard writes one: `Mail(address from,string contents)`. */
export type Types = Readonly<Record<string, string>>;

/** `hashStruct`: bytes and addresses are given as bytes, numbers as bigint, structs as objects. */
export function structHash(name: string, value: unknown, types: Types): Uint8Array {
  return keccak256(concat([typeHash(name, types), ...members(name, types).map(encodeMember)]));

  function encodeMember(member: Member): Uint8Array {
    if (typeof value !== 'object' || value === null || !(member.name in value)) throw new Error(`no ${member.name}`);
    return encode(member.type, (value as Record<string, unknown>)[member.name], types);
  }
}

/** `encodeData` of one member: 32 bytes. */
function encode(type: string, value: unknown, types: Types): Uint8Array {
  if (type.endsWith('[]')) {
    if (!Array.isArray(value)) throw new Error(`${type}: no array`);
    return keccak256(concat(value.map((element) => encode(type.slice(0, -2), element, types))));
  }
  if (type in types) return structHash(type, value, types);
  if (type === 'string' && typeof value === 'string') return keccak256(new TextEncoder().encode(value));
  if (type === 'bytes' && value instanceof Uint8Array) return keccak256(value);
  if (type === 'address' && value instanceof Uint8Array && value.length === 20)
    return concat([new Uint8Array(12), value]);
  const bits = /^uint(\d+)$/.exec(type)?.[1];
  if (bits === undefined || typeof value !== 'bigint' || value < 0n || value >= 2n ** BigInt(bits))
    throw new Error(`${String(value)} is no ${type}`);
  return Uint8Array.from({ length: 32 }, (_, index) => Number((value >> BigInt(8 * (31 - index))) & 0xffn));
}

/** `typeHash`: over the type's definition, followed by those of all referenced types in alphabetical order. */
function typeHash(name: string, types: Types): Uint8Array {
  const reached = new Set<string>();
  const reach = (each: string): void => {
    for (const { type } of members(each, types)) {
      const struct = type.replace(/(\[\])+$/, '');
      if (!(struct in types) || reached.has(struct)) continue;
      reached.add(struct);
      reach(struct);
    }
  };
  reach(name);
  reached.delete(name);
  const text = [name, ...[...reached].sort()].map((each) => types[each]).join('');
  return keccak256(new TextEncoder().encode(text));
}

type Member = { type: string; name: string };

function members(name: string, types: Types): Member[] {
  const inside = /^\w+\((.*)\)$/.exec(types[name] ?? '')?.[1];
  if (inside === undefined) throw new Error(`no type ${name}`);
  return inside.split(',').map((member) => {
    const [type = '', memberName = ''] = member.split(' ');
    return { type, name: memberName };
  });
}

/** Cached, because the hash is slow and orders that differ in one place share all other members. */
const hashes = new Map<string, Uint8Array>();

function keccak256(content: Uint8Array): Uint8Array {
  const key = Buffer.from(content).toString('latin1');
  const hash = hashes.get(key) ?? Keccak.keccak256(content);
  hashes.set(key, hash);
  return hash;
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
