import type { Code } from '../../core/base/Errors.js';
import { define } from '../../core/command/Command.js';
import * as BatchDocument from '../../core/worker/BatchDocument.js';
import { nameOf, readBatch, watchBatch } from '../../transfer/batches/watchBatch.js';

export const command = define({
  description:
    'Shows a batch in the store: its lines by state and by account, where the money is, the workers, and each line that needs time or somebody with the reason and the next command.',
  args: [{ name: 'name', description: 'the batch' }],
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
  async *run(options, context) {
    const name = nameOf(options.args);
    return options.watch ? yield* watchBatch(name, context) : await readBatch(name, context);
  },
  view: BatchDocument.formatStatus,
  outcome: ({ isOver, worst }) => (isOver ? ((worst as Code | null) ?? undefined) : undefined),
});
