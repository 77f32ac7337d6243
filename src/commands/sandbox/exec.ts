import * as z from 'zod/mini';
import { define } from '../../core/command/Command.js';

const output = z.object({
  /** The exit code of the program, or 128 and the number of the signal that ended it; it is also ferry's. */
  exitCode: z.number(),
});

export const command = define({
  description:
    'Runs a program with an environment that points to the sandbox: FERRY_SANDBOX_URL is the service, FERRY_SANDBOX_WS_URL its ' +
    'WebSocket, FERRY_SANDBOX_VENUE_URL the venue and FERRY_SANDBOX_VENUE_CHAIN_ID what its signatures are bound to, ALPHA_RPC_URL, BETA_RPC_URL and ETH_RPC_URL (alpha) are the chains, ALPHA_CHAIN_ID ' +
    'and ALPHA_USDC an id and a token, FERRY_SANDBOX_API_KEY and FERRY_SANDBOX_REFERRER what the service asks for, and FERRY_NETWORK is ' +
    'sandbox. ferry’s keys, passwords and other settings are not passed on. Exits with the program’s exit code, or 128 and the number of the signal that ended it. With --json, the program’s ' +
    'output goes to stderr.',
  args: [
    { name: 'command', names: 'program', description: 'the program' },
    { name: 'arguments', names: 'program', description: 'its arguments', optional: true, variadic: true },
  ],
  examples: [
    ['ferry sandbox exec -- cast block-number', 'a program that reads ETH_RPC_URL'],
    [`ferry sandbox exec -- sh -c 'curl -s "$FERRY_SANDBOX_URL/chains"'`, 'a direct call of the service'],
    ['ferry sandbox exec -- npm test', 'the tests of your own application'],
  ],
  output,
  run: async ({ args }, context) => ({
    exitCode: await context.sandbox.exec(args, context.json ? 'stderr' : 'stdout'),
  }),
  view: () => '',
  exit: ({ exitCode }) => exitCode,
});
