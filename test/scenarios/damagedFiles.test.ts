/**
 * Every file that ferry reads, damaged: it is read as what it says or refused with a typed error that names it. Nothing
 * crashes, nothing is signed, and no secret is printed. A seed decides each damage: to repeat one, set FUZZ_SEED to the
 * number in the failure. The suite damages each kind of file fifty times, and FUZZ=all twenty thousand times.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BaseError } from '../../src/core/base/Errors.js';
import { format, toBaseError, toJson } from '../../src/core/text/ErrorReport.js';
import { plain } from '../../src/core/text/TerminalStyle.js';
import { chance } from '../support/chance.js';
import { temporaryFolder } from '../support/ferry.js';
import { type Kind, kinds } from '../support/fileKinds.js';

const count = process.env.FUZZ === 'all' ? 20_000 : 50;
const first = Number(process.env.FUZZ_SEED ?? 1);

/** Parts of the secrets of a file, so that a damaged one is found too. */
function parts(secrets: readonly string[]): string[] {
  return secrets.flatMap((secret) => secret.match(/.{12}/g) ?? [secret]);
}

/** What is wrong with a refusal. */
function wrong(thrown: unknown, path: string, { secrets = [] }: Kind): string | undefined {
  const error = toBaseError(thrown);
  if (!(thrown instanceof BaseError) || error.code === 'internal.bug')
    return `a crash: ${thrown instanceof Error ? thrown.stack : String(thrown)}`;
  const text = `${format(error, plain)}\n${JSON.stringify(toJson(error))}`;
  if (!text.includes(basename(path))) return `the file is not named: ${text}`;
  const found = parts(secrets).find((part) => text.includes(part));
  return found === undefined ? undefined : `a part of a secret, ${found}: ${text}`;
}

describe.each(kinds)('$name', (kind) => {
  test(
    'behavior: a damaged file is read as what it says or refused by name',
    async () => {
      const folder = temporaryFolder();
      const path = join(folder, kind.file);
      const valid = await kind.valid();
      await write(path, valid, kind);
      const original = await kind.read(path);
      expect(original).toBeDefined();
      let refused = 0;
      for (let seed = first; seed < first + count; seed++) {
        const bytes = damaged(valid, seed);
        await write(path, bytes, kind);
        const at = `FUZZ_SEED=${seed}: ${JSON.stringify(bytes.toString('latin1').slice(0, 2_000))}`;
        try {
          const found = await kind.read(path);
          if (kind.may && !kind.may(found, original)) expect.fail(`${at}\nis accepted as ${show(found)}`);
        } catch (thrown) {
          if (thrown instanceof Error && thrown.name === 'AssertionError') throw thrown;
          const problem = kind.neverThrows
            ? `it is to be ignored, not refused: ${String(thrown)}`
            : wrong(thrown, path, kind);
          if (problem !== undefined) expect.fail(`${at}\n${problem}`);
          refused++;
        }
      }
      // Else the damage does not reach the reader.
      if (!kind.neverThrows) expect(refused).toBeGreaterThan(count / 10);
    },
    process.env.FUZZ === 'all' ? 600_000 : 60_000,
  );
});

async function write(path: string, bytes: Buffer, { seal }: Kind): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, seal ? seal(bytes) : bytes, { mode: 0o600 });
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each)).slice(0, 2_000);
}

type Random = () => number;

/** The file with one to three damages. */
function damaged(valid: Buffer, seed: number): Buffer {
  const random = chance(seed);
  let bytes = valid;
  for (let left = 1 + below(3, random); left > 0; left--) bytes = pick(damages, random)(bytes, random);
  // One in some hundreds is long: a line of a megabyte costs as much as all the others.
  return below(400, random) === 0
    ? inserted(bytes, Buffer.alloc(2 ** 20, pick(['a', ' ', '[', '9'], random)), random)
    : bytes;
}

type Damage = (bytes: Buffer, random: Random) => Buffer;

const odd = [
  '\0',
  '\ufeff',
  '\r\n',
  '\u202e',
  '\u001b[2J',
  ',',
  '"',
  '}',
  '{',
  '#',
  '&a *a',
  'NaN',
  '1e999',
  '\\ud800',
];
const invalid = [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80]];

const values: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e308, 2 ** 53 + 2, '', ' ', '0', '1e9', '0x', 'x'.repeat(300), '9'.repeat(80)],
  ...[`0x${'f'.repeat(64)}`, '../../etc/passwd', '\u0000', '__proto__'],
  ...[[], {}, [[]], [null], { toString: 1 }, { length: 1e9 }, { a: { a: { a: {} } } }],
];
const keys = ['__proto__', 'constructor', 'toString', '', '0', '\u0000', 'then', 'length'];

