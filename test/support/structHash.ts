/** EIP-712 struct hashes straight from the specification: an independent check on the product's own. */

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
  const hash = hashes.get(key) ?? slowKeccak256(content);
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

/** Keccak-256 straight from its definition: a check on the library that the product uses. */
function slowKeccak256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 1) / rate) * rate);
  padded.set(bytes);
  padded[bytes.length] = 0x01;
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) | 0x80;
  const words = new BigUint64Array(padded.buffer);
  const state = Array<bigint>(25).fill(0n);
  for (let block = 0; block < words.length; block += rate / 8) {
    for (let lane = 0; lane < rate / 8; lane += 1) state[lane] = at(state, lane) ^ (words[block + lane] ?? 0n);
    permute(state);
  }
  return new Uint8Array(BigUint64Array.from(state.slice(0, 4)).buffer);
}

/** Bytes that a round of the sponge absorbs. */
const rate = 136;

/** The lane of column x and row y is at index x + 5y. */
function permute(state: bigint[]): void {
  let lfsr = 1;
  const nextBit = (): boolean => {
    const bit = lfsr & 1;
    lfsr = lfsr & 0x80 ? ((lfsr << 1) ^ 0x171) & 0xff : lfsr << 1;
    return bit === 1;
  };
  for (let round = 0; round < 24; round += 1) {
    const columns = [0, 1, 2, 3, 4].map((x) => [0, 5, 10, 15, 20].reduce((sum, row) => sum ^ at(state, x + row), 0n));
    for (let lane = 0; lane < 25; lane += 1)
      state[lane] = at(state, lane) ^ at(columns, (lane + 4) % 5) ^ rotate(at(columns, (lane + 1) % 5), 1);

    let [x, y] = [1, 0];
    let moving = at(state, 1);
    for (let step = 0; step < 24; step += 1) {
      [x, y] = [y, (2 * x + 3 * y) % 5];
      const next = at(state, x + 5 * y);
      state[x + 5 * y] = rotate(moving, ((step + 1) * (step + 2)) / 2);
      moving = next;
    }

    for (let row = 0; row < 25; row += 5) {
      const lanes = state.slice(row, row + 5);
      for (let column = 0; column < 5; column += 1)
        state[row + column] = at(lanes, column) ^ (~at(lanes, (column + 1) % 5) & mask & at(lanes, (column + 2) % 5));
    }

    for (let power = 0; power < 7; power += 1) if (nextBit()) state[0] = at(state, 0) ^ (1n << BigInt(2 ** power - 1));
  }
}

const mask = 2n ** 64n - 1n;

function rotate(lane: bigint, by: number): bigint {
  const bits = BigInt(by % 64);
  return ((lane << bits) | (lane >> (64n - bits))) & mask;
}

function at(lanes: readonly bigint[], index: number): bigint {
  return lanes[index] ?? 0n;
}
