import * as z from 'zod/mini';
import { BaseError } from '../../core/base/Errors.js';
import { define } from '../../core/command/Command.js';
import * as Place from '../../core/text/Place.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import * as BatchDocument from '../../core/worker/BatchDocument.js';
import * as decideLine from '../../transfer/batches/decideLine.js';
import { nameOf } from '../../transfer/batches/watchBatch.js';

export const command = define({
  description:
    'Lets lines of a batch wait again that failed with funds untouched, or that workers refused. A line that may be paid, since a run of it is lost, stays refused until it is named with --line: the account that submitted the batch then signs that it is begun again. Lines that are held because the store may have lost runs of their account wait again by --held.',
  args: [{ name: 'name', description: 'the batch' }],
  options: {
    failed: { description: 'those lines; the flag says that this is meant' },
    line: { value: 'id', description: 'one that is refused, although it may be paid: asks first' },
    held: { description: 'all that are held since the store may have lost runs: asks first' },
    account: { value: 'account', description: 'with --line, the account that submitted the batch' },
  },
  examples: [
    ['ferry batch retry payroll-11 --failed', 'after whatever failed is mended'],
    ['ferry batch retry payroll-11 --line 4711', 'after the chain has shown that this line was not paid'],
    ['ferry batch retry payroll-11 --held', 'after the chain has shown that none of the held lines was paid'],
    ['ferry batch retry payroll-11 --failed --json', 'in a script'],
  ],
  output: z.object({ batch: z.string(), lines: z.int(), refused: BatchDocument.undecided }),
  async run(options, context) {
    const batch = nameOf(options.args);
    const { failed, held, line } = options;
    if ([failed, held, line].filter(Boolean).length !== 1)
      throw new BaseError('usage.missing', 'Say which lines: --failed, --held, or one by --line.', {
        hint: 'Those that failed with funds untouched, or were refused. Nothing else is ever tried again.',
      });
    if (line !== undefined) {
      await decideLine.retryRefused(batch, line, context);
      return { batch, lines: 1, refused: [] };
    }
    const batches = await context.batches();
    if (held) {
      await context.confirm(
        `On ${Place.inWords(context.network)}: begin all lines of ${TerminalText.escape(batch)} that are held since they may be paid? What was paid is paid a second time.`,
        context.network.realMoney ? 'no' : undefined,
      );
      return { batch, lines: await batches.releaseHeld(batch), refused: [] };
    }
    const { lines, refused } = await batches.retry(batch);
    return { batch, lines, refused: refused.map(decideLine.undecided) };
  },
  view: ({ batch, lines, refused }, style) =>
    `${style.green('✓')} ${lines} lines of ${TerminalText.escape(batch)} wait again.${decideLine.format(batch, refused)}`,
});
