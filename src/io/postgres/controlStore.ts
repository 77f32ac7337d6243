/** What `ferry store` does: checks and makes the tables, and moves runs between files and the store. */
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { BaseError, inFile } from '../../core/base/Errors.js';
import type { Imported, StoreCheck, StoreControl } from '../../core/ports/StoreControl.js';
import * as Journal from '../../core/tracking/Journal.js';
import * as JournalCodec from '../../core/tracking/JournalCodec.js';
import * as StoreDoubt from '../../core/tracking/StoreDoubt.js';
import { reasonOf } from '../files/fileError.js';
import * as regularFile from '../files/regularFile.js';
import { unsettled, whileIdle } from '../runs/runFolder.js';
import * as nonceRecord from '../state/nonceRecord.js';
import { countedPayments, type Environment, stateDir } from '../state/paths.js';
import * as stateFolders from '../state/stateFolders.js';
import * as storeMemory from '../state/storeMemory.js';
import type { Sealing } from '../state/userSecret.js';
import type { Host } from '../terminal/host.js';
import * as schema from './schema.js';
import type { Query, Session } from './session.js';
import { checks } from './storeChecks.js';
import { createStoreMark, idOf } from './storeMark.js';
import { insertEntries, insertIfNew, putRun } from './storeMending.js';
import { findRun, textOf } from './storeRuns.js';

export type ControlOptions = {
  session: Session;
  isAsyncAccepted: boolean;
  host: Environment & Pick<Host, 'now' | 'randomBytes' | 'signal'>;
  seal: Sealing;
  warn(text: string): void;
};

export function createStoreControl({ session, isAsyncAccepted, host, seal, warn }: ControlOptions): StoreControl {
  const mark = createStoreMark({ session, memory: storeMemory.createStoreMemory(host), now: host.now, warn });
  return {
    name: session.name,
    async check() {
      const found = await checks(session, { isAsyncAccepted });
      const version = await schema.found(session.query);
      if (version === undefined || version < schema.version) return { version, needed: schema.version, checks: found };
      const mayWork = await schema.mayWork(session.query);
      found.push({
        name: 'rights',
        found: mayWork ? 'writes runs' : 'writes no runs',
        problem: mayWork ? undefined : 'the user of FERRY_STORE may not pay: that takes the role ferry_work',
      });
      const id = await idOf(session);
      const known = storeMemory.pinnedAt(host, session.name) ?? id;
      const problem = known === id ? undefined : 'this machine knows another one here: ferry store check --adopt';
      found.push({ name: 'store', found: id, problem });
      const isStandby = found.some(({ name, problem: wrong }) => name === 'writable' && wrong !== undefined);
      if (!isStandby) found.push(tailOf(await mark.doubt(), host));
      return { version, needed: schema.version, checks: found };
    },
    async adopt() {
      await schema.assertUsable(session);
      storeMemory.pin(host, session.name, await idOf(session));
    },
    async trust() {
      await schema.assertUsable(session);
      await mark.trust();
    },
    migrate: () => schema.migrate(session),
    async importFiles() {
      await schema.assertUsable(session);
      stateFolders.assertOurs(host);
      return whileIdle(host, { warn }, (open) => moveFiles({ session, host, seal, warn }, open));
    },
    async exportRun(name) {
      await schema.assertUsable(session);
      const run = await findRun(session.query, name);
      return { run, text: await textOf(session.query, run) };
    },
  };
}

/** Moves what no process is using. */
async function moveFiles(
  { session, host, seal, warn }: Pick<ControlOptions, 'session' | 'host' | 'seal' | 'warn'>,
  open: ReadonlySet<string>,
): Promise<Imported> {
  const runs = journalsIn(join(stateDir(host), 'runs'), seal);
  let counters = countersIn(join(stateDir(host), 'nonces'));
  const counted = countedIn(countedPayments(host));
  await session.transaction(async (query) => {
    let isWhole = true;
    for (const run of runs) if (!(await addRun(query, run, { isRecorded: !open.has(run.id), warn }))) isWhole = false;
    // The nonces of a run that is not there would have nobody ask what they paid for.
    if (!isWhole) counters = [];
    for (const each of counters) await addCounter(query, each);
    for (const { place, id, owner } of counted)
      await query('insert into ferry.counted (place, id, owner) values ($1, $2, $3) on conflict do nothing', [
        place,
        id,
        owner,
      ]);
  });
  // What is in the store must not pay from files as well.
  const folders = ['runs', 'nonces'].map((name) => join(stateDir(host), name)).filter((folder) => existsSync(folder));
  const aside = folders.map((folder) => `${folder}.imported-${host.now()}`);
  for (const [index, folder] of folders.entries()) renameSync(folder, aside[index] ?? '');
  return { runs: runs.length, counters: counters.length, counted: counted.length, folders: aside };
}

