/**
 * Looks up functions and errors by their 4-byte selector. Selectors are always computed from signatures, so none can be
 * mistyped, and colliding signatures are all kept.
 */
import { keccak256, parseAbi, stringToBytes } from 'viem/utils';
import * as z from 'zod/mini';
import { BaseError } from '../base/Errors.js';
import * as JsonText from '../text/JsonText.js';
import * as AbiParameter from './AbiParameter.js';

export type Signature = {
  name: string;
  /** The canonical signature that the selector is computed from: `transfer(address,uint256)`. */
  text: string;
  inputs: readonly AbiParameter.Parameter[];
  /** The return values of a function; empty if unknown. */
  outputs: readonly AbiParameter.Parameter[];
};

/** Signatures by lowercase selector. */
export type Signatures = {
  functions: ReadonlyMap<string, readonly Signature[]>;
  errors: ReadonlyMap<string, readonly Signature[]>;
};

/** Merges signatures. If a signature occurs twice, the first one's parameter names win. */
export function merge(...all: readonly Signatures[]): Signatures {
  return {
    functions: united(all.map(({ functions }) => functions)),
    errors: united(all.map(({ errors }) => errors)),
  };
}

/** Parses a file with one signature per line. @throws config.invalid with the line number */
export function fromLines(text: string, path: string): Signatures {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/(#|\/\/).*/, '').trim());
  const structs = lines.filter((line) => line.startsWith('struct '));
  const abi = lines.flatMap((line, at): readonly Item[] => {
    if (line === '' || line.startsWith('struct ')) return [];
    // A bare signature may be a function or an error.
    const forms = /^\w+\s*\(/.test(line) ? [`function ${line}`, `error ${line}`] : [line];
    const items = forms.map((each) => parsed([each, ...structs])).filter((each) => each !== undefined);
    if (items.length === 0)
      throw new BaseError('config.invalid', `Line ${at + 1} of the signature file is not a valid signature.`, {
        facts: [['file', path]],
        hint: 'One per line, as in Solidity: error TooMuch(uint256 limit), function pay(address to), pay(address).',
      });
    return items.flat();
  });
  return from(abi);
}

/** Parses a JSON ABI, bare or in a Foundry or Hardhat artifact. @throws trace.unreadable */
export function fromJson(text: string, path: string): Signatures {
  const read = z.safeParse(z.union([items, artifact]), JsonText.read(text));
  if (read.success) return from('abi' in read.data ? read.data.abi : read.data);
  const written = z.safeParse(z.array(z.string()), JsonText.read(text));
  const abi = written.success ? parsed(written.data) : undefined;
  if (!abi)
    throw new BaseError('trace.unreadable', `${path} does not contain an ABI.`, {
      hint: 'An ABI is a JSON array of functions and errors, or a Foundry or Hardhat artifact with one under "abi".',
    });
  return from(abi);
}

/** Parses human-readable signatures with their structs, for those that ship with ferry. */
export function fromWritten(lines: readonly string[]): Signatures {
  return from(parseAbi(lines as readonly string[]) as unknown as readonly Item[]);
}

type Item = z.output<typeof item>;

const described = z.object({
  name: z.optional(z.string()),
  type: z.string(),
  get components(): z.ZodMiniOptional<z.ZodMiniArray<z.ZodMiniType<AbiParameter.Described>>> {
    return z.optional(z.array(described));
  },
});
const item = z.object({
  type: z.string(),
  name: z.optional(z.string()),
  inputs: z.optional(z.array(described)),
  outputs: z.optional(z.array(described)),
});
const items = z.array(item);
const artifact = z.object({ abi: items });

/** The functions and errors of an ABI. Other items are ignored. */
function from(abi: readonly Item[]): Signatures {
  return {
    functions: index(abi.filter(({ type }) => type === 'function')),
    errors: index(abi.filter(({ type }) => type === 'error')),
  };
}

/** Indexes items by selector; omits items without a valid name or valid types. */
function index(abi: readonly Item[]): Map<string, readonly Signature[]> {
  const found = new Map<string, readonly Signature[]>();
  for (const each of abi) {
    const signature = toSignature(each);
    if (!signature) continue;
    const selector = keccak256(stringToBytes(signature.text)).slice(0, 10);
    found.set(selector, joined(found.get(selector) ?? [], [signature]));
  }
  return found;
}

function toSignature({ name = '', inputs = [], outputs = [] }: Item): Signature | undefined {
  if (!/^[\w$]+$/.test(name)) return undefined;
  const taken = parameters(inputs);
  if (!taken) return undefined;
  const text = `${name}(${taken.map(({ type }) => type).join(',')})`;
  return { name, text, inputs: taken, outputs: parameters(outputs) ?? [] };
}

function parameters(all: readonly AbiParameter.Described[]): readonly AbiParameter.Parameter[] | undefined {
  const found = all.flatMap((each) => AbiParameter.from(each) ?? []);
  return found.length === all.length ? found : undefined;
}

function united(all: readonly Signatures['functions'][]): Map<string, readonly Signature[]> {
  const found = new Map<string, readonly Signature[]>();
  for (const each of all)
    for (const [selector, signatures] of each) found.set(selector, joined(found.get(selector) ?? [], signatures));
  return found;
}

function joined(known: readonly Signature[], more: readonly Signature[]): readonly Signature[] {
  return [...known, ...more.filter(({ text }) => !known.some((each) => each.text === text))];
}

/** viem's parser takes minutes for a long line of spaces. */
const longestLine = 10_000;

function parsed(lines: readonly string[]): readonly Item[] | undefined {
  if (lines.some(({ length }) => length > longestLine)) return undefined;
  try {
    return parseAbi(lines as readonly string[]) as unknown as readonly Item[];
  } catch {
    return undefined;
  }
}
