import * as z from 'zod/mini';
import * as VenueAccount from '../core/accounts/VenueAccount.js';
import { define } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as OutcomeDocument from '../core/execution/OutcomeDocument.js';
import * as Plan from '../core/execution/Plan.js';
import * as Resumption from '../core/execution/Resumption.js';
import * as CallDocument from '../core/gasless/CallDocument.js';
import * as QuoteDocument from '../core/quote/QuoteDocument.js';
import type * as Journal from '../core/tracking/Journal.js';
import * as TransferStatus from '../core/tracking/TransferStatus.js';
import * as EventText from '../core/view/EventText.js';
import * as OutcomeText from '../core/view/OutcomeText.js';
import * as VenueBalanceDocument from '../core/withdrawal/VenueBalanceDocument.js';
import * as WithdrawalChecks from '../core/withdrawal/WithdrawalChecks.js';
import { resumeCall } from '../transfer/executeCall.js';
import { written } from '../transfer/journalledRun.js';
import { resumed, resumeFlags, signedOf } from '../transfer/resumeRun.js';

/** What the command that began the transfer gives, as far as it is still known. */
const transferDocument = z.extend(OutcomeDocument.schema, {
  /** Of a transfer to or from the venue; null elsewhere, and where the venue did not show it. */
  account: z.nullable(VenueBalanceDocument.accountLater),
  /** What the venue takes for a transfer out of it. */
  venueFee: z.nullable(VenueBalanceDocument.usdc),
  /** The signed transfer, where there is one. */
  signed: z.nullable(VenueBalanceDocument.signed),
});

export const command = define({
  description:
    'Finishes a transfer that was interrupted, by its journal: what was signed is looked for and sent again as it is, never signed a second time unless it can provably not happen any more, and then only after asking. It ends like the command that began it.',
  args: [
    {
      name: 'run',
      names: 'unfinished-run',
      description: 'the run, or the end of its name (default: the only unfinished one)',
      optional: true,
    },
  ],
  options: resumeFlags,
  examples: [
    ['ferry resume', 'the only unfinished run'],
    ['ferry resume 20261121-093000-1f2e3d', 'this one'],
    ['ferry resume 1f2e3d --yes --json', 'for a script'],
  ],
  output: z.union([transferDocument, CallDocument.schema]),
  streams: true,
  async *run(options, context) {
    const runs = await context.runs();
    const here = { network: context.network, instance: await context.instance() };
    const isMeant = ({ state }: { state: Journal.State | undefined }) => state && Resumption.mayBeHere(state, here);
    const name = options.args[0] ?? Resumption.only((await runs.unfinished()).filter(isMeant));
    const run = await runs.open(name);
    try {
      Resumption.assertHere(run.state(), here);
    } catch (error) {
      run.close();
      throw error;
    }
    yield { type: 'run', run: run.id, folder: runs.folder };
    if (run.state().kind === 'call') return yield* written(run, resumeCall(run, options, context), context);
    const outcome = yield* written(run, resumed(run, options, context), context);
    return { ...outcome, ...(await atVenue(outcome, run.state(), context)) };
  },
  view: (data, style) => {
    if (!('plan' in data)) return CallDocument.format(data, style);
    const account = data.account ? `\n${VenueBalanceDocument.format(data.account, style)}` : '';
    return `${OutcomeText.format(data, style)}${account}`;
  },
  outcome: (data) => TransferStatus.codeOf(data),
  logLine: EventText.format,
});

/** The account of the venue that paid or was credited, and what was signed for it. */
async function atVenue(
  { funds }: OutcomeDocument.OutcomeDocument,
  { quote, handed }: Journal.State,
  context: Context,
): Promise<Pick<z.output<typeof transferDocument>, 'account' | 'venueFee' | 'signed'>> {
  const plan = quote && Plan.restored(QuoteDocument.toQuote(quote.document, context.network));
  const { origin, destination, user = '', recipient = '' } = plan?.intent ?? {};
  const index = origin?.chain.vm === 'lvm' ? user : destination?.chain.vm === 'lvm' ? recipient : undefined;
  if (index === undefined) return { account: null, venueFee: null, signed: null };
  const asked = context.venue().then((venue) => venue.account(Number(index)));
  // The transfer is over: what cannot be shown of it fails nothing.
  const found = await asked.catch(() => undefined);
  const isShown = plan?.transfer !== undefined || funds === 'delivered';
  return {
    account: found ? VenueBalanceDocument.toAccountLater(found, isShown ? VenueAccount.usdc(found) : undefined) : null,
    venueFee: plan?.transfer ? VenueBalanceDocument.toUsdc(plan.transfer.usdcFee) : null,
    signed: handed?.type === 'signed-transfer' ? WithdrawalChecks.toSigned(await signedOf(handed)) : null,
  };
}
