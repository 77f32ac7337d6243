/** What becomes of a line that is refused because it may be paid: whoever knows decides. */
import * as AddressText from '../../core/base/AddressText.js';
import { BaseError } from '../../core/base/Errors.js';
import * as BatchLine from '../../core/batch/BatchLine.js';
import type { Context } from '../../core/command/Context.js';
import * as Currency from '../../core/quote/Currency.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import * as BatchSeal from '../../core/worker/BatchSeal.js';
import type { HeldLine, StuckLine } from '../../core/worker/BatchStore.js';

/** A refused line, and the command that has it begun again. */
export type Undecided = { id: string; message: string; next: string };

export function undecided({ batch, id, message }: StuckLine): Undecided {
  return { id, message, next: ShellCommand.from('batch retry', [batch], { line: id }) };
}

/** What to do about lines that stay refused, as text; empty for none. */
export function format(batch: string, refused: readonly Undecided[]): string {
  return refused
    .map(({ id, message, next }) => {
      const end = ShellCommand.from('batch cancel', [batch], { line: id });
      const [why, again, over] = [message, next, end].map(TerminalText.escape);
      return `\nStays refused: ${TerminalText.escape(id)}. ${why}\n  if it was not paid: ${again}\n  if it was paid:     ${over}`;
    })
    .join('');
}

/** A line of the store, as its file had it. @throws batch.unreadable */
export function readLine({ id, n, doc }: Pick<HeldLine, 'id' | 'n' | 'doc'>): BatchLine.BatchLine {
  return BatchLine.createReader('execute', `line ${TerminalText.escape(id)}`)({ number: n + 1, text: doc });
}

/**
 * Lets a refused line wait again, although it may be paid. Machines take only the word of whoever submitted the batch,
 * who signs which of its runs are not waited for.
 *
 * @throws batch.unknown · batch.untrusted · batch.cancelled · prompt.* · auth.*
 */
export async function retryRefused(name: string, id: string, context: Context): Promise<void> {
  const batches = await context.batches();
  const { batch } = await batches.find(name);
  const line = await batches.refused(name, id);
  await context.confirm(
    `${TerminalText.escape(line.message)} Begin it again? If it was paid, it is paid a second time.`,
    context.network.realMoney ? 'no' : undefined,
  );
  const signer = await context.account();
  if (!AddressText.isEqual(signer.address, batch.submitter))
    throw new BaseError(
      'batch.untrusted',
      `The batch ${TerminalText.escape(name)} was submitted by ${batch.submitter}: workers take only its word for a line that may be paid.`,
      { hint: 'Select that account with --account.' },
    );
  const runs = [...new Set([...(line.accepted?.runs ?? []), ...(line.run === null ? [] : [line.run])])];
  const { from } = readLine({ ...line, id });
  const message = BatchSeal.acceptance(batch, line, runs);
  const signature = await signer.signMessage(message, Currency.parse(from, context.network).chain.id);
  await batches.retryRefused(name, id, { runs, signature });
}
