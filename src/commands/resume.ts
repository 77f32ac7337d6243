import * as z from 'zod/mini';
import * as VenueAccount from '../core/accounts/VenueAccount.js';
import { define, type Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import type { Event } from '../core/event/Event.js';
import * as OutcomeDocument from '../core/execution/OutcomeDocument.js';
import * as Resumption from '../core/execution/Resumption.js';
import * as CallDocument from '../core/gasless/CallDocument.js';
import type * as Journal from '../core/tracking/Journal.js';
import type { Run } from '../core/tracking/RunStore.js';
import * as TransferStatus from '../core/tracking/TransferStatus.js';
import * as OutcomeText from '../core/view/OutcomeText.js';
import * as VenueBalanceDocument from '../core/withdrawal/VenueBalanceDocument.js';
import * as WithdrawalChecks from '../core/withdrawal/WithdrawalChecks.js';
import { resumeCall } from '../transfer/executeCall.js';
import { withJournal } from '../transfer/journalledRun.js';
import { announceRun, openRun, resumeFlags, resumeTransfer, toSigned } from '../transfer/resumeRun.js';

/** The output of the command that started the transfer, as far as it is still known. */
const transferDocument = z.extend(OutcomeDocument.schema, {
  /** The venue account, for a transfer to or from the venue; null otherwise, or if the venue did not return it. */
  account: z.nullable(VenueBalanceDocument.accountLater),
  /** The venue's fee for a withdrawal. */
  venueFee: z.nullable(VenueBalanceDocument.usdc),
  /** The signed venue transfer, if there is one. */
  signed: z.nullable(VenueBalanceDocument.signed),
});

export const command = define({
  description:
    'Finishes an interrupted transfer from its journal. What was signed is looked up and, if needed, sent again unchanged; ferry signs it again only if the first signature provably can no longer take effect, and only after asking. Output and exit code are those of the command that started the transfer.',
  args: [
    {
      name: 'run',
      names: 'unfinished-run',
      description: 'the run id or its last characters (default: the only unfinished run)',
      optional: true,
    },
  ],
  options: resumeFlags,
  examples: [
    ['ferry resume', 'the only unfinished run'],
    ['ferry resume 20261121-093000-1f2e3d', 'a given run'],
    ['ferry resume 1f2e3d --yes --json', 'in a script'],
  ],
  output: z.union([transferDocument, CallDocument.schema]),
  streams: true,
  pays: true,
  async *run(options, context) {
    const run = yield* openRun(options.args[0] ?? (await onlyUnfinished(context)), context);
    if (run.state().kind === 'call') return yield* withJournal(run, resumeNamedCall(run, options, context), context);
    const outcome = yield* withJournal(run, resumeTransfer(run, options, context), context);
    return { ...outcome, ...(await atVenue(outcome, run.state(), context)) };
  },
  view: (data, style, _, place) => {
    if (!('plan' in data)) return CallDocument.format(data, style);
    const account = data.account ? `\n${VenueBalanceDocument.format(data.account, style)}` : '';
    return `${OutcomeText.format(data, style, place, false)}${account}`;
  },
  outcome: (data) =>
    TransferStatus.codeOf({
      status: data.status,
      outTxHashes: 'plan' in data ? data.fills.map(({ txHash }) => txHash) : data.outTxHashes,
    }),
});

/** How many runs are looked at for one that cannot be read. */
const latestRuns = 20;

async function onlyUnfinished(context: Context): Promise<string> {
  const runs = await Resumption.keptRuns(context);
  const unfinished = await runs.unfinished();
  // One whose journal cannot be read may be the one that is meant.
  const unread = unfinished.length > 0 ? [] : await runs.list(latestRuns);
  for (const { id, problem } of unread) if (problem && problem.code !== 'run.unsigned') throw problem.with({ run: id });
  return Resumption.only(unfinished, { network: context.network, instance: await context.instance() });
}

async function* resumeNamedCall(
  run: Run,
  options: Options<typeof resumeFlags>,
  context: Context,
): AsyncGenerator<Event, CallDocument.CallDocument> {
  if (run.state().handed) yield* announceRun(run, options, context);
  return yield* resumeCall(run, options, context);
}

/** The venue account that paid or was credited, and what was signed for it. */
async function atVenue(
  { funds }: OutcomeDocument.OutcomeDocument,
  state: Journal.State,
  context: Context,
): Promise<Pick<z.output<typeof transferDocument>, 'account' | 'venueFee' | 'signed'>> {
  const { intent, transfer } = Resumption.planOf(state, context.network);
  const { origin, destination, user, recipient } = intent;
  const { handed } = state;
  const index = origin.chain.vm === 'lvm' ? user : destination.chain.vm === 'lvm' ? recipient : undefined;
  if (index === undefined) return { account: null, venueFee: null, signed: null };
  const reading = context.venue().then((venue) => venue.account(Number(index)));
  // The transfer has ended: a failure to read the account must not fail the command.
  const found = await reading.catch(() => undefined);
  const isShown = transfer !== undefined || funds === 'delivered';
  return {
    account: found ? VenueBalanceDocument.toAccountLater(found, isShown ? VenueAccount.usdc(found) : undefined) : null,
    venueFee: transfer ? VenueBalanceDocument.toUsdc(transfer.usdcFee) : null,
    signed: handed?.type === 'signed-transfer' ? WithdrawalChecks.toSigned(await toSigned(handed)) : null,
  };
}
