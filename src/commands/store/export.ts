import * as z from 'zod/mini';
import { define } from '../../core/command/Command.js';

export const output = z.object({
  run: z.string(),
  /** The lines of the journal. */
  text: z.string(),
});

export const command = define({
  description:
    'Prints the journal of a run in the store, byte for byte as its file would be. It holds signed bytes and no keys.',
  args: [{ name: 'run', description: 'the run, or its last characters' }],
  examples: [
    ['ferry store export 1f2e3d > run.jsonl', 'a copy for the records'],
    ['ferry store export 1f2e3d | jq -r .entry.type', 'what it did, step by step'],
  ],
  output,
  async run({ args }, context) {
    return (await context.store()).exportRun(args[0] ?? '');
  },
  // Its own line breaks, and no other.
  verbatim: true,
  view: ({ text }) => text.replace(/\n$/, ''),
});
