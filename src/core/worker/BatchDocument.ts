/** A batch of a store as `--json` prints it, and as text. */
import * as z from 'zod/mini';
import * as Errors from '../base/Errors.js';
import * as ExitCode from '../base/ExitCode.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalTable from '../text/TerminalTable.js';
import * as TerminalText from '../text/TerminalText.js';
import type { Batch, BatchStatus, LineState, WorkerRow } from './BatchStore.js';

const states = z.object({
  waiting: z.int(),
  running: z.int(),
  stuck: z.int(),
  refused: z.int(),
  done: z.int(),
  failed: z.int(),
  cancelled: z.int(),
});

const summary = z.object({
  batch: z.string(),
  network: z.string(),
  state: z.enum(['ready', 'paused', 'cancelled']),
  lines: z.int(),
  states,
  /** Whether every line has its result. */
  isOver: z.boolean(),
  priority: z.int(),
  /** Who has signed it. */
  submitter: z.string(),
  digest: z.string(),
  /** Unix time in milliseconds. */
  submittedAt: z.number(),
});

/** Lines that stay refused, since they may be paid, at most 20; `next` has one begun again. */
export const undecided = z.array(z.object({ id: z.string(), message: z.string(), next: z.string() }));

export const list = z.object({ batches: z.array(summary) });

export const status = z.extend(summary, {
  /** Results by where the money is. */
  funds: z.record(z.string(), z.int()),
  accounts: z.array(
    z.object({
      account: z.string(),
      states,
      /** How long its oldest line under way has been, in seconds; null if none is. */
      oldestSeconds: z.nullable(z.number()),
    }),
  ),
  /** Lines that need time or somebody, at most 20. */
  stuck: z.array(
    z.object({
      id: z.string(),
      account: z.string(),
      state: z.string(),
      run: z.nullable(z.string()),
      code: z.string(),
      message: z.string(),
      next: z.nullable(z.string()),
    }),
  ),
  workers: z.array(
    z.object({
      worker: z.string(),
      accounts: z.array(z.string()),
      isDraining: z.boolean(),
      /** How long it has said nothing, in seconds. */
      silentSeconds: z.number(),
      /** Why it does not take this batch; null if it does. */
      refuses: z.nullable(z.string()),
    }),
  ),
  /** The code of the worst failure, which determines the exit code of --watch and --wait. */
  worst: z.nullable(z.string()),
});

export type List = z.output<typeof list>;
export type Status = z.output<typeof status>;
type Summary = z.output<typeof summary>;

function counts(of: Readonly<Partial<Record<LineState, number>>>): Summary['states'] {
  const { waiting = 0, running = 0, stuck = 0, refused = 0, done = 0, failed = 0, cancelled = 0 } = of;
  return { waiting, running, stuck, refused, done, failed, cancelled };
}

export function toSummary(batch: Batch, of: Readonly<Partial<Record<LineState, number>>>): Summary {
  const { name, network, state, lines, priority, submitter, digest, submittedAt } = batch;
  const all = counts(of);
  const isOver = all.done + all.failed + all.cancelled === lines;
  return { batch: name, network, state, lines, states: all, isOver, priority, submitter, digest, submittedAt };
}

export function from(
  { batch, states: of, funds, accounts, stuck, codes }: BatchStatus,
  workers: readonly WorkerRow[],
  nowMs: number,
): Status {
  const known = codes.filter((code): code is Errors.Code => Errors.entries().some(([each]) => each === code));
  return {
    ...toSummary(batch, of),
    funds: { ...funds },
    accounts: accounts.map(({ account, states: own, oldestMs }) => ({
      account,
      states: counts(own),
      oldestSeconds: oldestMs === null ? null : Math.round(oldestMs / 100) / 10,
    })),
    stuck: stuck.map(({ batch: _, ...line }) => line),
    workers: workers.map(({ id, accounts: own, isDraining, seenAt, refuses }) => ({
      worker: id,
      accounts: [...own],
      isDraining,
      silentSeconds: Math.max(0, Math.round((nowMs - seenAt) / 1000)),
      refuses: refuses[batch.name] ?? null,
    })),
    worst: known.reduce<Errors.Code | null>((worst, code) => ExitCode.worse(worst, code), null),
  };
}

export function formatList({ batches }: List, style: Style): string {
  if (batches.length === 0) return 'No batches.';
  return TerminalText.columns([
    ['Batch', 'State', 'Lines', 'Done', 'Failed', 'Waiting', 'Under way'].map(style.dim),
    ...batches.map(({ batch, state, isOver, lines, states: of }) => [
      TerminalText.escape(batch),
      isOver ? 'over' : TerminalText.escape(state),
      String(lines),
      String(of.done),
      String(of.failed + of.cancelled),
      String(of.waiting),
      String(of.running + of.stuck + of.refused),
    ]),
  ]);
}

/** Longer than this, and a worker may be gone. */
const silent = 20;

export function formatStatus(found: Status, style: Style): string {
  const { batch, state, isOver, lines, states: of, funds, accounts, stuck, workers } = found;
  const shown = (own: Readonly<Record<string, number>>): string =>
    Object.entries(own)
      .filter(([, count]) => count > 0)
      .map(([each, count]) => `${count} ${TerminalText.escape(each)}`)
      .join(', ');
  const rows: TerminalTable.Row[] = [
    ['State', isOver ? 'over' : TerminalText.escape(state)],
    ['Lines', `${lines}: ${shown(of)}`],
    ['Funds', shown(funds) || null],
    ['Submitted by', TerminalText.escape(found.submitter)],
  ];
  const parts = [
    style.bold(`Batch ${TerminalText.escape(batch)}`),
    TerminalTable.rows(rows, style, 2),
    TerminalText.columns([
      ['  Account', 'Lines', 'Oldest under way'].map(style.dim),
      ...accounts.map(({ account, states: own, oldestSeconds }) => [
        `  ${TerminalText.escape(account)}`,
        shown(own),
        oldestSeconds === null ? '' : `${oldestSeconds} s`,
      ]),
    ]),
  ];
  for (const { id, state: is, code, message, next } of stuck)
    parts.push(
      `  ${(is === 'refused' ? style.red : style.yellow)(TerminalText.escape(is))} ${style.bold(TerminalText.escape(id))}  ${TerminalText.escape(`${code}: ${message}`)}${next === null ? '' : `\n    ${style.command(TerminalText.escape(next))}`}`,
    );
  if (!isOver && workers.length === 0) parts.push(style.yellow('  No worker runs: ferry worker'));
  for (const { worker, isDraining, silentSeconds, refuses } of isOver ? [] : workers) {
    const is =
      silentSeconds > silent ? style.red(`silent for ${silentSeconds} s`) : isDraining ? 'draining' : 'working';
    const why = refuses === null ? '' : `  ${style.red(TerminalText.escape(refuses))}`;
    parts.push(`  ${style.dim('Worker')} ${TerminalText.escape(worker)}  ${is}${why}`);
  }
  return parts.join('\n');
}
