import * as z from 'zod/mini';
import { define } from '../../core/command/Command.js';
import * as Place from '../../core/text/Place.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import * as BatchDocument from '../../core/worker/BatchDocument.js';
import * as decideLine from '../../transfer/batches/decideLine.js';
import { nameOf } from '../../transfer/batches/watchBatch.js';

export const command = define({
  description:
    'Cancels a batch for good: each line that nobody has begun ends as batch.cancelled. What is signed is finished; ferry runs cancel is for that. A refused line that may be paid stays refused; --line ends it, with funds unknown.',
  args: [{ name: 'name', description: 'the batch' }],
  options: {
    line: { value: 'id', description: 'end this refused line alone, without paying it' },
  },
  examples: [
    ['ferry batch cancel payroll-11', 'asks first'],
    ['ferry batch cancel payroll-11 --line 4711', 'after the chain has shown that this refused line was paid'],
    ['ferry batch cancel payroll-11 --yes --json', 'in a script'],
  ],
  output: z.object({ batch: z.string(), cancelled: z.int(), refused: BatchDocument.undecided }),
  async run({ args, line }, context) {
    const batch = nameOf(args);
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
      `On ${place}: cancel the ${states.waiting ?? 0} lines of ${TerminalText.escape(batch)} that nobody has begun?`,
    );
    const { lines, refused } = await batches.cancel(batch);
    return { batch, cancelled: lines, refused: refused.map(decideLine.undecided) };
  },
  view: ({ batch, cancelled, refused }, style) =>
    `${style.green('✓')} ${cancelled} lines of ${TerminalText.escape(batch)} are canceled.${decideLine.format(batch, refused)}`,
});
