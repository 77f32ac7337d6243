import * as z from 'zod/mini';
import { define } from '../../core/command/Command.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import { nameOf } from '../../transfer/batches/watchBatch.js';

export const command = define({
  description: 'Pauses a batch: no worker begins another line of it. What is signed is finished.',
  args: [{ name: 'name', description: 'the batch' }],
  examples: [
    ['ferry batch pause payroll-11', 'at once, for all workers'],
    ['ferry batch pause payroll-11 --json', 'in a script'],
  ],
  output: z.object({ batch: z.string(), state: z.literal('paused') }),
  async run(options, context) {
    const batch = nameOf(options.args);
    await (await context.batches()).setState(batch, 'paused');
    return { batch, state: 'paused' as const };
  },
  view: (data, style) =>
    `${style.green('✓')} The batch ${TerminalText.escape(data.batch)} is paused. What is signed is finished.`,
});
