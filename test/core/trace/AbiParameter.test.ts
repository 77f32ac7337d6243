import fc from 'fast-check';
import type { AbiParameter, Hex } from 'viem';
import { encodeAbiParameters, parseAbiParameters } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import * as Parameter from '../../../src/core/trace/AbiParameter.js';

function parameters(text: string): readonly Parameter.Parameter[] {
  return (parseAbiParameters(text) as readonly Parameter.Described[]).map((each) => {
    const found = Parameter.from(each);
    if (!found) throw new Error(`no parameter: ${each.type}`);
    return found;
  });
}

function encode(text: string, values: readonly unknown[]): string {
  return encodeAbiParameters(parseAbiParameters(text) as readonly AbiParameter[], values as never).slice(2);
}

const word = (value: bigint | number): string => value.toString(16).padStart(64, '0');
const address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

describe('from', () => {
  test.each([
    ['int', 'int256'],
    ['uint8[2][]', 'uint8[2][]'],
  ])('default: %s is %s', (type, text) => {
    expect(Parameter.from({ type })?.type).toBe(text);
  });

  test('behavior: a tuple is expanded', () => {
    const components = [
      { name: 'to', type: 'address' },
      { name: 'parts', type: 'tuple[]', components: [{ type: 'uint' }] },
    ];
    expect(Parameter.from({ name: 'call', type: 'tuple[3]', components })).toMatchObject({
      name: 'call',
      type: '(address,(uint256)[])[3]',
    });
  });

  test.each(['uint7', 'uint264', 'uint0'])('error: %s is not a type', (type) => {
    expect(Parameter.from({ type })).toBeUndefined();
  });

  test('error: nested too deeply', () => {
    const nested: Parameter.Described & { components: Parameter.Described[] } = { type: 'tuple', components: [] };
    nested.components.push(nested);
    expect(Parameter.from(nested)).toBeUndefined();
  });
});

