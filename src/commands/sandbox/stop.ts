import * as z from 'zod/mini';
import { define } from '../../core/command/Command.js';
import * as TerminalText from '../../core/text/TerminalText.js';

const output = z.object({
  /** Whether one was running. */
  stopped: z.boolean(),
  instance: z.nullable(z.string()),
  /** Whether it did not stop in time and was killed. The next start continues from what it wrote, or says that it cannot. */
  wasKilled: z.boolean(),
});

export const command = define({
  description:
    'Stops the sandbox and waits until its processes have exited. Its chains and requests are kept for the next start.',
  examples: [['ferry sandbox stop', 'stop it; the next start continues from its state']],
  output,
  run: async (_, context) => {
    const stopped = await context.sandbox.stop();
    return {
      stopped: stopped !== undefined,
      instance: stopped?.instance ?? null,
      wasKilled: stopped?.wasKilled ?? false,
    };
  },
  view: ({ instance, wasKilled }) => {
    if (instance === null) return 'No sandbox is running.';
    return wasKilled
      ? `Killed the sandbox ${TerminalText.escape(instance)}, which did not stop in time. The next start continues from what it wrote as it ran, and says so if anything is missing.`
      : `Stopped the sandbox ${TerminalText.escape(instance)}; its state is kept.`;
  },
});
