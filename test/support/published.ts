/** Published answers of the service, read in place from the folder in FERRY_PUBLISHED. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe } from 'vitest';

const folder = process.env.FERRY_PUBLISHED ? resolve(process.env.FERRY_PUBLISHED) : undefined;

/** A suite that needs the published answers; skipped with a note if there are none. */
export function describePublished(name: string, suite: () => void): void {
  if (folder === undefined) process.stderr.write(`skipped: ${name}: FERRY_PUBLISHED names no folder of answers\n`);
  describe.skipIf(folder === undefined)(name, suite);
}

/** A published answer, unchanged, by its file name. */
export function read(name: string): unknown {
  if (folder === undefined) throw new Error(`${name} was read outside describePublished`);
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}

/** Drops bare ellipses, which stand for unpublished parts. */
export function withoutElisions(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter(isPrinted).map(withoutElisions);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, part]) => isPrinted(part));
  return Object.fromEntries(kept.map(([key, part]) => [key, withoutElisions(part)]));
}

function isPrinted(value: unknown): boolean {
  return value !== '…' && value !== '...';
}
