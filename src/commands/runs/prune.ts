import * as z from 'zod/mini';
import { BaseError } from '../../core/base/Errors.js';
import { define } from '../../core/command/Command.js';
import * as SettingFormat from '../../core/config/SettingFormat.js';

const dayMs = 24 * 3_600_000;
const usualDays = 30;

export const command = define({
  description: 'Deletes the journals of runs that are over and old. What is unfinished always stays.',
  args: [],
  options: {
    olderThan: { type: 'string', value: 'time', description: `since their last line (default: ${usualDays}d)` },
  },
  examples: [
    ['ferry runs prune', 'what ended a month ago'],
    ['ferry runs prune --older-than 0s --yes', 'everything that is over'],
  ],
  output: z.object({ folder: z.string(), pruned: z.array(z.string()) }),
  async run({ olderThan }, context) {
    const before = context.clock.now() - ageOf(olderThan);
    await context.confirm(`Delete the journals of runs that were over before ${new Date(before).toISOString()}?`);
    const runs = await context.runs();
    return { folder: runs.folder, pruned: await runs.prune(before) };
  },
  view: ({ pruned }) => (pruned.length === 1 ? 'One run was deleted.' : `${pruned.length} runs were deleted.`),
});

function ageOf(text: string | undefined): number {
  const days = /^(\d{1,5})d$/.exec(text ?? `${usualDays}d`);
  if (days) return Number(days[1]) * dayMs;
  const read = text === '0s' ? { value: 0 } : SettingFormat.duration.read(text ?? '');
  if (!read) throw new BaseError('usage.invalid', '--older-than must be a time such as 30d, 12h or 0s.');
  return read.value;
}
