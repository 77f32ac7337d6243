import * as z from 'zod/mini';
import { BaseError } from '../../core/base/Errors.js';
import { define } from '../../core/command/Command.js';
import * as RunDocument from '../../core/history/RunDocument.js';
import * as RunText from '../../core/view/RunText.js';

export const command = define({
  description: 'Lists the latest transfers started on this machine, newest first, each with where its funds are.',
  args: [],
  options: {
    limit: { type: 'string', short: 'L', value: 'n', description: 'maximum number of runs (default: 20)' },
    unfinished: { type: 'boolean', description: 'only runs that can be resumed' },
  },
  examples: [
    ['ferry runs list', 'the latest twenty'],
    ['ferry runs list --unfinished --json', 'the runs to resume, in a script'],
  ],
  output: z.object({ folder: z.string(), runs: z.array(RunDocument.schema) }),
  async run(options, context) {
    const runs = await context.runs();
    const limit = limitOf(options.limit);
    const found = options.unfinished ? (await runs.unfinished()).slice(0, limit) : await runs.list(limit);
    return { folder: runs.folder, runs: found.map(RunDocument.from) };
  },
  view: ({ runs }, style) => RunText.formatList(runs, style),
});

function limitOf(text: string | undefined): number {
  if (text === undefined) return 20;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new BaseError('usage.invalid', '--limit must be a number of runs.');
  return Number(text);
}