/** Whether the store may have lost the end of what was written to it. */
function tailOf(doubt: StoreDoubt.StoreDoubt | undefined, host: Pick<Host, 'now'>): StoreCheck {
  if (!doubt) return { name: 'tail', found: 'as it was left', problem: undefined };
  const untilMs = StoreDoubt.untilMs(doubt);
  const [since, until] = [doubt.sinceMs, untilMs].map((ms) => new Date(ms).toISOString());
  const problem = `it was restored or has failed over: batches, permits and raw calls wait until ${until} is final on their chain, unless you know that nothing is lost (${StoreDoubt.trusting})`;
  return { name: 'tail', found: `in doubt since ${since}`, problem: host.now() > untilMs ? undefined : problem };
}

/** Refuses files with runs that could go on, or be begun again: they would pay beside the store. @throws store.files */
export async function assertNoFiles(host: ControlOptions['host'], warn: ControlOptions['warn']): Promise<void> {
  const open = [...(await unsettled(host, { warn }))];
  if (open.length === 0) return;
  const what = open.length === 1 ? 'a run' : `${open.length} runs`;
  throw new BaseError(
    'store.files',
    `A store is set, and files of this machine have ${what} that may not be finished, or in the ledger of a batch. Nothing was signed.`,
    {
      facts: [['runs', open.slice(0, 3).join(', ')]],
      hint: 'Move them into the store, or finish them and their batches without FERRY_STORE first: files and store together could pay twice.',
      next: 'ferry store import',
    },
  );
}

type FoundRun = { id: string; texts: readonly string[]; state: Journal.State; updatedAt: number };

function journalsIn(folder: string, seal: Sealing): FoundRun[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return names.sort().flatMap((name) => {
    const path = join(folder, name);
    try {
      const text = textAt(path);
      const { lines, length } = JournalCodec.read(text, seal.find());
      if (lines.length === 0) return [];
      const state = Journal.from(lines.map(({ entry }) => entry));
      const texts = text.slice(0, length).split(/(?<=\n)/);
      return [{ id: state.run, texts, state, updatedAt: Math.floor(lines.at(-1)?.at ?? 0) }];
    } catch (error) {
      throw inFile(error, path);
    }
  });
}

/** Whether the store has all of the run now. */
async function addRun(
  query: Query,
  { id, texts, state, updatedAt }: FoundRun,
  { isRecorded, warn }: { isRecorded: boolean } & Pick<ControlOptions, 'warn'>,
): Promise<boolean> {
  const isOver = !Journal.isUnfinished(state);
  const how = { at: String(updatedAt), isOver, isRecorded: isOver && isRecorded };
  if (await insertIfNew(query, id, state, how)) {
    await insertEntries(query, id, texts);
    return true;
  }
  // It was moved before, and has gone on in its file since: an import was stopped before it renamed the folders.
  if (await putRun(query, { run: id, texts, uses: [] })) return true;
  warn(
    `The run ${id} went on in the store otherwise than here, and stays as it is there. The nonces of this machine are not moved.`,
  );
  return false;
}

type FoundCounter = { counter: string; record: nonceRecord.NonceRecord };

/** The counters of files have the same names as those of the store. */
function countersIn(folder: string): FoundCounter[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.map((name) => ({
    counter: name.slice(0, -'.json'.length),
    record: nonceRecord.read(join(folder, name)),
  }));
}

async function addCounter(query: Query, { counter, record }: FoundCounter): Promise<void> {
  for (const [sequence, next] of Object.entries(record))
    await query('insert into ferry.nonce (counter, sequence, nonce) values ($1, $2, $3) on conflict do nothing', [
      counter,
      sequence,
      String(next - 1n),
    ]);
}

function countedIn(folder: string): { place: string; id: string; owner: string }[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((place) =>
    readdirSync(join(folder, place)).map((id) => ({
      place,
      id,
      owner: textAt(join(folder, place, id)).trim(),
    })),
  );
}

/** The text of a file that is to be moved. @throws run.unreadable */
function textAt(path: string): string {
  try {
    return regularFile.read(path);
  } catch (cause) {
    throw new BaseError('run.unreadable', 'What is to be moved into the store cannot be read. Nothing was moved.', {
      facts: [
        ['file', path],
        ['reason', reasonOf(cause as NodeJS.ErrnoException)],
      ],
      hint: 'If ferry has not written it, move it out of the folder.',
      next: 'ferry store import',
      cause,
    });
  }
}

export function noStoreError(): BaseError {
  return new BaseError('store.unconfigured', 'No store is set: runs are kept in files of this machine.', {
    hint: 'Set FERRY_STORE, or the setting store, to postgres://user@host/database.',
  });
}
