/** What became of the lines of a batch: a result each, which a ledger keeps, and their totals. */
import * as z from 'zod/mini';
import * as Errors from '../base/Errors.js';
import type { Failure } from '../text/ErrorReport.js';
import * as TerminalText from '../text/TerminalText.js';
import type { BatchLine } from './BatchLine.js';
import type { Deed } from './TransferEntry.js';

/** What became of a line. `data` is what the command alone would have given, as far as it is wanted. */
export type Result = {
  command: Deed;
  id: string;
  digest: string;
  ok: boolean;
  data: unknown;
  error: Failure | null;
};

export const totals = z.object({
  /** The file, or - for standard input. */
  batch: z.string(),
  /** The ledger. */
  out: z.nullable(z.string()),
  /** Lines whose result was had now. */
  succeeded: z.int(),
  failed: z.int(),
  /** Lines whose result was in the ledger already. */
  before: z.object({ succeeded: z.int(), failed: z.int() }),
  seconds: z.number(),
  /** The code of the worst failure, which the exit code stands for. */
  worst: z.nullable(z.string()),
});

export type Totals = z.output<typeof totals>;

/** A line that has come to its end, as the ledger knows it. */
export type Entry = {
  id: string;
  digest: string;
  code: Errors.Code | null;
  /** It failed, and nothing moved. */
  mayBeTriedAgain: boolean;
};

const entrySchema = z.object({
  network: z.string(),
  command: z.string(),
  id: z.string(),
  digest: z.string(),
  ok: z.boolean(),
  error: z.nullable(z.object({ code: z.string(), funds: z.string() })),
});

/** Whose results a ledger keeps. */
export type Owner = {
  command: Deed;
  network: string;
  /** Whether failures by which nothing moved are left out, so that those lines are done again. */
  retryFailed?: boolean | undefined;
};

/**
 * A line of a ledger.
 *
 * @throws batch.ledger
 */
export function toEntry(text: string, number: number, owner: Owner): Entry {
  const read = z.safeParse(entrySchema, parsed(text));
  if (!read.success) throw new LedgerError(`line ${number} is no result of a batch`);
  const { command, network, id, digest, ok, error } = read.data;
  if (command !== owner.command) throw new LedgerError(`it holds results of ferry ${TerminalText.escape(command)}`);
  if (network !== owner.network)
    throw new LedgerError(`its results are of the network ${TerminalText.escape(network)}`);
  if (ok !== (error === null)) throw new LedgerError(`line ${number} is no result of a batch`);
  const known = error === null ? null : (Errors.entries().find(([code]) => code === error.code)?.[0] ?? 'internal.bug');
  return { id, digest, code: known, mayBeTriedAgain: error?.funds === 'untouched' };
}

/** @throws batch.ledger where something else was meant by the id before */
export function assertSame({ id, digest, number }: BatchLine, before: Pick<Entry, 'digest'>): void {
  if (before.digest !== digest)
    throw new LedgerError(
      `its result of "${TerminalText.escape(id)}" is of another transfer than line ${number} of the batch`,
    );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export class LedgerError extends Errors.BaseError {
  override name = 'LedgerError';
  constructor(why: string) {
    super('batch.ledger', `The ledger cannot be continued: ${why}.`, {
      hint: 'Name another file with --out, or the batch that the ledger belongs to. Nothing was done.',
    });
  }
}
