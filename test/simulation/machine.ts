/** A machine: its disk, on which the journals of runs are, and the locks by which its processes take turns. */

import { BaseError } from '../../src/core/base/Errors.js';
import type { Seal } from '../../src/core/base/Seal.js';
import type { Counted, NonceCounter, Nonces } from '../../src/core/ports/Ports.js';
import * as Journal from '../../src/core/tracking/Journal.js';
import * as JournalCodec from '../../src/core/tracking/JournalCodec.js';
import type { Run, RunRecord, Runs } from '../../src/core/tracking/RunStore.js';
import { unknownRunError } from '../../src/io/runs/runErrors.js';
import type { Client } from './client.js';
import type { Kernel } from './kernel.js';
import { digest } from './random.js';
import type { Trouble } from './trouble.js';

export type Machine = {
  name: string;
  /** Every journal that there was, also those that the disk has lost. */
  journals: ReadonlyMap<string, JournalFile>;
  runs(client: Client, warn: (text: string) => void): Runs;
  nonces(client: Client): Nonces;
  counted(client: Client): Counted;
  /** Whether an entry with these bytes is on the disk for good. */
  hasDurably(bytes: string): boolean;
  /** Ends every process of the machine, and loses what the disk does not have yet. */
  losePower(): void;
  /** Ends every process of the machine, whose disk is empty then: nobody knows what it has signed. */
  loseDisk(): void;
  /** Processes that run here. */
  clients: Client[];
};

/**
 * A journal on the disk. Of its lines the first `durable` are there for good; `torn` is how much of the next one is. `lost`
 * are those that were there until the power went.
 */
export type JournalFile = {
  lines: JournalCodec.Line[];
  durable: number;
  torn: number;
  lost: readonly JournalCodec.Line[];
  /** Whether the disk has lost all of it. */
  isGone: boolean;
  holder: Client | undefined;
};

type Turn = { holder: Client | undefined; next: Map<string, bigint> };

/** How long a write takes, and how long the disk needs for what must be durable. */
const [writeMs, syncMs] = [1, 4];
const lockPauseMs = 100;

/** Bytes of a journal line that are on the disk when the power fails while it is written. */
const tornLength = 20;

