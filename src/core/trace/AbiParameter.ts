/** ABI parameters of functions and errors, and a bounded decoder for their values. */

/** A decoded value in JSON form: integers as decimal strings, bytes and addresses as lowercase hexadecimal. */
export type Value = string | boolean | readonly Value[] | { readonly [name: string]: Value };

export type Parameter = {
  /** Empty if the signature has none. */
  name: string;
  /** The canonical type: `uint256`, `(address,bool,uint256,bytes)[]`. */
  type: string;
  shape: Shape;
};

/** The layout of a type. `words` is its size in 32-byte words if it is static. */
type Shape =
  | { kind: 'word'; words: 1; read: (word: string) => Value | undefined }
  | { kind: 'bytes'; words: undefined; read: (digits: string) => Value }
  | { kind: 'array'; words: number | undefined; of: Shape; length: number | undefined }
  | { kind: 'tuple'; words: number | undefined; members: readonly Parameter[] };

/** The parts of a JSON ABI parameter that are used. */
export type Described = { name?: string | undefined; type: string; components?: readonly Described[] | undefined };

/** The maximum nesting depth of types, more than any real contract uses. */
const maxNesting = 16;

/** Builds a parameter from a JSON ABI parameter; undefined if the type is invalid. */
export function from({ name = '', type, components = [] }: Described, nesting = 0): Parameter | undefined {
  if (nesting > maxNesting) return undefined;
  const [, element = '', suffix = ''] = /^([a-z0-9]+)((?:\[\d*\])*)$/.exec(type) ?? [];
  const base = element === 'tuple' ? tuple(components, nesting) : elementary(element);
  const lengths = [...suffix.matchAll(/\[(\d*)\]/g)].map(([, length = '']) => length);
  if (!base || lengths.length > maxNesting) return undefined;
  let { shape } = base;
  for (const text of lengths) {
    const length = text === '' ? undefined : Number(text);
    if (length === 0) return undefined;
    const words = shape.words === undefined || length === undefined ? undefined : shape.words * length;
    shape = { kind: 'array', words, of: shape, length };
  }
  return { name, type: base.type + suffix, shape };
}

/**
 * Decodes ABI-encoded values in parameter order; trailing bytes are ignored. Undefined if there are too few bytes or a
 * value is out of range. Time and memory are bounded by the length of the input, even for malicious offsets.
 *
 * @param digits hexadecimal digits without `0x`
 */
export function read(parameters: readonly Parameter[], digits: string): readonly Value[] | undefined {
  // A regular encoding contains every word once; offsets that reuse the same bytes exhaust this budget.
  const source: Source = { digits, left: digits.length / 32 + 64 };
  return readMembers(parameters, source, 0);
}

type Source = { digits: string; left: number };

/** The number of hexadecimal digits in a word. */
const word = 64;

function readMembers(members: readonly Parameter[], source: Source, base: number): Value[] | undefined {
  const values: Value[] = [];
  let head = base;
  for (const { shape } of members) {
    const value = readMember(shape, source, base, head);
    if (value === undefined) return undefined;
    values.push(value);
    head += (shape.words ?? 1) * word;
  }
  return values;
}

/** A dynamic member is stored elsewhere, and its head is the offset to it. */
function readMember(shape: Shape, source: Source, base: number, head: number): Value | undefined {
  if (shape.words !== undefined) return readShape(shape, source, head);
  const offset = readCount(source, head);
  return offset === undefined ? undefined : readShape(shape, source, base + offset * 2);
}

function readShape(shape: Shape, source: Source, at: number): Value | undefined {
  switch (shape.kind) {
    case 'word': {
      const digits = readWord(source, at);
      return digits === undefined ? undefined : shape.read(digits);
    }
    case 'bytes': {
      const length = readCount(source, at);
      if (length === undefined) return undefined;
      const from = at + word;
      source.left -= length / 32;
      if (source.left < 0 || from + length * 2 > source.digits.length) return undefined;
      return shape.read(source.digits.slice(from, from + length * 2));
    }
    case 'array': {
      const length = shape.length ?? readCount(source, at);
      if (length === undefined) return undefined;
      const from = shape.length === undefined ? at + word : at;
      const step = (shape.of.words ?? 1) * word;
      if (from + length * step > source.digits.length) return undefined;
      const values: Value[] = [];
      for (let index = 0; index < length; index++) {
        const value = readMember(shape.of, source, from, from + index * step);
        if (value === undefined) return undefined;
        values.push(value);
      }
      return values;
    }
    case 'tuple': {
      const values = readMembers(shape.members, source, at);
      return values && named(shape.members, values);
    }
  }
}

