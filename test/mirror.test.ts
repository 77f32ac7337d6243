/** What is true of every file: test/ mirrors src/, one name means one thing, and no secret or stub slips in. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mnemonicToAccount } from 'viem/accounts';
import { bytesToHex } from 'viem/utils';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Tests that look at the whole. */
const general: readonly string[] = [
  'test/bin.test.ts',
  'test/documents.test.ts',
  'test/messages.test.ts',
  'test/house.test.ts',
  'test/mirror.test.ts',
  'test/rooms.test.ts',
];

/** The sandbox's own copies of what the client has too: if it shared the client's judgement, it would check nothing. */
const copies: readonly string[] = [
  'src/sandbox/execute/Revert.ts',
  'src/sandbox/pricing/Sponsorship.ts',
  'src/sandbox/quote/OrderId.ts',
  'src/sandbox/quote/Quote.ts',
  'src/sandbox/values/CallTrace.ts',
  'src/sandbox/values/TransactionType.ts',
];

const files = walk(root);
const sources = files.filter((path) => /^src\/.*\.(ts|sol)$/.test(path));
const tests = files.filter((path) => /^test\/.*\.test\.ts$/.test(path));
const code = files.filter((path) => /\.(ts|mjs|js|sol|sh)$/.test(path) || path === '.ci/run');

test('behavior: every test is of a file of its name, or of the room that its folder is', () => {
  const known = new Set(sources.flatMap((path) => [testOf(path), dirname(testOf(path))]));
  const stray = tests.filter(
    (path) =>
      !known.has(path) &&
      !known.has(dirname(path)) &&
      !known.has(`${dirname(path)}.test.ts`) &&
      !known.has(path.replace('.test.ts', '')) &&
      !general.includes(path) &&
      !/^test\/(process|scenarios|simulation|support)\//.test(path),
  );
  expect(stray).toEqual([]);
});

describe('names', () => {
  test('behavior: no drawers', () => {
    const drawer = /^(utils?|helpers?|common|shared|libs?|types?|misc)$/i;
    const found = files.filter((path) => path.split('/').some((part) => drawer.test(part.replace(/\.[a-z.]+$/, ''))));
    expect(found).toEqual([]);
  });

  test('behavior: the top level holds what the design lists', () => {
    const listed = [
      'LICENSE',
      'README.md',
      'bin',
      'biome.json',
      'completions',
      'package-lock.json',
      'package.json',
      'src',
      'test',
      'tsconfig.json',
    ];
    const found = [...new Set(files.map((path) => path.split('/')[0] ?? ''))];
    expect(found.filter((name) => !name.startsWith('.') && !listed.includes(name))).toEqual([]);
  });

  test('behavior: a file name stands once, but for commands, named as they are typed', () => {
    const named = sources.filter((path) => !path.startsWith('src/commands/') && !copies.includes(path));
    expect(twice(named, (path) => basename(path).toLowerCase())).toEqual([]);
    expect(copies.filter((path) => !sources.includes(path))).toEqual([]);
  });

  test('behavior: an error class stands once', () => {
    const classes = sources.flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(/^(?:export )?class (\w+)/gm)].map(
        ([, name = '']) => `${path} ${name}`,
      ),
    );
    expect(twice(classes, (each) => each.split(' ')[1] ?? '')).toEqual([]);
  });
});

describe('files', () => {
  test('behavior: nothing of the machine they were written on', () => {
    const machine = /(?<![\w.])\/(?:work|root)\/|\bregistry\.npm/;
    expect(matches(code, machine)).toEqual([]);
  });

  test('behavior: no mock, nothing left focused', () => {
    const words = ['vi', 'jest'].map((name) => `\\b${name}\\.(mock|doMock|fn|spyOn|stubGlobal)\\(`);
    const focused = '\\b(test|it|describe)(\\.\\w+)*\\.(only|todo)\\b';
    expect(
      matches(
        tests.concat(files.filter((path) => path.startsWith('test/support/'))),
        new RegExp([...words, focused].join('|')),
      ),
    ).toEqual([]);
  });

  test('behavior: the only private keys are the well-known development keys and published vectors', () => {
    const known = new Set([...developmentKeys(), ...vectors]);
    const found = matches(
      files.filter(
        (path) => !path.endsWith('bytecode.json') && !path.endsWith('genesis.json') && path !== 'package-lock.json',
      ),
      /(key|secret|private|priv|signer|account)\w*\W{0,12}(0x)?[0-9a-f]{64}(?![0-9a-f])/i,
    ).filter((line) => !(line.match(/[0-9a-f]{64}/gi) ?? []).every((key) => known.has(key.toLowerCase())));
    expect(found).toEqual([]);
  });
});

/** Private keys in published test vectors. */
const vectors: readonly string[] = [
  // Web3 Secret Storage Definition, both of its examples.
  '7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d',
];

function developmentKeys(): readonly string[] {
  const words = `${'test '.repeat(11)}junk`;
  return Array.from({ length: 20 }, (_, addressIndex) => {
    const key = mnemonicToAccount(words, { addressIndex }).getHdKey().privateKey ?? new Uint8Array();
    return bytesToHex(key).slice(2);
  });
}

function testOf(path: string): string {
  return path.replace(/^src\//, 'test/').replace(/\.(ts|sol)$/, '.test.ts');
}

/** Those that share a key with another. */
function twice(all: readonly string[], keyOf: (each: string) => string): string[] {
  const counts = new Map<string, number>();
  for (const each of all) counts.set(keyOf(each), (counts.get(keyOf(each)) ?? 0) + 1);
  return all.filter((each) => (counts.get(keyOf(each)) ?? 0) > 1);
}

/** Every line that matches, as `path:line: text`. */
function matches(paths: readonly string[], pattern: RegExp): string[] {
  return paths.flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim().slice(0, 200)}`] : [])),
  );
}

/** Every file of the project, as paths from the root. */
function walk(folder: string): string[] {
  const foreign = ['node_modules', '.git', 'dist', 'coverage'];
  return readdirSync(folder, { withFileTypes: true })
    .filter(
      (entry) => !(dirname(join(folder, entry.name)) === dirname(join(root, 'x')) && foreign.includes(entry.name)),
    )
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? walk(path) : [relative(root, path).replaceAll('\\', '/')];
    })
    .sort();
}
