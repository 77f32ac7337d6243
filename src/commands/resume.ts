import * as z from 'zod/mini';
import type { Context } from '../cli/createContext.js';
import * as VenueAccount from '../core/accounts/VenueAccount.js';
import type * as Address from '../core/base/Address.js';
import { define, type Event, type Flags, type Options } from '../core/command/Command.js';
import * as Execution from '../core/execution/Execution.js';
import * as OutcomeDocument from '../core/execution/OutcomeDocument.js';
import * as Plan from '../core/execution/Plan.js';
import * as Resumption from '../core/execution/Resumption.js';
import * as TransactionSettlement from '../core/execution/TransactionSettlement.js';
import * as CallDocument from '../core/gasless/CallDocument.js';
import * as GaslessExecution from '../core/gasless/GaslessExecution.js';
import type * as GaslessSigning from '../core/gasless/GaslessSigning.js';
import * as Verification from '../core/proof/Verification.js';
import * as Quote from '../core/quote/Quote.js';
import * as QuoteDocument from '../core/quote/QuoteDocument.js';
import { toBaseError } from '../core/text/ErrorReport.js';
import * as Journal from '../core/tracking/Journal.js';
import * as JournalCaps from '../core/tracking/JournalCaps.js';
import * as NonceRelease from '../core/tracking/NonceRelease.js';
import type { Run } from '../core/tracking/RunStore.js';
import * as TransferStatus from '../core/tracking/TransferStatus.js';
import * as EventText from '../core/view/EventText.js';
import * as OutcomeText from '../core/view/OutcomeText.js';
import * as VenueBalanceDocument from '../core/withdrawal/VenueBalanceDocument.js';
import * as WithdrawalChecks from '../core/withdrawal/WithdrawalChecks.js';
import type * as WithdrawalSigning from '../core/withdrawal/WithdrawalSigning.js';
import { gaslessWorld, proceed, worldOf } from '../transfer/executeQuote.js';
import { written } from '../transfer/journalledRun.js';
import { askQuote, intentFlags, keyFlags } from '../transfer/transferOptions.js';
import { resumeCall } from './execute/call.js';
import * as withdrawal from './venue/withdraw.js';

export const resumeFlags = {
  account: intentFlags.account,
  ...keyFlags,
  noWait: { type: 'boolean', description: 'end when it is certain that it was sent, do not follow the transfer' },
  timeout: { type: 'string', value: 'time', description: 'how long to follow it (default: 5m)' },
  replay: { type: 'boolean', description: 'hold a failed simulation of the service against your own node' },
} as const satisfies Flags;

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
  tell: EventText.format,
});

/** Brings what was signed to its end, then does what is left of the plan. */
export async function* resumed(
  run: Run,
  options: Options<typeof resumeFlags>,
  context: Context,
): AsyncGenerator<Event, OutcomeDocument.OutcomeDocument> {
  try {
    const state = run.state();
    if (!state.quote) throw new Resumption.UnsignedError(state);
    const quote = QuoteDocument.toQuote(state.quote.document, context.network);
    const plan = Plan.restored(quote);
    if (state.handed?.type === 'signed-transfer') return yield* transfer(plan, state.handed, run, options, context);
    if (state.handed && state.handed.type !== 'call') return yield* gasless(plan, state.handed, run, options, context);
    if (Journal.hasSigned(state)) return yield* own(plan, run, options, context);
    return yield* adopted(plan, run, options, context);
  } catch (error) {
    throw Resumption.explained(run.state(), toBaseError(error));
  }
}

/** The account's own transactions. */
async function* own(
  plan: Plan.Plan,
  run: Run,
  options: Options<typeof resumeFlags>,
  context: Context,
): AsyncGenerator<Event, OutcomeDocument.OutcomeDocument> {
  const world = await worldOf(plan, sealed(plan, run), context);
  try {
    if (!Journal.isPaid(run.state())) return yield* goOn(plan, run, options, context);
    return OutcomeDocument.from(plan, yield* Execution.run(plan, world, patienceOf(options, context), begun(run)));
  } catch (error) {
    if (!(error instanceof TransactionSettlement.ReplacedError)) throw error;
    await context.confirm(Resumption.question(error));
    return yield* own(plan, run, options, context);
  }
}

