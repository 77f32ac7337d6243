import * as z from 'zod/mini';
import { define } from '../../core/command/Command.js';
import * as SettingFormat from '../../core/config/SettingFormat.js';
import * as RunDocument from '../../core/history/RunDocument.js';
import type { RunRecord } from '../../core/tracking/RunStore.js';
import * as RunText from '../../core/view/RunText.js';

const count = SettingFormat.whole('a number of runs', /^[1-9]\d{0,8}$/);

export const command = define({
  description:
    'Lists the latest transfers started on this machine, newest first, each with its network and where its funds are. With --network, those on that network alone.',
  options: {
    limit: { short: 'L', value: 'n', description: 'maximum number of runs (default: 20)' },
    unfinished: { description: 'only runs that can be resumed' },
  },
  examples: [
    ['ferry runs list', 'the latest twenty'],
    ['ferry runs list --unfinished --json', 'the runs to resume, in a script'],
  ],
  output: z.object({
    folder: z.string(),
    runs: z.array(RunDocument.schema),
    /** Whether there are more than --limit. */
    more: z.boolean(),
  }),
  async run(options, context) {
    const runs = await context.runs();
    const limit = SettingFormat.option(count, options.limit ?? '20', '--limit');
    const { value: network, source } = context.config.network;
    // The network in use by default says nothing of what is looked for; one that was typed does.
    const isWanted = ({ state }: RunRecord): boolean => source.kind !== 'flag' || state?.network === network;
    const found = options.unfinished
      ? (await runs.unfinished()).filter(isWanted)
      : await RunDocument.latest(runs, isWanted, limit + 1);
    const shown = found.slice(0, limit).map(RunDocument.from);
    return { folder: runs.folder, runs: shown, more: found.length > limit };
  },
  view: ({ runs }, style) => RunText.formatList(runs, style),
  note: ({ runs, more }) =>
    more ? `There are more: these are the latest ${runs.length}. --limit takes another number.` : undefined,
});
