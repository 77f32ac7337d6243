import * as z from 'zod/mini';
import * as AddressText from '../core/base/AddressText.js';
import { BaseError, type Code } from '../core/base/Errors.js';
import type * as BatchResult from '../core/batch/BatchResult.js';
import { define } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as SettingFormat from '../core/config/SettingFormat.js';
import type { CommandEvent } from '../core/event/DisplayEvent.js';
import type { Event } from '../core/event/Event.js';
import * as EventLine from '../core/event/EventLine.js';
import * as Currency from '../core/quote/Currency.js';
import * as Place from '../core/text/Place.js';
import * as ShellCommand from '../core/text/ShellCommand.js';
import * as TerminalText from '../core/text/TerminalText.js';
import * as BatchText from '../core/view/BatchText.js';
import * as BatchDocument from '../core/worker/BatchDocument.js';
import * as BatchSeal from '../core/worker/BatchSeal.js';
import type { ResultRow, StuckLine } from '../core/worker/BatchStore.js';
import * as Estimate from '../core/worker/Estimate.js';
import { readLine } from '../transfer/batches/carryLine.js';
import { submitBatch } from '../transfer/batches/submitBatch.js';

const pollMs = 1_000;

/** @throws batch.unknown · store.* */
async function readBatch(name: string, context: Context): Promise<BatchDocument.Status> {
  const batches = await context.batches();
  const [found, workers] = [await batches.status(name), await batches.workers()];
  return BatchDocument.from(found, workers, context.clock.now());
}

/** @throws batch.unknown · store.* · the signal's reason: the batch goes on */
async function* watchBatch(name: string, context: Context): AsyncGenerator<CommandEvent, BatchDocument.Status> {
  const { clock, signal } = context;
  const startedAt = clock.now();
  for (;;) {
    const found = await readBatch(name, context);
    const { done, failed: own, cancelled } = found.states;
    const failed = own + cancelled;
    const elapsedMs = clock.now() - startedAt;
    yield { type: 'progress', what: 'lines', done: done + failed, total: found.lines, failed, elapsedMs };
    if (found.isOver) return found;
    await clock.sleep(pollMs, signal);
  }
}

/** The batch that a command is about. */
const named = [{ name: 'name', description: 'the batch' }] as const;

const whole = SettingFormat.whole('a whole number', /^-?\d{1,6}$/);

const submit = define({
  description:
    'Gives a batch to the workers of a store: a file with one transfer per line, as for ferry execute --batch. Every line is checked first. The account signs the batch, and workers take only batches of whom their own settings name. The same file under the same name again changes nothing.',
  args: [{ name: 'file', description: 'the batch, or - for stdin', names: 'file' }],
  options: {
    name: { value: 'name', description: 'the name of the batch, for good' },
    hold: { description: 'submit it paused: ferry batch resume begins it' },
    priority: { value: 'n', description: 'an account pays batches of a higher one first (default: 0)' },
    wait: { description: 'wait until every line has its result, and exit by the worst' },
    account: { value: 'account', description: 'the account that signs the batch, and pays lines that name none' },
  },
  examples: [
    ['ferry batch submit payroll.ndjson --name payroll-11', 'asks, with the time that it takes'],
    ['ferry batch submit payroll.ndjson --name payroll-11 --yes --wait --json', 'in a script: until it is over'],
    ['ferry batch submit payroll.ndjson --name payroll-11 --hold', 'for somebody else to look at first'],
  ],
  output: z.object({
    /** Whether it was submitted now; if not, the same batch was there. */
    isNew: z.boolean(),
    estimate: Estimate.schema,
    batch: BatchDocument.status,
  }),
  streams: true,
  async *run(options, context) {
    const [file = '-'] = options.args;
    const { name, account, hold = false, priority = '0' } = options;
    if (name === undefined) throw new BaseError('usage.missing', 'A batch needs a name: --name payroll-2026-11.');
    const rank = SettingFormat.option(whole, priority, '--priority');
    if (hold && options.wait) throw new BaseError('usage.invalid', '--hold and --wait cannot be combined.');
    const { isNew, estimate } = await submitBatch({ file, name, account, hold, priority: rank }, context);
    const batch = options.wait ? yield* watchBatch(name, context) : await readBatch(name, context);
    return { isNew, estimate, batch };
  },
  view: ({ isNew, estimate, batch }, style) => {
    const name = TerminalText.escape(batch.batch);
    if (batch.isOver) return BatchDocument.formatStatus(batch, style);
    const next = style.command(
      ShellCommand.line`ferry batch ${batch.state === 'paused' ? 'resume' : 'status'} ${name}`,
    );
    return isNew
      ? `${style.green('✓')} Submitted ${TerminalText.count(batch.lines, 'line')} as ${name}${batch.state === 'paused' ? ', paused' : ''}. It takes ${Estimate.format(estimate)}.\nNext: ${next}`
      : `The batch ${name} is there already, the same to the last line. Nothing was changed.\nNext: ${next}`;
  },
  outcome: ({ batch }) => (batch.isOver ? ((batch.worst as Code | null) ?? undefined) : undefined),
});

