/** The results of the lines of a batch, which a ledger stores, and their totals. */
import * as z from 'zod/mini';
import * as Errors from '../base/Errors.js';
import type { Failure } from '../text/ErrorReport.js';
import * as JsonText from '../text/JsonText.js';
import * as TerminalText from '../text/TerminalText.js';
import type { BatchLine } from './BatchLine.js';
import type { Action } from './TransferEntry.js';

/** The result of a line. `data` is the output of the command for this transfer, reduced by `--fields`. */
export type Result = {
  command: Action;
  id: string;
  digest: string;
  ok: boolean;
  data: unknown;
  error: Failure | null;
};

export const totals = z.object({
  /** The file, or - for standard input. */
  batch: z.string(),
  out: z.nullable(z.string()),
  /** Lines that succeeded in this run. */
  succeeded: z.int(),
  /** Lines that failed in this run. */
  failed: z.int(),
  /** Lines whose result was already in the ledger. */
  before: z.object({ succeeded: z.int(), failed: z.int() }),
  seconds: z.number(),
  /** The code of the worst failure, which determines the exit code. */
  worst: z.nullable(z.string()),
});

export type Totals = z.output<typeof totals>;

/** A finished line as recorded in the ledger. */
export type Entry = {
  id: string;
  digest: string;
  code: Errors.Code | null;
  /** Whether it failed without moving any funds. */
  mayBeTriedAgain: boolean;
  /** The run that it is of, unless `--fields` has left it out. */
  run: string | undefined;
};

const runSchema = z.object({ run: z.string() });

const entrySchema = z.object({
  network: z.string(),
  command: z.string(),
  id: z.string(),
  digest: z.string(),
  ok: z.boolean(),
  data: z.unknown(),
  error: z.nullable(z.object({ code: z.string(), funds: z.string(), run: z.optional(z.nullable(z.string())) })),
});

/** The command and network that a ledger belongs to. */
export type Owner = {
  command: Action;
  network: string;
  /** Whether to ignore failures that moved no funds, so those lines run again. */
  retryFailed?: boolean | undefined;
};

/**
 * Parses a line of a ledger.
 *
 * @throws batch.ledger if it is not a result of the owner
 */
export function toEntry(text: string, number: number, owner: Owner): Entry {
  const read = z.safeParse(entrySchema, JsonText.read(text));
  if (!read.success) throw ledgerError(`line ${number} is not a batch result`);
  const { command, network, id, digest, ok, data, error } = read.data;
  if (command !== owner.command) throw ledgerError(`it contains results of ferry ${TerminalText.escape(command)}`);
  if (network !== owner.network) throw ledgerError(`its results belong to the network ${TerminalText.escape(network)}`);
  if (ok !== (error === null)) throw ledgerError(`line ${number} is not a batch result`);
  const known = error === null ? null : (Errors.entries().find(([code]) => code === error.code)?.[0] ?? 'internal.bug');
  const run = error?.run ?? z.safeParse(runSchema, data).data?.run;
  return { id, digest, code: known, mayBeTriedAgain: error?.funds === 'untouched', run };
}

export function ledgerError(why: string): Errors.BaseError {
  return new Errors.BaseError('batch.ledger', `The ledger cannot be continued: ${why}.`, {
    hint: 'Pass the batch that the ledger belongs to, or put only the lines that are not paid yet into a batch with a ledger of its own: another ledger knows of no payment. Nothing was executed.',
  });
}

/** What was appended is not known to be in it. */
export function changedLedger(): Errors.BaseError {
  return new Errors.BaseError('batch.ledger', 'The ledger was changed or replaced while its batch was running.', {
    hint: 'Run the same command to continue: nothing is paid again.',
  });
}

/** An id of the batch has a result of another transfer. */
export function otherTransfer({ id, number }: Pick<BatchLine, 'id' | 'number'>): Errors.BaseError {
  return ledgerError(
    `its result of "${TerminalText.escape(id)}" belongs to a different transfer than line ${number} of the batch`,
  );
}
