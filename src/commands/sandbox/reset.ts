/** `ferry sandbox reset`: throws its state away. */
import * as z from 'zod/mini';
import { define } from '../../core/command/Command.js';
import * as TerminalText from '../../core/text/TerminalText.js';

export const output = z.object({
  /** Always true; a refused reset is an error. */
  reset: z.boolean(),
  /** The instance that was running, if any. */
  stopped: z.nullable(z.string()),
});

export const command = define({
  description:
    'Stops the sandbox and throws its chains and requests away. The next start is a new instance, ' +
    'which knows nothing of the requests, nonces and signatures of the old one.',
  args: [],
  options: {},
  examples: [
    ['ferry sandbox reset', 'begin again, after asking'],
    ['ferry sandbox reset --yes', 'without asking'],
  ],
  output,
  run: async (_, context) => {
    await context.confirm('Throw away the chains and requests of the sandbox?');
    const stopped = await context.sandbox.reset();
    return { reset: true, stopped: stopped?.instance ?? null };
  },
  view: ({ stopped }) =>
    stopped === null
      ? 'The sandbox is empty: the next start is a new instance.'
      : `Stopped the sandbox ${TerminalText.escape(stopped)} and threw its state away: the next start is a new instance.`,
});