const list = define({
  description: 'Lists the batches in the store, newest first, each with how many of its lines are done.',
  examples: [
    ['ferry batch list', 'all batches'],
    ["ferry batch list --json | jq -r '.data.batches[] | select(.isOver | not) | .batch'", 'those under way'],
  ],
  output: BatchDocument.list,
  async run(_, context) {
    const found = await (await context.batches()).list();
    return { batches: found.map(({ states, ...batch }) => BatchDocument.toSummary(batch, states)) };
  },
  view: BatchDocument.formatList,
});

const status = define({
  description:
    'Shows a batch in the store: its lines by state and by account, where the money is, the workers, and each line that needs time or somebody with the reason and the next command.',
  args: named,
  options: {
    watch: { short: 'w', description: 'until every line has its result; exits by the worst' },
  },
  examples: [
    ['ferry batch status payroll-11', 'how far it is'],
    ['ferry batch status payroll-11 --watch', 'until it is over'],
    ['ferry batch status payroll-11 --json --fields states,worst', 'for a script'],
  ],
  output: BatchDocument.status,
  streams: true,
  async *run({ args: [name = ''], watch }, context) {
    return watch ? yield* watchBatch(name, context) : await readBatch(name, context);
  },
  view: BatchDocument.formatStatus,
  outcome: ({ isOver, worst }) => (isOver ? ((worst as Code | null) ?? undefined) : undefined),
});

const number = SettingFormat.whole('the number of a result', /^\d{1,9}$/);

const results = define({
  description:
    'Prints the results of a batch in the store, one a line, in the order in which they came. Each has a number, and the next ones are asked for with the last number that was read.',
  args: named,
  options: {
    failed: { description: 'only lines that failed' },
    since: { value: 'seq', description: 'only results after this number' },
    output: { short: 'o', value: 'file', description: 'write them to a file, as JSON lines' },
  },
  examples: [
    ['ferry batch results payroll-11', 'what has come so far'],
    ['ferry batch results payroll-11 --failed', 'what failed, and why'],
    ['ferry batch results payroll-11 -o results.ndjson', 'as the ledger of ferry execute --batch has them'],
    ['ferry batch results payroll-11 --since 1200 --json', 'what is new since the last look'],
  ],
  output: z.object({
    batch: z.string(),
    results: z.int(),
    /** The number of the last one, for --since. */
    last: z.int(),
    out: z.nullable(z.string()),
  }),
  streams: true,
  async *run(options, { network, ...context }) {
    const {
      args: [name = ''],
      since = '0',
      output,
      failed = false,
    } = options;
    const after = SettingFormat.option(number, since, '--since');
    const batches = await context.batches();
    let [results, last] = [0, after];
    const events = async function* (): AsyncGenerator<Extract<Event, { type: 'result' }>, void> {
      for await (const row of batches.results(name, { isFailed: failed, since: after })) {
        results++;
        last = row.seq;
        yield toEvent(row);
      }
    };
    if (output === undefined) yield* events();
    else {
      const texts = async function* (): AsyncGenerator<string, void> {
        for await (const event of events()) yield `${EventLine.format(event, network.name)}\n`;
      };
      await context.files.writeLines(output, texts());
    }
    return { batch: name, results, last, out: output ?? null };
  },
  resultLine: (event, style) => (event.type === 'result' ? BatchText.line(event, style) : undefined),
  view: () => '',
  note: ({ results, last, out }) =>
    out === null
      ? `${results} results; the last is number ${last}.`
      : `${results} results are in ${TerminalText.escape(out)}; the last is number ${last}.`,
});

