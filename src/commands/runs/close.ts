import { BaseError } from '../../core/base/Errors.js';
import { define } from '../../core/command/Command.js';
import type { Context } from '../../core/command/Context.js';
import * as Resumption from '../../core/execution/Resumption.js';
import * as RequestReference from '../../core/history/RequestReference.js';
import * as RunDocument from '../../core/history/RunDocument.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import * as Journal from '../../core/tracking/Journal.js';
import * as RunText from '../../core/view/RunText.js';

export const command = define({
  description:
    'Ends a run that cannot be finished: a raw call whose response was lost, and which has no request id to look up, or any run of a sandbox that has been reset since. Of a call, check the chain and the service’s records first. Nothing is sent, and the outcome stays unknown; the same may then be started again.',
  args: [{ name: 'run', names: 'unfinished-run', description: 'the run id or its last characters' }],
  examples: [
    ['ferry runs close 20261121-093000-1f2e3d', 'show the run and ask'],
    ['ferry runs close 1f2e3d --yes --json', 'in a script'],
  ],
  output: RunDocument.schema,
  async run({ args }, context) {
    const runs = await context.runs();
    const run = await runs.open(args[0] ?? '');
    try {
      const state = run.state();
      if (!isLost(state) && !(await isGone(state, context))) {
        const isOpen = Journal.isUnfinished(state);
        throw new BaseError(
          isOpen ? 'run.unfinished' : 'run.settled',
          isOpen ? 'The outcome of the run can be looked up, so it cannot be closed.' : 'The run has already ended.',
          {
            next: isOpen
              ? ShellCommand.line`ferry resume ${state.run}`
              : ShellCommand.line`ferry runs show ${state.run}`,
            run: state.run,
            funds: Journal.fundsOf(state),
          },
        );
      }
      await context.confirm(`Close the run without its outcome: ${state.summary}?`);
      const funds = Resumption.fundsOfLost(state);
      const code = funds === 'untouched' ? null : 'submit.unknown';
      await run.append({ type: 'outcome', status: 'closed', funds, code });
    } finally {
      run.close();
    }
    return RunDocument.from(await runs.show(run.id));
  },
  view: (run, style) => RunText.formatList([run], style),
});

/** Whether the run has not ended, and never will: its sandbox has been reset. */
async function isGone(state: Journal.State, context: Context): Promise<boolean> {
  const { network } = context;
  if (!Journal.isUnfinished(state) || state.instance === null || state.network !== network.name) return false;
  return Resumption.isReset(state, { network, instance: await context.instance() });
}

/** Whether a call was posted, and neither its response nor a request id of its own is known. */
function isLost(state: Journal.State): boolean {
  return Journal.isUnfinished(state) && state.kind === 'call' && RequestReference.inJournal(state) === undefined;
}