const damages: readonly Damage[] = [
  // A bit, a byte, a range.
  (bytes, random) =>
    changed(bytes, (copy, at) => copy.writeUInt8(copy.readUInt8(at) ^ (1 << below(8, random)), at), random),
  (bytes, random) => {
    const [from, to] = range(bytes, random);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  (bytes, random) => {
    const [from, to] = range(bytes, random);
    return inserted(bytes, bytes.subarray(from, to), random);
  },
  (bytes, random) => bytes.subarray(0, below(bytes.length + 1, random)),
  (bytes, random) => inserted(bytes, Buffer.from(pick(odd, random)), random),
  (bytes, random) => inserted(bytes, Buffer.from(pick(invalid, random)), random),
  (bytes) => Buffer.concat([bytes, bytes]),
  (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1'),
  (bytes) => Buffer.from(bytes.toString('utf8'), 'utf16le'),
  (_, random) => pick([Buffer.alloc(0), Buffer.alloc(512), Buffer.from('null')], random),
  (bytes, random) => lines(bytes, (all) => void all.splice(below(all.length, random), 1)),
  (bytes, random) => lines(bytes, (all) => all.splice(below(all.length, random), 0, pick(all, random))),
  nested,
  // JSON of another meaning: most often, since bytes alone rarely get past the parser.
  ...Array.from({ length: 10 }, () => rewritten),
];

/** JSON that nests deeper than any program calls itself, alone or in the place of a value. */
function nested(bytes: Buffer, random: Random): Buffer {
  const depth = pick([10, 20_000], random);
  const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const text = bytes.toString('utf8');
  const spots = [...text.matchAll(/:\s*("[^"]*"|\d+|null|true|false)/g)];
  if (spots.length === 0) return Buffer.from(deep);
  const { index, 0: found } = pick(spots, random);
  return Buffer.from(`${text.slice(0, index)}:${deep}${text.slice(index + found.length)}`);
}

/** Changes a value, a key or an item of the JSON, or of one of the lines of JSON. */
function rewritten(bytes: Buffer, random: Random): Buffer {
  const text = bytes.toString('utf8');
  const whole = parsed(text);
  if (whole !== undefined) return Buffer.from(changedJson(whole, random));
  return lines(bytes, (all) => {
    const at = below(all.length, random);
    const value = parsed(all[at] ?? '');
    if (value !== undefined) all[at] = changedJson(value, random);
  });
}

function changedJson(whole: unknown, random: Random): string {
  const nodes: [parent: Record<string, unknown>, key: string][] = [];
  const box = { root: whole };
  const left: unknown[] = [box];
  while (left.length > 0 && nodes.length < 5_000) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const key of Object.keys(value)) {
      nodes.push([value as Record<string, unknown>, key]);
      left.push((value as Record<string, unknown>)[key]);
    }
  }
  const [parent, key] = pick(nodes, random);
  const value = parent[key];
  const kind = below(8, random);
  if (kind === 0) delete parent[key];
  else if (kind === 1) define(parent, pick(keys, random), structuredClone(pick(values, random)));
  else if (kind === 2) parent[key] = pick(nodes, random)[0];
  else if (kind === 3 && typeof value !== 'object')
    parent[key] = typeof value === 'string' ? Number(value) : `${JSON.stringify(value)}`;
  else if (kind === 4) parent[key] = typeof value === 'string' ? `${value}${pick(odd, random)}` : [value];
  else if (kind === 5 && Array.isArray(value)) parent[key] = Array.from({ length: 50 }, () => value[0] ?? null);
  else parent[key] = structuredClone(pick(values, random));
  try {
    // A huge number that JSON can write and no program can hold.
    return JSON.stringify(box.root).replace(/1e\+308/g, below(2, random) === 0 ? '1e999' : '1e308');
  } catch {
    // A value that contains itself.
    return JSON.stringify(pick(values, random));
  }
}

/** Sets a key as JSON does: `__proto__` too is a key like any other. */
function define(parent: Record<string, unknown>, key: string, value: unknown): void {
  if (Array.isArray(parent)) return;
  Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function lines(bytes: Buffer, act: (all: string[]) => void): Buffer {
  const all = bytes.toString('latin1').split('\n');
  act(all);
  return Buffer.from(all.join('\n'), 'latin1');
}

function changed(bytes: Buffer, act: (copy: Buffer, at: number) => void, random: Random): Buffer {
  if (bytes.length === 0) return bytes;
  const copy = Buffer.from(bytes);
  act(copy, below(copy.length, random));
  return copy;
}

function inserted(bytes: Buffer, more: Buffer, random: Random): Buffer {
  const at = below(bytes.length + 1, random);
  return Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]);
}

function range(bytes: Buffer, random: Random): [from: number, to: number] {
  const from = below(bytes.length + 1, random);
  return [from, Math.min(bytes.length, from + 1 + below(pick([4, 40, 4_000], random), random))];
}

function below(limit: number, random: Random): number {
  return Math.floor(random() * limit);
}

function pick<T>(all: readonly T[], random: Random): T {
  const found = all[below(all.length, random)];
  if (found === undefined && all.length === 0) throw new Error('There is nothing to pick from.');
  return found as T;
}
