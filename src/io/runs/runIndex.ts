/**
 * An index of the journals in a folder, so that no command reads them all: the ids of every run in the order of their
 * start, a mark for each run that may be unfinished, and one for each ended run of a batch line whose result is not
 * known to be in its ledger. It can be rebuilt at any time: delete it, and the next command reads the journals again.
 */
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  createReadStream,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import * as BatchLineRef from '../../core/tracking/BatchLineRef.js';
import type { Intent } from '../../core/tracking/RunStore.js';
import * as atomicWrite from '../files/atomicWrite.js';
import { attempt } from '../files/attempt.js';
import { objectIn } from '../files/jsonObject.js';
import { lines } from '../files/lineReader.js';
import * as regularFile from '../files/regularFile.js';
import * as runNames from '../state/runNames.js';
import * as journalFile from './journalFile.js';

export type Mark = { id: string; digest: string };

/** `open`: it may be unfinished. `unrecorded`: it has ended, but its batch line may not be in the ledger. */
export type State = 'open' | 'unrecorded';

/** A digest of the key of a transfer, short enough for a file name. */
export function digestOf(key: string): string {
  return crc32(key).toString(16).padStart(8, '0');
}

/**
 * Whether the folder has an index, and no journals were added to it or restored since the last one was listed. What copies
 * journals may date the folder back: only the time of its last change shows that.
 */
export function isCurrent(folder: string): boolean {
  const listed = statSync(runNames.path(folder), { throwIfNoEntry: false });
  return listed !== undefined && statSync(folder).ctimeMs <= listed.mtimeMs;
}

/**
 * Builds the index unless it is current. The caller holds the lock under which runs are started. Yields to other work
 * between journals.
 *
 * @throws the file system's error · the signal's reason
 */
export async function ensure(folder: string, signal: AbortSignal): Promise<void> {
  if (isCurrent(folder)) return;
  rmSync(join(folder, runNames.indexName), { recursive: true, force: true });
  const folders = [...states.map((state) => stateFolder(folder, state)), join(folder, runNames.indexName, 'ledgers')];
  for (const each of folders) mkdirSync(each, { recursive: true, mode: 0o700 });
  await rebuild(folder, signal);
}

/** Marks a run that is about to start. Durable on return. @throws the file system's error */
export function begin(folder: string, each: Mark): void {
  mark(folder, each, 'open');
  atomicWrite.syncFolder(stateFolder(folder, 'open'));
}

/** Lists a run whose journal was created. Durable on return. @throws the file system's error */
export function list(folder: string, id: string): void {
  regularFile.append(runNames.path(folder), `${id}\n`);
}

/** The newest runs whose journals are compared with their marks. */
const watched = 32;

/**
 * Marks the newest runs whose journal was changed after the last mark was set or removed: by others, since a run that
 * ends removes its mark last. An older version of a journal that was put back is noticed by that.
 */
export function markChanged(folder: string): void {
  const setAt = statSync(stateFolder(folder, 'open')).mtimeMs;
  const known = new Set(marked(folder, 'open').map(({ id }) => id));
  let left = watched;
  for (const id of runNames.read(folder)) {
    if (left-- === 0) break;
    const path = join(folder, `${id}.jsonl`);
    const journal = statSync(path, { throwIfNoEntry: false });
    if (known.has(id) || journal === undefined || journal.ctimeMs < setAt) continue;
    mark(folder, { id, digest: digestOf(journalFile.first(path)?.key ?? '') }, 'open');
  }
}

