import * as z from 'zod/mini';
import { BaseError } from '../../core/base/Errors.js';
import { define } from '../../core/command/Command.js';
import * as SettingFormat from '../../core/config/SettingFormat.js';

const dayMs = 24 * 3_600_000;
const usualDays = 30;
const count = SettingFormat.whole('a number of runs', /^\d{1,9}$/);

export const command = define({
  description: 'Deletes the journals of old runs that have ended. Unfinished runs are always kept.',
  options: {
    olderThan: { value: 'time', description: `age of the last journal entry (default: ${usualDays}d)` },
    keep: { value: 'n', description: 'number of newest runs to keep, whatever their age (default: 0)' },
  },
  examples: [
    ['ferry runs prune', 'runs that ended more than 30 days ago'],
    ['ferry runs prune --older-than 0s --yes', 'all runs that have ended'],
    ['ferry runs prune --keep 1000 --older-than 0s --yes', 'all but the newest 1000, as a scheduled job'],
  ],
  output: z.object({ folder: z.string(), pruned: z.array(z.string()) }),
  async run({ olderThan, keep }, context) {
    const beforeMs = context.clock.now() - ageOf(olderThan);
    const kept = SettingFormat.option(count, keep ?? '0', '--keep');
    await context.confirm(`Delete the journals of runs that ended before ${new Date(beforeMs).toISOString()}?`);
    const runs = await context.runs();
    return { folder: runs.folder, pruned: await runs.prune({ beforeMs, keep: kept }) };
  },
  view: ({ pruned }) => (pruned.length === 1 ? 'Deleted 1 run.' : `Deleted ${pruned.length} runs.`),
});

function ageOf(text: string | undefined): number {
  const days = /^(\d{1,5})d$/.exec(text ?? `${usualDays}d`);
  if (days) return Number(days[1]) * dayMs;
  const read = text === '0s' ? { value: 0 } : SettingFormat.duration.read(text ?? '');
  if (!read) throw new BaseError('usage.invalid', '--older-than must be a time such as 30d, 12h or 0s.');
  return read.value;
}