/** A result as a ledger has it. */
function toEvent({ seq, doc }: ResultRow): Extract<Event, { type: 'result' }> {
  const { id, digest, ok, data, error } = JSON.parse(doc) as BatchResult.Result;
  return { type: 'result', command: 'execute', id, digest, ok, data, error, seq };
}

const pause = define({
  description: 'Pauses a batch: no worker begins another line of it. What is signed is finished.',
  args: named,
  examples: [
    ['ferry batch pause payroll-11', 'at once, for all workers'],
    ['ferry batch pause payroll-11 --json', 'in a script'],
  ],
  output: z.object({ batch: z.string(), state: z.literal('paused') }),
  run: (options, context) => turn(options.args, 'paused', context),
  view: (data, style) =>
    `${style.green('✓')} The batch ${TerminalText.escape(data.batch)} is paused. What is signed is finished.`,
});

const resume = define({
  description: 'Lets workers begin the lines of a batch that is paused, or was submitted with --hold.',
  args: named,
  examples: [
    ['ferry batch resume payroll-11', 'workers go on within a second'],
    ['ferry batch resume payroll-11 --json', 'in a script'],
  ],
  output: z.object({ batch: z.string(), state: z.literal('ready') }),
  run: (options, context) => turn(options.args, 'ready', context),
  view: (data, style) => `${style.green('✓')} The batch ${TerminalText.escape(data.batch)} is ready.`,
});

async function turn<S extends 'paused' | 'ready'>([batch = '']: readonly string[], state: S, context: Context) {
  await (await context.batches()).setState(batch, state);
  return { batch, state };
}

/** A refused line, and the command that has it begun again. */
type Undecided = { id: string; message: string; next: string };

export function undecided({ batch, id, message }: StuckLine): Undecided {
  return { id, message, next: ShellCommand.from('batch retry', [batch], { line: id }) };
}

/** What to do about lines that stay refused, as text; empty for none. */
function formatUndecided(batch: string, refused: readonly Undecided[]): string {
  return refused
    .map(({ id, message, next }) => {
      const end = ShellCommand.from('batch cancel', [batch], { line: id });
      const [why, again, over] = [message, next, end].map(TerminalText.escape);
      return `\nStays refused: ${TerminalText.escape(id)}. ${why}\n  if it was not paid: ${again}\n  if it was paid:     ${over}`;
    })
    .join('');
}

