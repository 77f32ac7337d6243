/** `ferry sandbox stop`: stops the sandbox and keeps its state. */
import * as z from 'zod/mini';
import { define } from '../../core/command/Command.js';
import * as TerminalText from '../../core/text/TerminalText.js';

export const output = z.object({
  /** Whether one was running. */
  stopped: z.boolean(),
  instance: z.nullable(z.string()),
});

export const command = define({
  description:
    'Stops the sandbox and waits until its processes have exited. Its chains and requests are kept for the next start.',
  args: [],
  options: {},
  examples: [['ferry sandbox stop', 'stop it; the next start continues from its state']],
  output,
  run: async (_, context) => {
    const stopped = await context.sandbox.stop();
    return { stopped: stopped !== undefined, instance: stopped?.instance ?? null };
  },
  view: ({ instance }) =>
    instance === null
      ? 'No sandbox is running.'
      : `Stopped the sandbox ${TerminalText.escape(instance)}; its state is kept.`,
});
