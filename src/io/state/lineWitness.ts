/** What this machine has begun of the lines of shared batches, and what they pay, in files of its own. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { formatUnits, parseUnits } from 'viem/utils';
import type { Hex } from '../../core/base/Hex.js';
import type { LineWitness } from '../../core/worker/BatchStore.js';
import * as regularFile from '../files/regularFile.js';
import { type Environment, stateDir } from './paths.js';

/** What was begun of a batch: the runs by the number of their line, the accounts, and the signatures by run. */
type BatchRecord = { runs: Map<string, Set<string>>; accounts: Set<string>; signed: Map<string, number> };

/** Opens the files of this user. They only grow: a file a batch, and one a day. */
export function createLineWitness(host: Environment & { now(): number }): LineWitness {
  const folder = join(stateDir(host), 'worker');
  const runs = createFile<BatchRecord>(folder, {
    fresh: () => ({ runs: new Map(), accounts: new Set(), signed: new Map() }),
    read(known, [n = '', run = '', account = '', signatures = '0']) {
      known.runs.set(n, (known.runs.get(n) ?? new Set()).add(run));
      known.accounts.add(account);
      known.signed.set(run, Math.max(known.signed.get(run) ?? 0, Number(signatures)));
    },
  });
  const sums = createFile<Map<string, { symbol: string; amount: string }>>(folder, {
    fresh: () => new Map(),
    read: (known, [line = '', symbol = '', amount]) =>
      amount === undefined ? known.delete(line) : known.set(line, { symbol, amount }),
  });
  const today = (): string => `paid-${new Date(host.now()).toISOString().slice(0, 10)}`;
  const signedIn = (batch: Hex, run: string): number => runs.known(batch).signed.get(run) ?? 0;
  const key = ({ batch, n }: { batch: Hex; n: number }): string => `${batch}:${n}`;
  return {
    runsOf: (batch, n) => [...(runs.known(batch).runs.get(String(n)) ?? [])],
    note: (batch, { n, account }, run) => runs.add(batch, [String(n), run, account]),
    noteSigned(batch, { n, account }, run, signatures) {
      if (signatures > signedIn(batch, run)) runs.add(batch, [String(n), run, account, String(signatures)]);
    },
    signedIn,
    hasBegun: (batch, account) => runs.known(batch).accounts.has(account),
    spent(symbol, decimals, of) {
      let sum = 0n;
      for (const [line, each] of sums.known(today()))
        if (each.symbol === symbol.toLowerCase() && line !== key(of)) sum += parseUnits(each.amount, decimals);
      return sum;
    },
    spend(symbol, decimals, amount, of) {
      if (sums.known(today()).has(key(of))) return false;
      sums.add(today(), [key(of), symbol.toLowerCase(), formatUnits(amount, decimals)]);
      return true;
    },
    unspend: (of) => sums.add(today(), [key(of)]),
  };
}

/** Lines of words in files that several processes add to; each is read on from where it was read to. */
function createFile<T>(
  folder: string,
  { fresh, read }: { fresh(): T; read(known: T, words: readonly string[]): unknown },
): { known(name: string): T; add(name: string, words: readonly string[]): void } {
  const files = new Map<string, { known: T; size: number }>();
  return {
    known(name) {
      const path = join(folder, name);
      const file = files.get(name) ?? { known: fresh(), size: 0 };
      files.set(name, file);
      const size = existsSync(path) ? statSync(path).size : 0;
      if (size === file.size) return file.known;
      // What another process is just writing has no end of line yet, and is read the next time.
      const text = Buffer.from(regularFile.read(path)).subarray(file.size).toString('latin1');
      const whole = text.slice(0, text.lastIndexOf('\n') + 1);
      for (const line of whole.split('\n')) if (line !== '') read(file.known, line.split(' '));
      file.size += whole.length;
      return file.known;
    },
    add(name, words) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      // A line that a crash has cut off ends here.
      regularFile.append(join(folder, name), `\n${words.join(' ')}\n`);
    },
  };
}