const cancel = define({
  description:
    'Cancels a batch for good: each line that nobody has begun ends as batch.cancelled. What is signed is finished; ferry runs cancel is for that. A refused line that may be paid stays refused; --line ends it, with funds unknown.',
  args: named,
  options: {
    line: { value: 'id', description: 'end this refused line alone, without paying it' },
  },
  examples: [
    ['ferry batch cancel payroll-11', 'asks first'],
    ['ferry batch cancel payroll-11 --line 4711', 'after the chain has shown that this refused line was paid'],
    ['ferry batch cancel payroll-11 --yes --json', 'in a script'],
  ],
  output: z.object({ batch: z.string(), cancelled: z.int(), refused: BatchDocument.undecided }),
  async run({ args: [batch = ''], line }, context) {
    const batches = await context.batches();
    const place = Place.inWords(context.network);
    if (line !== undefined) {
      const { message } = await batches.refused(batch, line);
      await context.confirm(`On ${place}: ${TerminalText.escape(message)} End the line, with funds unknown?`);
      await batches.cancelRefused(batch, line);
      return { batch, cancelled: 1, refused: [] };
    }
    const { states } = await batches.status(batch);
    await context.confirm(
      `On ${place}: cancel ${TerminalText.count(states.waiting ?? 0, 'line')} of ${TerminalText.escape(batch)} that nobody has begun?`,
    );
    const { lines, refused } = await batches.cancel(batch);
    if (lines > 0 && (await context.storeDoubt()))
      context.warn(
        'The store may have lost who began these lines: look at the chain before you pay them in any other way.',
      );
    return { batch, cancelled: lines, refused: refused.map(undecided) };
  },
  view: ({ batch, cancelled, refused }, style) =>
    `${style.green('✓')} ${TerminalText.count(cancelled, 'line')} of ${TerminalText.escape(batch)} ${cancelled === 1 ? 'is' : 'are'} canceled.${formatUndecided(batch, refused)}`,
});

const retry = define({
  description:
    'Lets lines of a batch wait again that failed with funds untouched, or that workers refused. A line that may be paid, since a run of it is lost, stays refused until it is named with --line: the account that submitted the batch then signs that it is begun again. Lines that are held because the store may have lost runs of their account wait again by --held.',
  args: named,
  options: {
    failed: { description: 'those lines; the flag says that this is meant' },
    line: { value: 'id', description: 'one that is refused, although it may be paid: asks first' },
    held: { description: 'all that are held since the store may have lost runs: asks first' },
    account: { value: 'account', description: 'with --line, the account that submitted the batch' },
  },
  examples: [
    ['ferry batch retry payroll-11 --failed', 'after whatever failed is mended'],
    ['ferry batch retry payroll-11 --line 4711', 'after the chain has shown that this line was not paid'],
    ['ferry batch retry payroll-11 --held', 'after the chain has shown that none of the held lines was paid'],
    ['ferry batch retry payroll-11 --failed --json', 'in a script'],
  ],
  output: z.object({ batch: z.string(), lines: z.int(), refused: BatchDocument.undecided }),
  async run(options, context) {
    const {
      args: [batch = ''],
      failed,
      held,
      line,
    } = options;
    if ([failed, held, line].filter(Boolean).length !== 1)
      throw new BaseError('usage.missing', 'Say which lines: --failed, --held, or one by --line.', {
        hint: 'Those that failed with funds untouched, or were refused. Nothing else is ever tried again.',
      });
    if (line !== undefined) {
      await retryRefused(batch, line, context);
      return { batch, lines: 1, refused: [] };
    }
    const batches = await context.batches();
    if (held) {
      await context.confirm(
        `On ${Place.inWords(context.network)}: begin all lines of ${TerminalText.escape(batch)} that are held since they may be paid? What was paid is paid a second time.`,
        context.network.realMoney ? 'no' : undefined,
      );
      return { batch, lines: await batches.releaseHeld(batch), refused: [] };
    }
    const { lines, refused } = await batches.retry(batch);
    return { batch, lines, refused: refused.map(undecided) };
  },
  view: ({ batch, lines, refused }, style) =>
    `${style.green('✓')} ${TerminalText.count(lines, 'line')} of ${TerminalText.escape(batch)} ${lines === 1 ? 'waits' : 'wait'} again.${formatUndecided(batch, refused)}`,
});

/**
 * Lets a refused line wait again, although it may be paid. Machines take only the word of whoever submitted the batch,
 * who signs which of its runs are not waited for.
 *
 * @throws batch.unknown · batch.untrusted · batch.cancelled · prompt.* · auth.*
 */
async function retryRefused(name: string, id: string, context: Context): Promise<void> {
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

export const commands = { submit, list, status, results, pause, resume, cancel, retry };
