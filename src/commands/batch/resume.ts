import * as z from 'zod/mini';
import { define } from '../../core/command/Command.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import { nameOf } from '../../transfer/batches/watchBatch.js';

export const command = define({
  description: 'Lets workers begin the lines of a batch that is paused, or was submitted with --hold.',
  args: [{ name: 'name', description: 'the batch' }],
  examples: [
    ['ferry batch resume payroll-11', 'workers go on within a second'],
    ['ferry batch resume payroll-11 --json', 'in a script'],
  ],
  output: z.object({ batch: z.string(), state: z.literal('ready') }),
  async run(options, context) {
    const batch = nameOf(options.args);
    await (await context.batches()).setState(batch, 'ready');
    return { batch, state: 'ready' as const };
  },
  view: (data, style) => `${style.green('✓')} The batch ${TerminalText.escape(data.batch)} is ready.`,
});
