import { define } from '../../core/command/Command.js';
import * as OutcomeDocument from '../../core/execution/OutcomeDocument.js';
import * as OutcomeText from '../../core/view/OutcomeText.js';
import { unquotedGasFlags } from '../../setup/limitGas.js';
import { withJournal } from '../../transfer/journalledRun.js';
import { replaceTransaction } from '../../transfer/replaceTransaction.js';
import { announceRun, continueTransfer, openRun, resumeFlags } from '../../transfer/resumeRun.js';

export const command = define({
  description:
    'Raises the fees of a run’s pending transaction, or of an approval and its payment that wait together: each is signed again with the same nonce, at fees an eighth higher and at least what the network asks now. Nodes accept it in place of the first, since they require a tenth more, and at most one of the two is ever mined. A run that is being canceled is paid after all. The run then continues as with ferry resume.',
  args: [{ name: 'run', names: 'unfinished-run', description: 'the run id or its last characters' }],
  options: { ...resumeFlags, ...unquotedGasFlags },
  examples: [
    ['ferry runs speed-up 20261121-093000-1f2e3d', 'show the fees and ask'],
    ['ferry runs speed-up 1f2e3d --yes --json', 'in a script'],
  ],
  output: OutcomeDocument.schema,
  streams: true,
  pays: true,
  async *run(options, context) {
    const run = yield* openRun(options.args[0] ?? '', context);
    return yield* withJournal(
      run,
      (async function* () {
        if (run.state().quote) yield* announceRun(run, options, context, 'runs speed-up');
        yield* replaceTransaction(run, 'speed-up', options, context);
        return yield* continueTransfer(run, options, context);
      })(),
      context,
    );
  },
  view: (outcome, style, _, place) => OutcomeText.format(outcome, style, place, false),
});
