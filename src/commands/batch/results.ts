import * as z from 'zod/mini';
import type * as BatchResult from '../../core/batch/BatchResult.js';
import { define } from '../../core/command/Command.js';
import * as SettingFormat from '../../core/config/SettingFormat.js';
import type { Event } from '../../core/event/Event.js';
import * as EventLine from '../../core/event/EventLine.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import * as BatchText from '../../core/view/BatchText.js';
import type { ResultRow } from '../../core/worker/BatchStore.js';
import { nameOf } from '../../transfer/batches/watchBatch.js';

const number = SettingFormat.whole('the number of a result', /^\d{1,9}$/);

export const command = define({
  description:
    'Prints the results of a batch in the store, one a line, in the order in which they came. Each has a number, and the next ones are asked for with the last number that was read.',
  args: [{ name: 'name', description: 'the batch' }],
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
    const name = nameOf(options.args);
    const { since = '0', output, failed = false } = options;
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