function readWord(source: Source, at: number): string | undefined {
  source.left -= 1;
  if (source.left < 0 || at + word > source.digits.length) return undefined;
  return source.digits.slice(at, at + word);
}

/** A plausible length or offset in bytes. */
function readCount(source: Source, at: number): number | undefined {
  const digits = readWord(source, at);
  return digits?.startsWith(zeros(52)) ? Number.parseInt(digits.slice(52), 16) : undefined;
}

/** An object if all members have distinct names, else a list. */
function named(members: readonly Parameter[], values: readonly Value[]): Value {
  const names = new Set(members.map(({ name }) => name));
  if (names.has('') || names.size < members.length) return values;
  return Object.fromEntries(members.map(({ name }, index) => [name, values[index] ?? '']));
}

function tuple(components: readonly Described[], nesting: number): Omit<Parameter, 'name'> | undefined {
  const members: Parameter[] = [];
  for (const component of components) {
    const member = from(component, nesting + 1);
    if (!member) return undefined;
    members.push(member);
  }
  // An empty tuple has no size, so an array of it would be unbounded.
  if (members.length === 0) return undefined;
  const words = members.reduce<number | undefined>(
    (sum, { shape }) => (sum === undefined || shape.words === undefined ? undefined : sum + shape.words),
    0,
  );
  return { type: `(${members.map(({ type }) => type).join(',')})`, shape: { kind: 'tuple', words, members } };
}

function elementary(type: string): Omit<Parameter, 'name'> | undefined {
  if (type === 'bytes') return { type, shape: { kind: 'bytes', words: undefined, read: (digits) => `0x${digits}` } };
  if (type === 'string') return { type, shape: { kind: 'bytes', words: undefined, read: text } };
  const canonical = type === 'uint' ? 'uint256' : type === 'int' ? 'int256' : type;
  const of = reader(canonical);
  return of && { type: canonical, shape: { kind: 'word', words: 1, read: of } };
}

function reader(type: string): ((digits: string) => Value | undefined) | undefined {
  if (type === 'address') return (digits) => (digits.startsWith(zeros(24)) ? `0x${digits.slice(24)}` : undefined);
  if (type === 'bool') return bool;
  const [, kind, size = ''] = /^(uint|int|bytes)([1-9]\d*)$/.exec(type) ?? [];
  const bits = kind === 'bytes' ? Number(size) * 8 : Number(size);
  if (type === 'function') return fixedBytes(24);
  if (!kind || bits > 256 || bits % 8 !== 0) return undefined;
  if (kind === 'bytes') return fixedBytes(bits / 8);
  if (kind === 'int') return (digits) => signed(digits, bits);
  const head = zeros(word - bits / 4);
  return (digits) => (digits.startsWith(head) ? decimal(digits) : undefined);
}

function bool(digits: string): boolean | undefined {
  if (!digits.startsWith(zeros(63)) || !/[01]$/.test(digits)) return undefined;
  return digits.endsWith('1');
}

function fixedBytes(length: number): (digits: string) => Value | undefined {
  const tail = zeros(word - length * 2);
  return (digits) => (digits.endsWith(tail) ? `0x${digits.slice(0, length * 2)}` : undefined);
}

function signed(digits: string, bits: number): string | undefined {
  const value = BigInt.asIntN(256, BigInt(`0x${digits}`));
  return BigInt.asIntN(bits, value) === value ? value.toString() : undefined;
}

function decimal(digits: string): string {
  // A number holds up to 52 bits exactly.
  if (digits.startsWith(zeros(51))) return String(Number.parseInt(digits.slice(51), 16));
  return BigInt(`0x${digits}`).toString();
}

function text(digits: string): string {
  const bytes = new Uint8Array(digits.length / 2);
  for (let index = 0; index < bytes.length; index++)
    bytes[index] = Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16);
  return new TextDecoder().decode(bytes);
}

const allZeros = '0'.repeat(word);

function zeros(digits: number): string {
  return allZeros.slice(0, digits);
}
