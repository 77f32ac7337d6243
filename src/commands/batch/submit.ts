import * as z from 'zod/mini';
import { BaseError, type Code } from '../../core/base/Errors.js';
import { define } from '../../core/command/Command.js';
import * as SettingFormat from '../../core/config/SettingFormat.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import * as BatchDocument from '../../core/worker/BatchDocument.js';
import * as Estimate from '../../core/worker/Estimate.js';
import { submitBatch } from '../../transfer/batches/submitBatch.js';
import { readBatch, watchBatch } from '../../transfer/batches/watchBatch.js';

const whole = SettingFormat.whole('a whole number', /^-?\d{1,6}$/);

export const command = define({
  description:
    'Gives a batch to the workers of a store: a file with one transfer per line, as for ferry execute --batch. Every line is checked first. The account signs the batch, and workers take only batches of whom their own settings name. The same file under the same name again changes nothing.',
  args: [{ name: 'file', description: 'the batch, or - for stdin', names: 'file' }],
  options: {
    name: { value: 'name', description: 'the name of the batch, for good' },
    hold: { description: 'submit it paused: ferry batch resume begins it' },
    priority: { value: 'n', description: 'an account pays batches of a higher one first (default: 0)' },
    wait: { description: 'wait until every line has its result, and exit by the worst' },
    account: { value: 'account', description: 'the account that signs the batch, and pays lines that name none' },
  },
  examples: [
    ['ferry batch submit payroll.ndjson --name payroll-11', 'asks, with the time that it takes at least'],
    ['ferry batch submit payroll.ndjson --name payroll-11 --yes --wait --json', 'in a script: until it is over'],
    ['ferry batch submit payroll.ndjson --name payroll-11 --hold', 'for somebody else to look at first'],
  ],
  output: z.object({
    /** Whether it was submitted now; if not, the same batch was there. */
    isNew: z.boolean(),
    estimate: Estimate.schema,
    batch: BatchDocument.status,
  }),
  streams: true,
  async *run(options, context) {
    const [file = '-'] = options.args;
    const { name, account, hold = false, priority = '0' } = options;
    if (name === undefined) throw new BaseError('usage.missing', 'A batch needs a name: --name payroll-2026-11.');
    const rank = SettingFormat.option(whole, priority, '--priority');
    if (hold && options.wait) throw new BaseError('usage.invalid', '--hold and --wait cannot be combined.');
    const { isNew, estimate } = await submitBatch({ file, name, account, hold, priority: rank }, context);
    const batch = options.wait ? yield* watchBatch(name, context) : await readBatch(name, context);
    return { isNew, estimate, batch };
  },
  view: ({ isNew, estimate, batch }, style) => {
    const name = TerminalText.escape(batch.batch);
    if (batch.isOver) return BatchDocument.formatStatus(batch, style);
    const next = style.command(
      ShellCommand.line`ferry batch ${batch.state === 'paused' ? 'resume' : 'status'} ${name}`,
    );
    return isNew
      ? `${style.green('✓')} Submitted ${batch.lines} lines as ${name}${batch.state === 'paused' ? ', paused' : ''}. It takes ${Estimate.format(estimate)}.\nNext: ${next}`
      : `The batch ${name} is there already, the same to the last line. Nothing was changed.\nNext: ${next}`;
  },
  outcome: ({ batch }) => (batch.isOver ? ((batch.worst as Code | null) ?? undefined) : undefined),
});
