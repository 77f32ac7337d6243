import * as z from 'zod/mini';
import { define } from '../core/command/Command.js';

export const command = define({
  description: 'Prints the version of ferry; with --json also that of Node and the system, for a report of a problem.',
  examples: [
    ['ferry version', 'the same as ferry --version'],
    ['ferry version --json', 'with the version of Node'],
  ],
  output: z.object({ version: z.string(), node: z.string(), platform: z.string() }),
  async run(_, { version, machine }) {
    const { node, platform } = await machine();
    return { version, node, platform };
  },
  needsNoConfig: true,
  verbatim: true,
  view: ({ version }) => version,
});
