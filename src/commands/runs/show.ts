import * as z from 'zod/mini';
import { define } from '../../core/command/Command.js';
import * as RunDocument from '../../core/history/RunDocument.js';
import * as RunText from '../../core/view/RunText.js';

export const command = define({
  description: 'Shows one run with its journal, entry by entry, and the commands that can follow.',
  args: [{ name: 'run', description: 'the run id or its last characters' }],
  examples: [['ferry runs show 20261121-093000-1f2e3d', 'the state of a run, from its journal alone']],
  output: z.extend(RunDocument.schema, { entries: z.array(RunDocument.line) }),
  async run({ args }, context) {
    const found = await (await context.runs()).show(args[0] ?? '');
    return { ...RunDocument.from(found), entries: RunDocument.toLines(found) };
  },
  view: RunText.format,
});