/** What pays is not signed yet: the approvals are brought to their end, and the rest is signed. */
async function* goOn(
  plan: Plan.Plan,
  run: Run,
  options: Options<typeof resumeFlags>,
  context: Context,
): AsyncGenerator<Event, OutcomeDocument.OutcomeDocument> {
  const state = run.state();
  if (await Resumption.hasBegun(plan.requestId, await context.service()))
    return yield* adopted(plan, run, options, context);
  Resumption.assertSender(state, plan.intent.user, await context.sender());
  const caps = state.proof ? JournalCaps.toCaps(state.proof.caps) : undefined;
  if (!caps) throw new Resumption.UnsignedError(state);
  const how = { ...options, allow: state.proof?.allow ?? [] };
  const asked = { quote: plan.quote, caps, baseUrl: context.network.baseUrl, findings: [] };
  if (!Quote.isExpired(plan.quote, context.clock.now(), caps.maxAgeMs))
    return yield* proceed(asked, how, context, { journal: run, begun: begun(run) });
  const world = await worldOf(plan, sealed(plan, run), context);
  for (const [step, signed] of begun(run)) {
    const action = plan.actions[step];
    if (!action) continue;
    await TransactionSettlement.resend({ plan, action, step }, signed, world);
    await TransactionSettlement.mined({ plan, action, step }, signed, world, context.config.timeoutMs.value);
  }
  context.warn('The quote is too old. ferry asks for a new one and holds it to the minimum and the fees of the old.');
  const anew = { ...asked, ...(await askQuote(plan.intent, context)), caps: Verification.capsOf(plan.quote, caps) };
  return yield* proceed(anew, how, context, { journal: run });
}

async function* gasless(
  plan: Plan.Plan,
  handed: GaslessSigning.Handed,
  run: Run,
  options: Options<typeof resumeFlags>,
  context: Context,
): AsyncGenerator<Event, OutcomeDocument.OutcomeDocument> {
  const world = await worldOf(plan, sealed(plan, run), context);
  const patience = patienceOf(options, context);
  const running = GaslessExecution.run(plan, gaslessWorld(world, options, context), patience, handed);
  return OutcomeDocument.from(plan, yield* running);
}

async function* transfer(
  plan: Plan.Plan,
  handed: SignedTransfer,
  run: Run,
  options: Options<typeof resumeFlags>,
  context: Context,
): AsyncGenerator<Event, OutcomeDocument.OutcomeDocument> {
  const WithdrawalExecution = await import('../core/withdrawal/WithdrawalExecution.js');
  const signed = await signedOf(handed);
  const world = await withdrawal.worldOf(plan, sealed(plan, run), context);
  const before = new TransactionSettlement.InterruptedError(plan.requestId, signed.txHash);
  const patience = patienceOf(options, context);
  return OutcomeDocument.from(plan, yield* WithdrawalExecution.run(plan, signed, world, patience, before));
}

type SignedTransfer = Extract<Journal.Handed, { type: 'signed-transfer' }>;

async function signedOf({
  txInfo,
  txHash,
  publicKey,
  signingChainId,
}: SignedTransfer): Promise<WithdrawalSigning.Signed> {
  const Transfer = await import('../venue/Transfer.js');
  return { transfer: Transfer.fromTxInfo(txInfo).transfer, txInfo, txHash, publicKey, signingChainId };
}

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

/** A request that the service has begun with although the journal does not say that anything was signed. */
async function* adopted(
  plan: Plan.Plan,
  run: Run,
  options: Options<typeof resumeFlags>,
  context: Context,
): AsyncGenerator<Event, OutcomeDocument.OutcomeDocument> {
  const { requestId } = plan;
  const service = await context.service();
  if (!run.state().taken && !(await Resumption.hasBegun(requestId, service)))
    throw new Resumption.UnsignedError(run.state());
  await run.append({ type: 'request', requestId });
  const world = plan.transfer
    ? { origin: undefined, ...(await withdrawal.worldOf(plan, sealed(plan, run), context)) }
    : await worldOf(plan, sealed(plan, run), context);
  const sent = { transactions: [], gasCost: 0n, startedAt: context.clock.now() };
  return OutcomeDocument.from(plan, yield* Execution.followed(plan, sent, world, patienceOf(options, context)));
}

/** What sends again what is signed, and signs nothing. */
function sealed({ intent }: Plan.Plan, journal: Run): Pick<Execution.World, 'journal' | 'account' | 'turn'> {
  return { journal, account: Resumption.sealed(intent.user as Address.Address), turn: NonceRelease.none };
}

function begun(run: Run): Execution.Begun {
  return run.state().sent;
}

function patienceOf({ noWait }: Options<typeof resumeFlags>, { config }: Context): Execution.Patience {
  return { wait: !noWait, timeoutMs: config.timeoutMs.value };
}
