/** The import graph of src, and its violations of the table of rooms. */
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { impureViem, order, packages, rings } from '../rooms.js';

/** Sources by their path below src. */
export type Sources = ReadonlyMap<string, string>;

/** An import; `target` is the file that a relative specifier resolves to. */
type Import = { path: string; specifier: string; target: string; names: readonly string[] };

/** Every TypeScript file of src. */
export function readSources(): Sources {
  const root = fileURLToPath(new URL('../../src/', import.meta.url));
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
  return new Map(
    paths.filter((path) => path.endsWith('.ts')).map((path) => [path, readFileSync(`${root}${path}`, 'utf8')]),
  );
}

/** The room of a file: its folder; `commands` for every command; the file itself for an entry point. */
export function roomOf(path: string): string {
  if (path.startsWith('commands/')) return 'commands';
  const end = path.lastIndexOf('/');
  return end < 0 ? path : path.slice(0, end);
}

function ofImport(each: Import, sources: Sources): string[] {
  return each.specifier.startsWith('.') ? ofFile(each, sources) : ofPackage(each);
}

/** All violations of the table, one line each. */
export function breaches(sources: Sources): string[] {
  const imports = importsOf(sources);
  return [
    ...unplaced(sources),
    ...imports.flatMap((each) => ofImport(each, sources)),
    ...circles(edgesOf(imports)).map((files) => `a circle of files: ${files.join(', ')}`),
    ...circles(roomEdges(edgesOf(imports))).map((rooms) => `a circle of rooms: ${rooms.join(', ')}`),
  ];
}

/** The violations of what one file imports, circles apart. */
export function breachesOf(path: string, text: string, sources: Sources): string[] {
  return importsIn(path, text).flatMap((each) => ofImport(each, sources));
}

/** The size of the graph. */
export function measure(sources: Sources): { files: number; rooms: number; arrows: number; circles: number } {
  const edges = edgesOf(importsOf(sources));
  const between = roomEdges(edges);
  return {
    files: sources.size,
    rooms: new Set([...sources.keys()].map(roomOf)).size,
    arrows: [...between.values()].reduce((sum, to) => sum + to.size, 0),
    circles: circles(edges).length + circles(between).length,
  };
}

/** Static imports, exports from elsewhere, dynamic imports, and imports in types. */
const forms = [
  /(?:^|[\s;])(?:import|export)\s(?<names>[^;'"]*?)\bfrom\s*['"](?<specifier>[^'"\n]+)['"]/g,
  /\bimport(?:\s+|\s*\(\s*)['"](?<specifier>[^'"\n]+)['"]/g,
];

function importsOf(sources: Sources): Import[] {
  return [...sources].flatMap(([path, text]) => importsIn(path, text));
}

function importsIn(path: string, text: string): Import[] {
  return forms.flatMap((form) =>
    [...text.matchAll(form)].map(({ groups: { names = '', specifier = '' } = {} }) => ({
      path,
      specifier,
      target: posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts'),
      names: [...names.matchAll(/[{,]\s*(?:type\s+)?(\w+)/g)].map(([, name = '']) => name),
    })),
  );
}

function unplaced(sources: Sources): string[] {
  const placed = new Set(order.flat());
  const rooms = new Set([...sources.keys()].map(roomOf));
  return [
    ...[...rooms].filter((room) => !placed.has(room)).map((room) => `${room} is not in the table`),
    ...[...placed].filter((room) => !rooms.has(room)).map((room) => `${room} is in the table and not in src`),
  ];
}

function ofFile({ path, specifier, target }: Import, sources: Sources): string[] {
  // A file that is not a source is data.
  if (!sources.has(target)) return /\.json$/.test(target) ? [] : [`${path} imports ${specifier}, which is no file`];
  const [from, to] = [roomOf(path), roomOf(target)];
  if (from === to) return [];
  const ring = rings[ringOf(path)];
  if (ring && ringOf(target) !== ringOf(path) && !ring.rooms.some((room) => isWithin(target, room)))
    return [`${path} imports ${target}: ${ringOf(path)} may not import it`];
  if (level(to) <= level(from)) return [`${path} imports ${target}: ${to} does not stand below ${from}`];
  return [];
}

function ofPackage({ path, specifier, names }: Import): string[] {
  const ring = rings[ringOf(path)];
  const owner = packages[specifier];
  if (owner !== undefined) return owner === path ? [] : [`${path} imports ${specifier}, which belongs to ${owner}`];
  const allowed = ring?.packages ?? ['node:*', 'zod/mini'];
  if (!allowed.some((each) => each === specifier || (each === 'node:*' && specifier.startsWith('node:'))))
    return [`${path} imports ${specifier}: not a package of ${ringOf(path)}`];
  if (specifier !== 'viem' || allowed.includes('node:*')) return [];
  return names
    .filter((name) => impureViem.test(name))
    .map((name) => `${path} imports ${name} of viem, which reaches out`);
}

function ringOf(path: string): string {
  return path.split('/')[0] ?? path;
}

function isWithin(path: string, room: string): boolean {
  return path === room || (room.includes('/') ? roomOf(path) === room : path.startsWith(`${room}/`));
}

function level(room: string): number {
  return order.findIndex((line) => line.includes(room));
}

type Edges = ReadonlyMap<string, ReadonlySet<string>>;

function edgesOf(imports: readonly Import[]): Edges {
  const edges = new Map<string, Set<string>>();
  for (const { path, specifier, target } of imports)
    if (specifier.startsWith('.')) edges.set(path, (edges.get(path) ?? new Set()).add(target));
  return edges;
}

function roomEdges(edges: Edges): Edges {
  const between = new Map<string, Set<string>>();
  for (const [path, targets] of edges)
    for (const target of targets)
      if (roomOf(path) !== roomOf(target))
        between.set(roomOf(path), (between.get(roomOf(path)) ?? new Set()).add(roomOf(target)));
  return between;
}

/** The cycles: strongly connected components of several nodes, by Tarjan's algorithm, and self-imports. */
function circles(edges: Edges): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const open = new Set<string>();
  const found: string[][] = [];
  const visit = (node: string): void => {
    index.set(node, index.size);
    low.set(node, index.get(node) ?? 0);
    stack.push(node);
    open.add(node);
    for (const next of edges.get(node) ?? []) {
      if (!index.has(next)) visit(next);
      if (open.has(next)) low.set(node, Math.min(low.get(node) ?? 0, low.get(next) ?? 0));
    }
    if (low.get(node) !== index.get(node)) return;
    const component = stack.splice(stack.lastIndexOf(node));
    for (const each of component) open.delete(each);
    if (component.length > 1 || edges.get(node)?.has(node)) found.push(component.sort());
  };
  for (const node of edges.keys()) if (!index.has(node)) visit(node);
  return found;
}
