import { define } from '../../core/command/Command.js';
import * as OutcomeDocument from '../../core/execution/OutcomeDocument.js';
import * as EventText from '../../core/view/EventText.js';
import * as OutcomeText from '../../core/view/OutcomeText.js';
import { written } from '../../transfer/journalledRun.js';
import { opened, replace } from '../../transfer/replaceTransaction.js';
import { resumed, resumeFlags } from '../../transfer/resumeRun.js';

export const command = define({
  description:
    'Offers more for a transaction of a run that waits to be mined: the same one is signed again with the same nonce, for fees that are an eighth higher and at least what the network asks now. A node takes it in the place of the first (a tenth more is the least it asks), and at most one of the two is ever mined. Then the run goes on as by ferry resume.',
  args: [{ name: 'run', names: 'unfinished-run', description: 'the run, or the end of its name' }],
  options: resumeFlags,
  examples: [
    ['ferry runs speed-up 20261121-093000-1f2e3d', 'shows the fees and asks'],
    ['ferry runs speed-up 1f2e3d --yes --json', 'for a script'],
  ],
  output: OutcomeDocument.schema,
  streams: true,
  async *run(options, context) {
    const run = await opened(options.args[0] ?? '', context);
    yield { type: 'run', run: run.id, folder: (await context.runs()).folder };
    return yield* written(
      run,
      (async function* () {
        yield* replace(run, 'speed-up', context);
        return yield* resumed(run, options, context);
      })(),
      context,
    );
  },
  view: OutcomeText.format,
  logLine: EventText.format,
});
