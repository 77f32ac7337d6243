/** `ferry sandbox exec`: another program on the sandbox. */
import * as z from 'zod/mini';
import { BaseError } from '../../core/base/Errors.js';
import { define } from '../../core/command/Command.js';

export const output = z.object({
  /** The exit code of the command, which ferry ends with too. */
  exitCode: z.number(),
});

export const command = define({
  description:
    'Runs a command with its environment pointing at the sandbox: FERRY_SANDBOX_URL is the service, FERRY_SANDBOX_VENUE_URL the ' +
    "venue, ALPHA_RPC_URL, BETA_RPC_URL and ETH_RPC_URL (alpha) are the chains, FERRY_NETWORK is sandbox. ferry's keys, passwords and other " +
    'settings are not passed on. Ends with the exit code of the command. Under --json what it prints goes to stderr.',
  args: [
    { name: 'command', names: 'program', description: 'the program' },
    { name: 'arguments', names: 'program', description: 'its arguments', optional: true, variadic: true },
  ],
  options: {},
  examples: [
    ['ferry sandbox exec -- cast block-number', 'a program that reads ETH_RPC_URL'],
    [`ferry sandbox exec -- sh -c 'curl -s "$FERRY_SANDBOX_URL/chains"'`, 'the service by hand'],
    ['ferry sandbox exec -- npm test', 'the tests of an application of yours'],
  ],
  output,
  run: async ({ args }, context) => {
    if (!args[0])
      throw new BaseError('usage.missing', 'Which command?', { next: 'ferry sandbox exec -- cast block-number' });
    return { exitCode: await context.sandbox.exec(args, context.json ? 'stderr' : 'stdout') };
  },
  view: () => '',
  exit: ({ exitCode }) => exitCode,
});