export function create(name: string, { kernel, trouble }: { kernel: Kernel; trouble: Trouble }): Machine {
  const everything = new Map<string, JournalFile>();
  const journals = new Map<string, JournalFile>();
  const turns = new Map<string, Turn>();
  const payments = new Map<string, string>();
  const clients: Client[] = [];
  const isAlive = (client: Client | undefined): boolean => client !== undefined && !client.isDead();

  const runs = (client: Client, warn: (text: string) => void): Runs => {
    const writer = (file: JournalFile): Journal.JournalWriter['append'] => {
      let freeAt = 0;
      return async (entry) => {
        const isSynced = !Journal.unsynced.includes(entry.type);
        const writtenAt = Math.max(kernel.now() + writeMs, freeAt);
        freeAt = writtenAt + (isSynced ? syncMs : 0);
        const endAt = freeAt;
        await client.askHere(writtenAt - kernel.now(), () => {
          if (trouble.at(name, 'write') || trouble.during(name, 'has a full disk')) throw new FullDiskError();
          file.lines.push({ at: client.clock.now(), entry });
          kernel.note(client.name, () => `writes ${entry.type} ${'step' in entry ? entry.step : ''}`);
          const count = file.lines.length;
          // Whoever waits or not: what was written reaches the disk.
          if (isSynced)
            kernel.after(syncMs, () => {
              file.durable = Math.max(file.durable, Math.min(count, file.lines.length));
            });
        });
        if (isSynced) await client.askHere(endAt - kernel.now(), () => {});
      };
    };
    const hold = (id: string, file: JournalFile, begun: Journal.State): Run => {
      const write = writer(file);
      let state = begun;
      return {
        id,
        isOwn: true,
        state: () => state,
        async append(entry) {
          try {
            await write(entry, undefined);
          } catch (error) {
            if (!notes.includes(entry.type)) throw error;
            warn('The run continues without this entry.');
            return;
          }
          state = Journal.reduce(state, entry);
        },
        close() {
          if (file.holder === client) file.holder = undefined;
        },
      };
    };
    const record = (id: string, file: JournalFile): RunRecord => {
      const { lines } = file;
      const state = lines.length > 0 ? Journal.from(lines.map(({ entry }) => entry)) : undefined;
      const isHeld = isAlive(file.holder);
      return { id, lines, isOwn: true, state, updatedAt: lines.at(-1)?.at ?? 0, problem: undefined, isHeld };
    };
    const all = (): RunRecord[] => [...journals].map(([id, file]) => record(id, file)).toReversed();
    const isOpen = ({ state }: RunRecord): boolean => state !== undefined && Journal.isUnfinished(state);
    return {
      folder: `/${name}/runs`,
      async create(intent, { again }) {
        const id = await client.askHere(writeMs, () => {
          const same = again
            ? undefined
            : all().find((each) => each.state?.key === intent.key && (each.isHeld || isOpen(each)));
          if (same) throw new BaseError('run.unfinished', 'The same transfer is unfinished.', { run: same.id });
          const made = `20261121-093000-${digest(`${name} run ${everything.size}`).slice(2, 8)}`;
          const file: JournalFile = { lines: [], durable: 0, torn: 0, lost: [], isGone: false, holder: client };
          journals.set(made, file);
          everything.set(made, file);
          return made;
        });
        const file = fileOf(id);
        const begun: Journal.Entry = { type: 'intent', run: id, ...intent };
        try {
          await writer(file)(begun);
        } catch (error) {
          journals.delete(id);
          throw error;
        }
        return hold(id, file, Journal.from([begun]));
      },
      open: (id) =>
        client.askHere(writeMs, () => {
          const file = fileOf(id);
          if (isAlive(file.holder))
            throw new BaseError('run.busy', 'Another process executes it.', { funds: 'unknown' });
          const { lines } = read(file);
          file.lines = [...lines];
          file.torn = 0;
          if (lines.length === 0) throw new BaseError('run.unsigned', 'The run ended before it had begun.');
          file.holder = client;
          return hold(id, file, Journal.from(lines.map(({ entry }) => entry)));
        }),
      show: (id) => client.askHere(writeMs, () => record(id, fileOf(id))),
      list: (limit) => client.askHere(writeMs, () => all().slice(0, limit)),
      unfinished: () => client.askHere(writeMs, () => all().filter(isOpen)),
      ofLedger: async () => new Map(),
      unrecordedLines: async () => [],
      recorded: async () => {},
      prune: async () => [],
    };
  };

  const fileOf = (id: string): JournalFile => {
    const found = journals.get(id);
    if (!found) throw unknownRunError(id);
    return found;
  };

  const turnOf = (key: string): Turn => {
    const found = turns.get(key) ?? { holder: undefined, next: new Map() };
    turns.set(key, found);
    return found;
  };

  return {
    name,
    journals: everything,
    clients,
    runs,
    nonces: (client) => ({
      async *take(counter, held) {
        const turn = turnOf(counterName(counter));
        const startedAt = client.clock.now();
        while (isAlive(turn.holder)) {
          if (client.clock.now() - startedAt > 300_000) throw new BaseError('submit.busy', 'Another process uses it.');
          await client.clock.sleep(lockPauseMs, client.signal);
        }
        turn.holder = client;
        let isOurs = true;
        await held?.();
        return {
          known: (sequence = '') => turn.next.get(sequence),
          use(next, sequence = '') {
            if (next > (turn.next.get(sequence) ?? -1n)) turn.next.set(sequence, next);
          },
          commit: async () => {},
          release() {
            if (isOurs && turn.holder === client) turn.holder = undefined;
            isOurs = false;
          },
        };
      },
    }),
    counted: (client) => ({
      count: (id, owner) =>
        client.askHere(writeMs, () => {
          const known = payments.get(id) ?? owner;
          payments.set(id, known);
          return known === owner;
        }),
      ownerOf: (id) => client.askHere(writeMs, () => payments.get(id)),
    }),
    hasDurably: (bytes) =>
      [...journals.values()].some(({ lines, durable }) =>
        lines.slice(0, durable).some(({ entry }) => isOf(entry, bytes)),
      ),
    losePower() {
      for (const client of clients) client.kill();
      for (const file of journals.values()) {
        const lost = file.lines.length - file.durable;
        if (lost > 0) kernel.note(name, () => `loses ${lost} journal entries that the disk did not have`);
        file.lost = file.lines.splice(file.durable);
        if (lost > 0) file.torn = tornLength;
      }
    },
    loseDisk() {
      for (const client of clients) client.kill();
      for (const file of journals.values()) file.isGone = true;
      for (const kept of [journals, turns, payments]) kept.clear();
      kernel.note(name, () => 'loses its disk');
    },
  };
}

/** Entries that only record what has happened. */
const notes: readonly Journal.Entry['type'][] = ['broadcast', 'receipt', 'request', 'status', 'outcome'];

/** Whether an entry announces these signed bytes. */
function isOf(entry: Journal.Entry, bytes: string): boolean {
  if (entry.type === 'signed' || entry.type === 'replacement' || entry.type === 'invalidation')
    return entry.bytes === bytes;
  if (entry.type === 'signed-permit') return entry.signature === bytes;
  if (entry.type === 'signed-transfer') return entry.txInfo === bytes;
  return (
    (entry.type === 'signed-batch' || entry.type === 'call') &&
    (entry.request.data as { data?: unknown }).data === bytes
  );
}

/** A seal that is as good as a keyed one where nobody else writes. */
const seal: Seal = { id: 'model', of: (text) => String(text.length) };

/** Reads a journal as the program does: its lines as text, if the last one is torn. */
function read({ lines, torn }: JournalFile): { lines: readonly JournalCodec.Line[] } {
  if (torn === 0) return { lines };
  let end = JournalCodec.start;
  let text = '';
  for (const [n, line] of lines.entries()) {
    const written = JournalCodec.from(line, n, end, seal);
    end = written.end;
    text += written.text;
  }
  return JournalCodec.read(`${text}${text.slice(0, torn)}`, seal);
}

function counterName(counter: NonceCounter): string {
  return 'address' in counter ? `${counter.chainId} ${counter.address.toLowerCase()}` : `venue ${counter.accountIndex}`;
}

class FullDiskError extends BaseError {
  override name = 'FullDiskError';
  constructor() {
    super('config.unwritable', 'The journal cannot be written, so nothing more is signed.');
  }
}
