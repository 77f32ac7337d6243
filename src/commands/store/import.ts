import * as z from 'zod/mini';
import { define } from '../../core/command/Command.js';
import * as TerminalText from '../../core/text/TerminalText.js';

export const output = z.object({
  store: z.string(),
  runs: z.int(),
  /** Accounts and API keys whose nonces were moved. */
  counters: z.int(),
  /** Payments that transfers had counted as theirs. */
  counted: z.int(),
  /** Where the files are now. */
  folders: z.array(z.string()),
});

export const command = define({
  description:
    'Moves the journals of this machine, the nonces that it knows and the payments that it has counted into the store, byte for byte, and renames the folders: files and a store together could pay twice. Stop every ferry of this machine first.',
  examples: [
    ['ferry store import --yes', 'after ferry store init, on the machine that paid until now'],
    ['ferry store import --yes --json | jq -r .data.runs', 'how many runs were moved'],
  ],
  output,
  async run(_, context) {
    const store = await context.store();
    await context.confirm(`Move the runs of this machine into ${store.name}?`);
    const { folders, ...moved } = await store.importFiles();
    return { store: store.name, ...moved, folders: [...folders] };
  },
  view: ({ store, runs, counters, counted, folders }, style) =>
    folders.length === 0
      ? 'This machine has no runs in files.'
      : [
          `${style.green('✓')} Moved ${style.number(String(runs))} runs, the nonces of ${counters} accounts and ${counted} counted payments into ${TerminalText.escape(store)}.`,
          ...folders.map((folder) => `  ${style.dim('kept as')} ${TerminalText.escape(folder)}`),
        ].join('\n'),
});
