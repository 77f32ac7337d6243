import * as z from 'zod/mini';
import { define } from '../../core/command/Command.js';
import * as TerminalText from '../../core/text/TerminalText.js';

const output = z.object({
  /** Always true: a refused reset is an error. */
  reset: z.boolean(),
  /** The id of the instance that was running; null if none was. */
  stopped: z.nullable(z.string()),
});

export const command = define({
  description:
    'Stops the sandbox and deletes its chains and requests. The next start creates a new instance, ' +
    'which rejects the requests, nonces and signatures of the old one.',
  examples: [
    ['ferry sandbox reset', 'start over, after asking'],
    ['ferry sandbox reset --yes', 'without asking'],
  ],
  output,
  run: async (_, context) => {
    await context.confirm('Delete the chains and requests of the sandbox?');
    const stopped = await context.sandbox.reset();
    return { reset: true, stopped: stopped?.instance ?? null };
  },
  view: ({ stopped }) =>
    stopped === null
      ? 'The sandbox is empty: the next start creates a new instance.'
      : `Stopped the sandbox ${TerminalText.escape(stopped)} and deleted its state: the next start creates a new instance.`,
});
