import * as z from 'zod/mini';
import { BaseError } from '../core/base/Errors.js';
import { define } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as SettingFormat from '../core/config/SettingFormat.js';
import * as OutcomeDocument from '../core/execution/OutcomeDocument.js';
import * as Resumption from '../core/execution/Resumption.js';
import * as RequestReference from '../core/history/RequestReference.js';
import * as RunDocument from '../core/history/RunDocument.js';
import * as ShellCommand from '../core/text/ShellCommand.js';
import * as TerminalText from '../core/text/TerminalText.js';
import * as Journal from '../core/tracking/Journal.js';
import type { RunRecord } from '../core/tracking/RunStore.js';
import * as OutcomeText from '../core/view/OutcomeText.js';
import * as RunText from '../core/view/RunText.js';
import { unquotedGasFlags } from '../setup/limitGas.js';
import { withJournal } from '../transfer/journalledRun.js';
import { replaceTransaction } from '../transfer/replaceTransaction.js';
import { announceRun, continueTransfer, openRun, resumeFlags } from '../transfer/resumeRun.js';

const shownRuns = SettingFormat.whole('a number of runs', /^[1-9]\d{0,8}$/);

const list = define({
  description:
    'Lists the latest transfers started on this machine, newest first, each with its network and where its funds are. With --network, those on that network alone.',
  options: {
    limit: { short: 'L', value: 'n', description: 'maximum number of runs (default: 20)' },
    unfinished: { description: 'only runs that can be resumed' },
  },
  examples: [
    ['ferry runs list', 'the latest twenty'],
    ['ferry runs list --unfinished --json', 'the runs to resume, in a script'],
  ],
  output: z.object({
    folder: z.string(),
    runs: z.array(RunDocument.schema),
    /** Whether there are more than --limit. */
    more: z.boolean(),
  }),
  async run(options, context) {
    const runs = await context.runs();
    const limit = SettingFormat.option(shownRuns, options.limit ?? '20', '--limit');
    const { value: network, source } = context.config.network;
    // The network in use by default says nothing of what is looked for; one that was typed does.
    const isWanted = ({ state }: RunRecord): boolean => source.kind !== 'flag' || state?.network === network;
    const found = options.unfinished
      ? (await runs.unfinished()).filter(isWanted)
      : await RunDocument.latest(runs, isWanted, limit + 1);
    const shown = found.slice(0, limit).map(RunDocument.from);
    return { folder: runs.folder, runs: shown, more: found.length > limit };
  },
  view: ({ runs }, style) => RunText.formatList(runs, style),
  note: ({ runs, more }) =>
    more ? `There are more: these are the latest ${runs.length}. --limit takes another number.` : undefined,
});

const show = define({
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

const speedUp = define({
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
    const hasten = async function* () {
      if (run.state().quote) yield* announceRun(run, options, context, 'runs speed-up');
      yield* replaceTransaction(run, 'speed-up', options, context);
      return yield* continueTransfer(run, options, context);
    };
    return yield* withJournal(run, hasten(), context);
  },
  view: (outcome, style, _, place) => OutcomeText.format(outcome, style, place, false),
});

const close = define({
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
      await context.confirm(`Close the run without its outcome: ${TerminalText.escape(state.summary)}?`);
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

const dayMs = 24 * 3_600_000;
const usualDays = 30;
const keptRuns = SettingFormat.whole('a number of runs', /^\d{1,9}$/);

const prune = define({
  description:
    'Deletes the journals of old runs that have ended. Unfinished runs are always kept, and those of batch lines that their ledger does not have yet.',
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
    const kept = SettingFormat.option(keptRuns, keep ?? '0', '--keep');
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

export const commands = { list, show, 'speed-up': speedUp, close, prune };