describe('read', () => {
  test('behavior: structs by name, or in order if a name is missing or duplicated', () => {
    const struct = '(address to, (int8 a, int256)[] parts, uint256[2] pair)[] calls';
    const value = [{ to: address, parts: [[-1, -(2n ** 255n)]], pair: [1n, 2n] }];
    expect(Parameter.read(parameters(struct), encode(struct, [value]))).toEqual([
      [{ to: address, parts: [['-1', (-(2n ** 255n)).toString()]], pair: ['1', '2'] }],
    ]);
    const twice = Parameter.from({
      type: 'tuple',
      components: [
        { name: 'a', type: 'bool' },
        { name: 'a', type: 'bool' },
      ],
    });
    expect(twice && Parameter.read([twice], word(1) + word(0))).toEqual([[true, false]]);
  });

  test('behavior: a member may have any name', () => {
    const components = [{ name: '__proto__', type: 'uint8' }];
    const odd = Parameter.from({ type: 'tuple', components });
    expect(JSON.stringify(odd && Parameter.read([odd], word(7)))).toBe('[{"__proto__":"7"}]');
  });

  test('behavior: decodes whatever viem encodes, and ignores trailing bytes', () => {
    fc.assert(
      fc.property(parameter(), fc.constantFrom('', '00', 'ff'.repeat(33)), ({ type, value, read }, more) => {
        const encoded = encodeAbiParameters([type], [value]).slice(2);
        const found = Parameter.from(type);
        expect(found && Parameter.read([found], encoded + more)).toEqual([read]);
      }),
      { numRuns: 300 },
    );
  });

  test('error: truncated bytes', () => {
    fc.assert(
      fc.property(parameter(), fc.nat(), ({ type, value }, at) => {
        const encoded = encodeAbiParameters([type], [value]).slice(2);
        const found = Parameter.from(type);
        // The last word of a string is partly padding, which is not read.
        const most = Math.max(0, encoded.length - 62);
        expect(found && Parameter.read([found], encoded.slice(0, at % (most || 1)))).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ['address', word(2n ** 160n)],
    ['bool', word(2)],
    ['uint8', word(256)],
    ['int8', word(128)],
    ['bytes4', `12345678${'0'.repeat(55)}1`],
    ['bytes', word(2n ** 200n)],
    ['string', word(32) + word(2n ** 50n)],
    ['uint256[]', word(32) + word(3) + word(1)],
    ['bytes[]', word(32) + word(2n ** 40n) + word(0)],
  ])('error: %s out of range', (type, digits) => {
    expect(Parameter.read(parameters(type), digits)).toBeUndefined();
  });

  test('error: offsets that reuse the same bytes', () => {
    // Ten thousand elements that all point to one string of a hundred thousand bytes: a gigabyte if decoded.
    const count = 10_000;
    const element = word(count * 32);
    const digits = word(32) + word(count) + element.repeat(count) + word(100_000) + 'ab'.repeat(100_000);
    expect(Parameter.read(parameters('bytes[]'), digits)).toBeUndefined();
    const few = word(32) + word(2) + word(64).repeat(2) + word(2) + 'abcd'.padEnd(64, '0');
    expect(Parameter.read(parameters('bytes[]'), few)).toEqual([['0xabcd', '0xabcd']]);
  });
});

type Sample = { type: AbiParameter; value: unknown; read: Parameter.Value };

/** A type with a value, in viem's form and as decoded. */
function parameter(depth = 2): fc.Arbitrary<Sample> {
  const bits = fc.integer({ min: 1, max: 32 }).map((bytes) => bytes * 8);
  const hex = (min: number, max: number) => fc.uint8Array({ minLength: min, maxLength: max }).map(toHex);
  const leaves: fc.Arbitrary<Sample>[] = [
    fc.boolean().map((value) => ({ type: { type: 'bool' }, value, read: value })),
    hex(20, 20).map((value) => ({ type: { type: 'address' }, value, read: value })),
    bits.chain((size) =>
      fc.bigInt({ min: 0n, max: 2n ** BigInt(size) - 1n }).map((value) => number(`uint${size}`, value, size)),
    ),
    bits.chain((size) =>
      fc
        .bigInt({ min: -(2n ** BigInt(size - 1)), max: 2n ** BigInt(size - 1) - 1n })
        .map((value) => number(`int${size}`, value, size)),
    ),
    fc
      .integer({ min: 1, max: 32 })
      .chain((size) => hex(size, size).map((value) => ({ type: { type: `bytes${size}` }, value, read: value }))),
    hex(0, 70).map((value) => ({ type: { type: 'bytes' }, value, read: value })),
    fc.string({ unit: 'grapheme', maxLength: 40 }).map((value) => ({ type: { type: 'string' }, value, read: value })),
  ];
  const leaf = fc.oneof(...leaves);
  if (depth === 0) return leaf;
  const list = (fixed: boolean) =>
    fc.tuple(parameter(depth - 1), fc.integer({ min: fixed ? 1 : 0, max: 3 })).map(([each, length]): Sample => {
      const type = { ...each.type, type: `${each.type.type}[${fixed ? length : ''}]` } as AbiParameter;
      return { type, value: Array(length).fill(each.value), read: Array(length).fill(each.read) };
    });
  const tuple = fc.array(parameter(depth - 1), { minLength: 1, maxLength: 3 }).map((members): Sample => {
    const components = members.map(({ type }, index) => ({ ...type, name: `m${index}` }));
    const entries = (key: 'value' | 'read') => Object.fromEntries(members.map((each, at) => [`m${at}`, each[key]]));
    const read = entries('read') as Record<string, Parameter.Value>;
    return { type: { type: 'tuple', components } as AbiParameter, value: entries('value'), read };
  });
  return fc.oneof(leaf, list(true), list(false), tuple);
}

/** Up to 48 bits, viem uses a number. */
function number(type: string, value: bigint, size: number): Sample {
  return { type: { type }, value: size <= 48 ? Number(value) : value, read: value.toString() };
}

function toHex(bytes: Uint8Array): Hex {
  return `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