/** Notes that an open run has ended; the run of a batch line is kept as unrecorded. */
export function end(folder: string, each: Mark, { isLine }: { isLine: boolean }): void {
  const from = markFile(folder, each, 'open');
  try {
    if (isLine) renameSync(from, markFile(folder, each, 'unrecorded'));
    else unlinkSync(from);
  } catch (error) {
    // Another process noted it.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** A run of a batch line, as listed for its ledger. */
type ListedLine = { run: string; id: string; digest: string; network: string; instance: string | null };

/** Lists the run of a batch line for its ledger. @throws the file system's error */
export function listLine(
  folder: string,
  run: string,
  {
    line: { ledger, id, digest },
    network,
    instance,
  }: Pick<Intent, 'network' | 'instance'> & { line: BatchLineRef.BatchLineRef },
): void {
  const listed: ListedLine = { run, id, digest, network, instance };
  appendFileSync(ledgerFile(folder, ledger), `${JSON.stringify(listed)}\n`, { mode: 0o600 });
}

/** The runs of the lines of a ledger, oldest first. Lines that are torn or damaged are skipped. */
export async function* linesOf(folder: string, ledger: string): AsyncGenerator<ListedLine, void> {
  const path = ledgerFile(folder, ledger);
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return;
  for await (const { text } of lines(createReadStream(path), maxLineBytes)) {
    const line = objectIn<ListedLine>(text);
    const { run, id, digest, network } = line ?? {};
    if ([run, id, digest, network].every((each) => typeof each === 'string')) yield line as ListedLine;
  }
}

/** Removes the mark of a run whose result is in its ledger. An unfinished run keeps its own. */
export function unmarkEnded(folder: string, each: Mark): void {
  rmSync(markFile(folder, each, 'unrecorded'), { force: true });
}

export function unmark(folder: string, each: Mark): void {
  for (const state of states) rmSync(markFile(folder, each, state), { force: true });
}

/** The runs with a mark, newest first. */
export function marked(folder: string, state: State): Mark[] {
  try {
    return readdirSync(stateFolder(folder, state))
      .sort()
      .reverse()
      .map((name) => ({ id: name.slice(0, -9), digest: name.slice(-8) }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Removes all other runs from the list. @throws the file system's error */
export function keep(folder: string, ids: readonly string[]): void {
  atomicWrite.replace(runNames.path(folder), ids.map((id) => `${id}\n`).join(''));
}

const states: readonly State[] = ['open', 'unrecorded'];

function ledgerFile(folder: string, ledger: string): string {
  const name = createHash('sha256').update(ledger).digest('hex').slice(0, 16);
  return join(folder, runNames.indexName, 'ledgers', name);
}

function stateFolder(folder: string, state: State): string {
  return join(folder, runNames.indexName, state);
}

function markFile(folder: string, { id, digest }: Mark, state: State): string {
  return join(stateFolder(folder, state), `${id}-${digest}`);
}

function mark(folder: string, each: Mark, state: State): void {
  closeSync(openSync(markFile(folder, each, state), 'a', 0o600));
}

/** Journals read before other work gets its turn. */
const atOnce = 16;

async function rebuild(folder: string, signal: AbortSignal): Promise<void> {
  const ids = (await readdir(folder))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => name.slice(0, -'.jsonl'.length))
    .sort();
  const ledgers = new Map<string, Map<string, Mark>>();
  for (const [n, id] of ids.entries()) {
    if (n % atOnce === 0) await setImmediate();
    signal.throwIfAborted();
    markFound(folder, id, ledgers);
  }
  for (const [ledger, ended] of ledgers) await unmarkRecorded(folder, ledger, ended);
  atomicWrite.syncFolder(stateFolder(folder, 'open'));
  keep(folder, ids);
}

/** Marks a run unless it has ended outside a batch. An unreadable journal is marked, so that it is noticed. */
function markFound(folder: string, id: string, ledgers: Map<string, Map<string, Mark>>): void {
  const path = join(folder, `${id}.jsonl`);
  const begun = begunIn(path);
  const each = { id, digest: digestOf(begun?.key ?? '') };
  if (begun?.line) listLine(folder, id, { ...begun, line: begun.line });
  // A run without an outcome may be under way in another process, whatever its journal shows.
  if (!begun || !isEnded(path)) mark(folder, each, 'open');
  else if (begun.line) {
    mark(folder, each, 'unrecorded');
    const known = ledgers.get(begun.line.ledger) ?? new Map<string, Mark>();
    ledgers.set(begun.line.ledger, known.set(BatchLineRef.keyOf(begun.line), each));
  }
}

/**
 * What a journal says that it has begun, unchecked: also a line that this version does not read may have paid for its batch,
 * which then does not begin it again. Undefined if it says nothing of the kind.
 */
function begunIn(path: string): Intent | undefined {
  const { entry } = attempt(() => objectIn<{ entry: Intent & { type: string } }>(journalFile.firstLine(path))) ?? {};
  return entry?.type === 'intent' && typeof entry.key === 'string' ? entry : undefined;
}

/** Whether a journal ends with the outcome. Whoever acts on it reads the whole. */
function isEnded(path: string): boolean {
  const tail = attempt(() =>
    regularFile.use(path, 'r', (file) => {
      const start = Math.max(0, fstatSync(file).size - tailBytes);
      return piece.toString('latin1', 0, readSync(file, piece, 0, tailBytes, start));
    }),
  );
  return /\n\{[^\n]*"entry":\{"type":"outcome"[^\n]*\}\n$/.test(tail ?? '');
}

/** More than the outcome of a run takes. */
const tailBytes = 4096;

const piece = Buffer.allocUnsafe(tailBytes);

/** Removes the marks of ended batch lines whose result is in their ledger. */
async function unmarkRecorded(folder: string, ledger: string, ended: ReadonlyMap<string, Mark>): Promise<void> {
  try {
    for await (const { text } of lines(createReadStream(ledger), maxLineBytes)) {
      const { id, digest } = objectIn<BatchLineRef.BatchLineRef>(text) ?? {};
      const each = ended.get(BatchLineRef.keyOf({ id: String(id), digest: String(digest) }));
      if (each) unmark(folder, each);
    }
  } catch {
    // The ledger is gone. If it was moved, its batch still finds these runs.
  }
}

const maxLineBytes = 16 * 1024 * 1024;
