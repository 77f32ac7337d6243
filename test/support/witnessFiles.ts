/** Files as witnesses: a saved quote, and what a run left in the state folder. Their author has no secret of the user. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as JsonDigest from '../../src/core/base/JsonDigest.js';
import type { Entry } from '../../src/core/tracking/Journal.js';
import { textOf, unsealedTextOf } from './journals.js';
import type { ReceivedRequest } from './loopback.js';
import type { AnsweredQuestion, Lie } from './witnesses.js';

export type Altered = {
  /** What the files said before. */
  said: AnsweredQuestion[];
  /** Puts the files back. */
  restore(): void;
};

/** A file is read, and nobody is asked. */
const nobody: ReceivedRequest = { method: 'GET', path: '', headers: {}, body: '' };

/** Alters the files that a lie is about. */
export async function alter(
  folder: string,
  party: 'quote file' | 'state folder',
  lie: Lie | undefined,
): Promise<Altered> {
  const paths = party === 'quote file' ? ['quote.json'] : stateFiles(folder);
  const said = paths.map((path) => {
    const text = readFileSync(join(folder, path), 'utf8');
    return { path, text, key: path.replaceAll(/[0-9]{8}-[0-9]{6}-[0-9a-f]{6}|0x[0-9a-f]+/gi, ':id'), body: read(text) };
  });
  for (const { path, text, key, body } of said) {
    if (lie?.party !== party || lie.key !== key) continue;
    const told = await lie.tell({ status: 200, body }, 0, nobody);
    const at = join(folder, path);
    if (told === 'cut off') rmSync(at);
    else writeFileSync(at, written(told.body as Read, text));
  }
  return {
    said: said.map(({ key, body }) => ({ party, key, body })),
    restore: () => {
      for (const { path, text } of said) writeFileSync(join(folder, path), text, { mode: 0o600 });
    },
  };
}

/** All but the secret, and the locks, which die with their process. */
function stateFiles(folder: string): string[] {
  return readdirSync(join(folder, 'state'), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .filter((path) => !/secret|lock/.test(path));
}

/** A document, the entries of a journal, or a text; `remade` if its author makes checksums anew. */
type Read = { document?: unknown; entries?: Entry[]; text?: string | null; remade?: boolean };

function read(text: string): Read {
  try {
    return { document: JSON.parse(text) };
  } catch {
    if (!text.startsWith('{')) return { text };
    const lines = text.trimEnd().split('\n');
    return { entries: lines.map((line) => JSON.parse(line).entry) };
  }
}

function written({ document, entries, text, remade = false }: Read, before: string): string {
  if (entries) {
    if (remade) return unsealedTextOf(entries, Date.now());
    const seals = before
      .trimEnd()
      .split('\n')
      .map((line) => String(JSON.parse(line).seal));
    let n = -1;
    const of = (): string => {
      n += 1;
      return seals[n]?.slice(9) ?? '';
    };
    return textOf(entries, { id: seals[0]?.slice(0, 8) ?? '', of }, Date.now());
  }
  if (document === undefined) return text ?? '';
  if (typeof document !== 'object' || document === null) return JSON.stringify(document);
  const { network, data, ...rest } = document as Record<string, Record<string, unknown>>;
  if (!remade || !data) return JSON.stringify(document);
  const { digest: _, seal, ...content } = data;
  return JSON.stringify({ ...rest, network, data: { ...content, digest: JsonDigest.of({ network, content }), seal } });
}
