import * as z from 'zod/mini';
import { define } from '../../core/command/Command.js';
import * as RunDocument from '../../core/history/RunDocument.js';
import * as RunText from '../../core/view/RunText.js';

export const command = define({
  description: 'One run with its journal: what was written down, line by line, and what may be done next.',
  args: [{ name: 'run', description: 'the run, or the end of its name' }],
  options: {},
  examples: [['ferry runs show 20261121-093000-1f2e3d', 'what has become of it, by the journal alone']],
  output: z.extend(RunDocument.schema, { entries: z.array(RunDocument.line) }),
  async run({ args }, context) {
    const found = await (await context.runs()).show(args[0] ?? '');
    return { ...RunDocument.from(found), entries: RunDocument.toLines(found) };
  },
  view: RunText.format,
});
