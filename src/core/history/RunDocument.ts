/** A run as JSON, the output of `ferry runs`. */

import * as z from 'zod/mini';
import { fundsWords } from '../base/Errors.js';
import * as Url from '../base/Url.js';
import * as ShellCommand from '../text/ShellCommand.js';
import * as Journal from '../tracking/Journal.js';
import type { RunRecord, Runs } from '../tracking/RunStore.js';
import * as RequestReference from './RequestReference.js';

export type RunDocument = z.output<typeof schema>;

export const schema = z.object({
  run: z.string(),
  /** Unix time in milliseconds; null if the journal cannot be read. */
  startedAt: z.nullable(z.number()),
  updatedAt: z.nullable(z.number()),
  network: z.nullable(z.string()),
  kind: z.nullable(z.enum(['transactions', 'batch', 'permit', 'transfer', 'call', 'address'])),
  summary: z.string(),
  /** Whether the journal is sealed by this user. What another one says may be made up by whoever wrote it. */
  isOwn: z.boolean(),
  /** The account that pays: its name, or its address if none was selected; null if neither is known. */
  account: z.nullable(z.string()),
  /** `running`, `unfinished`, `unsigned`, `unreadable`, or the status of the outcome. */
  state: z.string(),
  funds: z.enum(fundsWords),
  requestId: z.nullable(z.string()),
  txHashes: z.array(z.string()),
  command: z.nullable(z.string()),
  /** The command that continues the run. */
  next: z.nullable(z.string()),
});

/** One line of a journal, without long fields. */
export const line = z.object({ at: z.number(), type: z.string(), details: z.record(z.string(), z.unknown()) });

/** The latest runs of those that are wanted: more are read until there are enough. */
export async function latest(
  runs: Pick<Runs, 'list'>,
  isWanted: (record: RunRecord) => boolean,
  limit: number,
): Promise<RunRecord[]> {
  for (let count = limit; ; count *= 4) {
    const read = await runs.list(count);
    const found = read.filter(isWanted);
    if (found.length >= limit || read.length < count) return found.slice(0, limit);
  }
}

export function from({ id, lines, state, problem, updatedAt, isHeld, isOwn }: RunRecord): RunDocument {
  if (!state) {
    const isEmpty = problem?.code === 'run.unsigned';
    return {
      run: id,
      startedAt: null,
      updatedAt: null,
      network: null,
      kind: null,
      summary: problem?.message ?? '',
      isOwn,
      account: null,
      state: isEmpty ? 'unsigned' : 'unreadable',
      funds: isEmpty ? 'untouched' : 'unknown',
      requestId: null,
      txHashes: [],
      command: null,
      next: null,
    };
  }
  const { handed, sent, outcome } = state;
  const isUnfinished = Journal.isUnfinished(state);
  return {
    run: id,
    startedAt: lines[0]?.at ?? null,
    updatedAt,
    network: state.network,
    kind: state.kind,
    summary: state.summary,
    isOwn,
    account: state.account ?? payerOf(state),
    state: isHeld ? 'running' : isUnfinished ? 'unfinished' : (outcome?.status ?? 'unsigned'),
    funds: Journal.fundsOf(state),
    requestId: RequestReference.inJournal(state) ?? null,
    txHashes:
      handed?.type === 'signed-transfer'
        ? [handed.txHash]
        : [...sent.values()].flatMap(({ attempts }) => attempts.map(({ txHash }) => txHash)),
    command: state.command,
    next: isUnfinished && !isHeld ? ShellCommand.line`ferry resume ${id}` : null,
  };
}

const quoted = z.object({ intent: z.object({ user: z.string() }) });

function payerOf({ quote }: Journal.State): string | null {
  const read = z.safeParse(quoted, quote?.document);
  return read.success ? read.data.intent.user : null;
}

/** The lines of the journal, without long fields such as the quote, and with credentials in base URLs redacted. */
export function toLines({ lines }: RunRecord): z.output<typeof line>[] {
  return lines.map(({ at, entry: { type, ...rest } }) => ({
    at,
    type,
    details: Object.fromEntries(
      Object.entries(rest)
        .filter(([key]) => !long.includes(key))
        .map(([key, value]) => [key, key === 'baseUrl' && typeof value === 'string' ? Url.redact(value) : value]),
    ),
  }));
}

const long: readonly string[] = ['document', 'bytes', 'request', 'txInfo', 'signature'];
