import { define } from '../../core/command/Command.js';
import * as BatchDocument from '../../core/worker/BatchDocument.js';

export const command = define({
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
