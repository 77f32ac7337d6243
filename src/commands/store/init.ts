import * as z from 'zod/mini';
import { define } from '../../core/command/Command.js';
import * as TerminalText from '../../core/text/TerminalText.js';

export const output = z.object({
  /** The database, without options. */
  store: z.string(),
  /** The version of the tables before; 0 if there were none. */
  before: z.int(),
  version: z.int(),
});

export const command = define({
  description:
    'Makes the tables of ferry in the database that FERRY_STORE names, in a schema of their own, and the roles ferry_work, ferry_submit and ferry_read where the user may make roles. Does nothing if they are there.',
  examples: [
    ['FERRY_STORE=postgres://ferry@db/ferry ferry store init', 'once, by the owner of the database'],
    ['ferry store init --json', 'for a script; a second time it changes nothing'],
  ],
  output,
  async run(_, context) {
    const store = await context.store();
    const { before, after } = await store.migrate();
    return { store: store.name, before, version: after };
  },
  view: ({ store, before, version }, style) => {
    const name = TerminalText.escape(store);
    if (before === version) return `${style.green('✓')} ${name} has its tables already, of version ${version}.`;
    const what = before === 0 ? 'made' : `brought from version ${before} to ${version}`;
    return `${style.green('✓')} The tables in ${name} are ${what}. Next: ${style.command('ferry store check')}`;
  },
});
