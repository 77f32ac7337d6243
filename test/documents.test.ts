/** ARCHITECTURE.md and CONTRIBUTING.md name files, folders, functions and scripts: each of them is there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { order } from './rooms.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** A path as the documents write it: below src, or from the root. */
function found(path: string): string | undefined {
  return [path, `src/${path}`].find((each) => existsSync(join(root, each)));
}

/** Code in backticks that looks like a path: with a slash, or with the ending of a source. */
function paths(text: string): string[] {
  const prose = text.replace(/```[\s\S]*?```/g, '');
  return [...prose.matchAll(/`([\w./-]+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) =>
      /^(src|test|core|io|sandbox|cli|commands|transfer|setup|venue|completions)\/[\w./-]+$/.test(path),
    );
}

describe.each(['.github/ARCHITECTURE.md', '.github/CONTRIBUTING.md'])('%s', (document) => {
  const text = read(document);

  test('behavior: every path is there', () => {
    expect(paths(text).length).toBeGreaterThan(20);
    expect(paths(text).filter((path) => !found(path))).toEqual([]);
  });

  test('behavior: every function that is named beside its file is in it', () => {
    const named = [...text.matchAll(/`([\w./-]+\.ts)` `(\w+)`/g)].map(
      ([, path = '', name = '']) => [path, name] as const,
    );
    const declared = ([path, name]: readonly [string, string]): boolean =>
      new RegExp(`\\b(function\\*?|const|class|type) ${name}\\b|\\b${name}[:(]`).test(read(found(path) ?? ''));
    expect(named.filter((each) => !declared(each))).toEqual([]);
  });

  test('behavior: every npm script is there', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const named = [...text.matchAll(/`npm (?:run )?([\w:]+)`/g)].map(([, name = '']) => name);
    expect(named.filter((name) => name !== 'ci' && scripts[name] === undefined)).toEqual([]);
  });
});

describe('ARCHITECTURE.md', () => {
  const text = read('.github/ARCHITECTURE.md');

  test('behavior: it is a way in, of at most 2,000 words', () => {
    expect(text.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(2_000);
  });

  test('behavior: every room is described', () => {
    expect(order.flat().filter((room) => room.includes('/') && !text.includes(`\`${room}\``))).toEqual([]);
  });

  test('behavior: every file of the table of rooms is in one of the rooms of its row', () => {
    const [, table = ''] = text.split('## Rooms');
    const named = [...table.matchAll(/^\| (`.*?) \| (.*) \|$/gm)].flatMap(([, rooms = '', files = '']) =>
      [...files.matchAll(/`(\w+\.ts)`/g)].map(([, file = '']) => ({ rooms: codes(rooms), file })),
    );
    expect(named.length).toBeGreaterThan(100);
    const isThere = (room: string, file: string): boolean => room === file || existsSync(join(root, 'src', room, file));
    expect(named.filter(({ rooms, file }) => !rooms.some((room) => isThere(room, file)))).toEqual([]);
  });
});

function codes(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

describe('the page on trust', () => {
  test('behavior: what it says of the package is so', () => {
    const { publishConfig, dependencies, optionalDependencies } = JSON.parse(read('package.json'));
    expect(read('.github/docs/guide/trust.md')).toContain('with provenance or not at all');
    expect(publishConfig).toEqual({ provenance: true });
    expect([dependencies, Object.keys(optionalDependencies)]).toEqual([undefined, ['@foundry-rs/anvil']]);
  });

  test('behavior: no source asks the registry of packages for anything', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.ts'),
    );
    expect(sources.length).toBeGreaterThan(100);
    expect(sources.filter((path) => /registry\.npmjs|npmjs\.(com|org)/.test(read(`src/${path}`)))).toEqual([]);
  });
});
