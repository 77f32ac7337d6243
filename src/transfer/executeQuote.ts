/**
 * Verifies a quote, asks, signs, submits and follows; used by `execute` and `venue deposit`.
 *
 * A user waits for round trips (`test/recorded/roundTrips.txt`), so what can be asked together is. First the quote,
 * whether something is pending, and the sandbox's instance, as soon as the nonces are held. Then, once the quote has
 * passed every check that needs no node, the simulation, feeds, balances and fees, and ahead of their use nonce,
 * allowances, gas estimate and the destination's head. Then the signed bytes leave. Then the receipt, the nonce and the
 * status are polled.
 *
 * A batch or permit leaves at the third stage as one request. A withdrawal has the venue's account confirmed at the
 * first, beside the quote where the user has named the account (`expectedAccount` of `findVenueAccount.ts`).
 */

import type { Address } from '../core/base/Address.js';
import { BaseError } from '../core/base/Errors.js';
import * as Secp256k1 from '../core/base/Secp256k1.js';
import * as ClockSkew from '../core/checks/ClockSkew.js';
import type { Flags, Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as SettingFormat from '../core/config/SettingFormat.js';
import type { Event } from '../core/event/Event.js';
import * as Allowance from '../core/execution/Allowance.js';
import * as Execution from '../core/execution/Execution.js';
import type * as Facts from '../core/execution/Facts.js';
import type * as Following from '../core/execution/Following.js';
import * as GasBound from '../core/execution/GasBound.js';
import * as OutcomeDocument from '../core/execution/OutcomeDocument.js';
import * as Plan from '../core/execution/Plan.js';
import type * as Preparation from '../core/execution/Preparation.js';
import * as RunOpening from '../core/execution/RunOpening.js';
import * as GaslessExecution from '../core/gasless/GaslessExecution.js';
import * as OpenSignature from '../core/gasless/OpenSignature.js';
import type * as Network from '../core/network/Network.js';
import * as ChainAddress from '../core/order/ChainAddress.js';
import type { Account, Turn } from '../core/ports/Ports.js';
import * as Verification from '../core/proof/Verification.js';
import * as Quote from '../core/quote/Quote.js';
import type * as TransferIntent from '../core/quote/TransferIntent.js';
import * as TerminalTime from '../core/text/TerminalTime.js';
import type { JournalWriter } from '../core/tracking/Journal.js';
import * as Polling from '../core/tracking/Polling.js';
import type { Run } from '../core/tracking/RunStore.js';
import * as StoreDoubt from '../core/tracking/StoreDoubt.js';
import { pinOnFirstSight } from '../setup/trustContracts.js';
import { counterOf, type KnownNonces, sequenceOf, trustNonces, trustSequence } from '../setup/trustNonces.js';
import { trustPermits } from '../setup/trustPermits.js';

import { type BatchLineSource, commandLine, runFlags, startRun, withJournal, witnessFlags } from './journalledRun.js';
import { type Proposal, pay, prove, question, type Signing, type Way } from './pay.js';
import { requestQuote } from './transferOptions.js';

/** For every command that may sign an approval and a payment. */
export const orderFlags = {
  oneByOne: { description: 'sign the deposit only once its approval is mined, instead of sending both at once' },
} as const satisfies Flags;

/** Options of an execution. */
export const executionFlags = {
  dryRun: { description: 'show what would be signed and sent, and stop' },
  noWait: { description: 'exit once the deposit is mined, without following the transfer' },
  ...orderFlags,
  timeout: { value: 'time', description: 'how long to follow the transfer (default: 5m)' },
  validFor: {
    value: 'time',
    description: 'how long a signed gasless batch is valid (default: 6m), and a permit at most',
  },
  replay: { description: 'replay a failed simulation of the service on your own node' },
  allow: { value: 'check', repeats: true, description: 'accept a check that cannot be verified; may be repeated' },
  ...witnessFlags,
  ...runFlags,
} as const satisfies Flags;

/** A quote to execute, on demand. */
export type Task = {
  /** The chain whose nonces are used, where it arrives, and who submits. */
  intent: Pick<TransferIntent.Intent, 'origin' | 'destination' | 'gasless'>;
  /** Gets the quote; called when the turn for the nonces has come. */
  getQuote(): Promise<Proposal>;
};

/**
 * Executes a quote on its origin chain, as a new run.
 *
 * @throws verify.* · chain.* · submit.* · sign.failed · prompt.* · track.* · config.unwritable · run.unfinished
 */
export async function* executeQuote(
  task: Task,
  options: Options<typeof executionFlags>,
  context: Context,
  name: string,
  line?: BatchLineSource | undefined,
): AsyncGenerator<Event, OutcomeDocument.OutcomeDocument> {
  try {
    return yield* options.dryRun
      ? planQuote(await task.getQuote(), context)
      : payQuote(task, options, context, { name, line });
  } catch (thrown) {
    // A line of a batch has its limits in the file.
    throw line ? thrown : withLimit(thrown, name, options, context);
  }
}

/** What a quote would have signed. */
async function* planQuote(asked: Proposal, context: Context): AsyncGenerator<Event, OutcomeDocument.OutcomeDocument> {
  const { plan, bill } = yield* prepare(asked, context, { isDryRun: true });
  return OutcomeDocument.fromPlan(plan, bill ? GasBound.toDocument(bill, plan.gas) : null);
}

/** Asks for the quote as soon as the account's nonces are held, and executes it as a new run. */
async function* payQuote(
  { intent: { origin: paid, destination, gasless }, getQuote }: Task,
  options: Options<typeof executionFlags>,
  context: Context,
  { name, line }: { name: string; line: BatchLineSource | undefined },
): AsyncGenerator<Event, OutcomeDocument.OutcomeDocument> {
  const origin = paid.chain;
  context.open([origin, destination.chain]);
  // A quote depends on current allowances and balances, which another run may be about to spend.
  const counter = { chainId: origin.id, chain: origin.name, address: await context.sender() };
  let quoting: Promise<Proposal> | undefined;
  let pending: Promise<Nonces> | undefined;
  const turn = yield* context.nonces.take(counter, () => {
    quoting = getQuote();
    // What the service does not do is said before what a node does not.
    pending = noncesOf(origin, context).catch(async (error: unknown) => {
      await quoting;
      throw error;
    });
    // The node's client keeps the batch executor's code.
    const sequence = gasless === 'batch' ? sequenceOf(origin, context) : undefined;
    for (const each of [quoting, pending, sequence, getReady(context)]) each?.catch(() => {});
    return counterOf(origin, context);
  });
  try {
    const next = yield* nothingPending(origin, context, pending);
    // While something was pending, the quote may have counted on what it was about to spend.
    const asked = await (quoting && !next.hasWaited ? quoting : getQuote());
    const terms = { isStrict: line?.isContinued ?? false, allow: asked.allow };
    await trustNonces({ turn, next: next.nonce }, counter, terms, context);
    const run = yield* startRun(
      (place) => RunOpening.from(asked.quote.intent, place),
      { name, options, line },
      context,
    );
    const state = { journal: run, turn, isStrict: terms.isStrict };
    const running = executeInRun(asked, options, context, state);
    return yield* withJournal(run, running, context, line?.ending);
  } finally {
    turn.release();
  }
}

/**
 * Loads and computes what comes after the quote, while its answer is awaited; and unlocks the account where nobody is asked
 * for a password. Asks no server for anything. What fails here fails again where it is needed.
 */
async function getReady({ clock, signal, runs, account, interactive }: Context): Promise<void> {
  await clock.sleep(requestsLeaveMs, signal);
  await Promise.all([runs(), Secp256k1.compute()]);
  if (!interactive) await account();
}

/** Enough for requests to leave this process before it computes. */
const requestsLeaveMs = 20;

/** The journal of a run, and what it has done so far. */
type RunState = {
  journal: Pick<Run, 'id' | 'append'>;
  /** Its nonce turn, if it has one already. */
  turn?: Turn | undefined;
  /** The steps signed by an earlier process. */
  signedBefore?: Execution.SignedBefore | undefined;
  /** The transaction of another program that took a nonce of the run, and may have paid. */
  foreign?: KnownNonces['foreign'];
  /** Whether the transfer may have been paid before. */
  isStrict: boolean;
};

/** A quote that was proved, and what of its plan an earlier process has signed. */
type Proved = Preparation.Prepared & Pick<RunState, 'signedBefore'>;

/**
 * Proves a quote, asks, signs, submits and follows, within a run. A wallet pays by transactions of its own, or by a batch or
 * permit that the service submits.
 */
export async function* executeInRun(
  asked: Proposal,
  options: Options<typeof executionFlags>,
  context: Context,
  { journal, foreign, isStrict, ...state }: RunState,
): AsyncGenerator<Event, OutcomeDocument.OutcomeDocument> {
  const { chain } = asked.quote.intent.origin;
  const signed = [...(state.signedBefore?.values() ?? [])].map(({ nonce }) => nonce);
  const known = { signed, isStrict, allow: asked.allow };
  const turn = state.turn ?? (yield* takeReadyTurn(chain, { ...known, foreign }, context));
  try {
    const other = state.signedBefore && (await otherProposal(asked, context));
    const signedBefore = other ? undefined : state.signedBefore;
    const way: Way<Proved, Account, { turn: Turn }, OutcomeDocument.OutcomeDocument> = {
      async *prove(proposal, isAgain) {
        if (isAgain) return yield* prepare(proposal, context, { journal, isAsked: false });
        const proved = yield* prepare(proposal, context, signedBefore ? {} : { journal });
        return { ...proved, signedBefore };
      },
      assertSubmittable: (proved) => assertSubmittable(proved, { turn, known }, options, context),
      question: ({ plan, document, bill, single }, payee) =>
        question(document, single, { payee, gas: bill && GasBound.sentence(bill, plan.gas), place: context.place }),
      unlock: () => context.account(),
      async *takeTurn(_, held) {
        return held ?? { turn: yield* takeReadyTurn(chain, known, context) };
      },
      carryOut: (proved, signing) => signAndFollow(proved, signing, { journal, known }, options, context),
    };
    return yield* pay(other ?? asked, way, { run: journal, held: { turn } }, context);
  } finally {
    turn.release();
  }
}

/** Signs the plan of a quote that was agreed to, submits it, or has it submitted, and follows it. */
async function* signAndFollow(
  { plan, facts, signedBefore }: Proved,
  { signer: account, held: { turn }, agreedGas }: Signing<Account, { turn: Turn }>,
  { journal, known }: Pick<RunState, 'journal'> & { known: KnownNonces },
  options: Options<typeof executionFlags>,
  context: Context,
): AsyncGenerator<Event, OutcomeDocument.OutcomeDocument> {
  const { gasless, origin } = plan.intent;
  // While a person was asked, another run may have signed.
  if (gasless === 'batch') await trustSequence(turn, origin.chain, known, context, batchSequenceOf(facts));
  if (gasless === 'permit') await trustPermits(turn, origin.chain, known, context);
  const ports = { ...(await portsOf(plan, { journal, turn }, context)), account };
  const patience = patienceOf(options, context);
  const priced = { ...plan, gas: { ...plan.gas, agreed: agreedGas } };
  if (!gasless)
    return OutcomeDocument.from(plan, yield* Execution.run(priced, ports, patience, signedBefore, { facts }));
  const { referrer, solver } = context.network;
  const { replay = false, validFor } = options;
  const submitting = { referrer, relayer: solver?.relayers?.[0], replay, validForMs: validForMs(validFor) };
  return OutcomeDocument.from(plan, yield* GaslessExecution.run(plan, { ...ports, ...submitting }, patience, facts));
}

/** Whether and how long a transfer is followed, by its options. */
export function patienceOf(
  { noWait, requireWitness, oneByOne }: Pick<Options<typeof executionFlags>, 'noWait' | 'requireWitness' | 'oneByOne'>,
  { config }: Pick<Context, 'config'>,
): Following.Patience {
  return { wait: !noWait, timeoutMs: config.timeoutMs.value, needsWitness: requireWitness, oneByOne };
}

/** Checks what the service is to submit before anybody is asked. @throws verify.cap · usage.invalid · run.* · store.* */
async function assertSubmittable(
  { plan, facts }: Preparation.Prepared,
  { turn, known }: { turn: Turn; known: KnownNonces },
  options: Options<typeof executionFlags>,
  context: Context,
): Promise<void> {
  const { gasless, origin } = plan.intent;
  if (!gasless) return;
  ClockSkew.assertFit((await context.service()).clockSkew?.());
  await assertValidity(plan, options, context);
  if (gasless === 'batch') await trustSequence(turn, origin.chain, known, context, batchSequenceOf(facts));
}

function batchSequenceOf(facts: Facts.Facts | undefined): bigint | undefined {
  return facts?.kind === 'batch' ? facts.sequence : undefined;
}

/** Another quote for a run whose approvals are mined, if its own cannot be paid any more. */
async function otherProposal({ quote, caps, allow }: Proposal, context: Context): Promise<Proposal | undefined> {
  const why = await reasonForAnother(quote, caps, context);
  if (why === undefined) return undefined;
  context.warn(`${why} ferry requests a new quote and holds it to the old minimum received and fees.`);
  const again = await requestQuote(quote.intent, context);
  return { ...again, caps: Verification.capsOf(quote, caps), allow, findings: [] };
}

async function reasonForAnother(
  quote: Quote.Quote,
  { maxAgeMs }: TransferIntent.Caps,
  context: Context,
): Promise<string | undefined> {
  if (Quote.isExpired(quote, context.clock.now(), maxAgeMs)) return 'The quote has expired.';
  const node = await context.chain(quote.intent.origin.chain);
  const isAllowed = await Allowance.isSufficient(Plan.restored(quote), node);
  return isAllowed ? undefined : 'The allowance of the run was used or replaced by another transaction of the account.';
}

/** Takes the turn for the account's nonces, with nothing pending and no nonce unknown. */
async function* takeReadyTurn(chain: Network.Chain, terms: KnownNonces, context: Context): AsyncGenerator<Event, Turn> {
  const counter = await counterOf(chain, context);
  const turn = yield* context.nonces.take(counter);
  try {
    const { nonce: next } = yield* nothingPending(chain, context);
    await trustNonces({ turn, next }, counter, terms, context);
    return turn;
  } catch (error) {
    turn.release();
    throw error;
  }
}

/** The next nonce of the account, and the first of those that are not mined. */
type Nonces = { next: number; first: number };

async function noncesOf(chain: Network.Chain, context: Pick<Context, 'chain' | 'sender'>): Promise<Nonces> {
  const [node, account] = await Promise.all([context.chain(chain), context.sender()]);
  const read = (): Promise<[number, number]> => Promise.all([node.nonce(account), node.minedNonce(account)]);
  // A node that was silent, or that had not yet what another has, is asked once more before the command gives up.
  const [next, first] = await read().catch(read);
  return { next, first };
}

/** Waits for pending transactions that are longer than this are reported. */
const tellAfterMs = 1_000;

/**
 * Waits until no transaction of the account is pending, so that its balances and allowances are what they seem: they are
 * read from mined blocks, and what the deposit of a run that was killed is about to spend would count as free. Returns the
 * account's next nonce, and whether one was pending before. The caller holds the turn for the nonces.
 *
 * @param asked what was read just now
 * @throws submit.busy if they are not mined in time · chain.* · the signal's reason
 */
export async function* nothingPending(
  chain: Network.Chain,
  context: Pick<Context, 'chain' | 'sender' | 'clock' | 'signal' | 'config'>,
  asked = noncesOf(chain, context),
): AsyncGenerator<Event, { nonce: bigint; hasWaited: boolean }> {
  const { clock, signal, config } = context;
  asked.catch(() => {});
  const account = await context.sender();
  const startedAt = clock.now();
  let isTold = false;
  for (let look = 0; ; look++) {
    const { next, first } = await (look === 0 ? asked : noncesOf(chain, context));
    if (next <= first) return { nonce: BigInt(next), hasWaited: look > 0 };
    const elapsedMs = clock.now() - startedAt;
    const pending = next - first === 1 ? '1 pending transaction' : `${next - first} pending transactions`;
    if (elapsedMs >= config.timeoutMs.value) throw stillPending(pending, chain, account, elapsedMs);
    if (!isTold && elapsedMs >= tellAfterMs)
      yield { type: 'waiting', summary: `Waiting: ${pending} of ${account} on ${chain.name}`, pid: null };
    isTold ||= elapsedMs >= tellAfterMs;
    await clock.sleep(Polling.delayMs(look), signal);
  }
}

function stillPending(pending: string, chain: Network.Chain, account: string, elapsedMs: number): BaseError {
  return new BaseError(
    'submit.busy',
    `After ${TerminalTime.elapsed(elapsedMs)}, the account still has ${pending} on ${chain.name}. Nothing was signed.`,
    {
      facts: [['account', account]],
      hint: 'Until it is mined, nobody knows what balance it leaves. ferry runs speed-up raises the fees of one that ferry sent.',
      next: 'ferry runs list',
    },
  );
}

/**
 * If a quote was refused only because its price has no second witness, adds the command as typed with the option that
 * would limit it. The user has to fill in the figure.
 */
function withLimit(thrown: unknown, name: string, options: Options<typeof runFlags>, context: Context): unknown {
  if (!(thrown instanceof Verification.UnverifiedError) || thrown.limit === undefined) return thrown;
  const typed = commandLine(name, { ...options, takeOver: undefined }, context);
  return typed === null ? thrown : thrown.with({ next: `${typed} ${thrown.limit}` });
}

/** The ports needed to follow a plan on its origin chain. */
export async function portsOf(
  plan: Plan.Restored,
  run: Pick<Following.Ports, 'journal' | 'turn' | 'head'>,
  context: Context,
): Promise<Following.Ports> {
  return {
    ...(await portsOfAnyOrigin(plan, run, context)),
    origin: await context.chain(plan.intent.origin.chain),
    venue: plan.intent.destination.chain.vm === 'lvm' ? await context.venue() : undefined,
  };
}

/** The same without its origin, and without the venue. */
export async function portsOfAnyOrigin(
  plan: Plan.Restored,
  run: Pick<Following.Ports, 'journal' | 'turn' | 'head'>,
  context: Context,
): Promise<Omit<Following.Ports, 'origin' | 'venue'>> {
  const { clock, signal, warn, counted } = context;
  return {
    ...run,
    service: await context.service(),
    ...(await arrivalReaders(plan, context)),
    counted,
    clock,
    signal,
    warn,
  };
}

/**
 * The service says until when a permit is valid: no longer than the user wants. Where machines share a store, what it may
 * forget must expire soon.
 *
 * @throws verify.cap · usage.invalid
 */
async function assertValidity(
  { permits, intent }: Plan.Plan,
  { validFor }: Pick<Options<typeof executionFlags>, 'validFor'>,
  context: Context,
): Promise<void> {
  const isShared = context.config.store.value !== undefined;
  const mostMs = validForMs(validFor);
  if (isShared) StoreDoubt.assertShort(mostMs ?? 0);
  const node = await context.chain(intent.origin.chain);
  for (const permit of permits) {
    const { untilMs } = OpenSignature.ofPermit(permit, intent.user as Address, node);
    const validMs = untilMs - context.clock.now();
    if (isShared) StoreDoubt.assertShort(validMs);
    if (mostMs !== undefined && validMs > mostMs) throw tooLong(untilMs, mostMs);
  }
}

function tooLong(untilMs: number, mostMs: number): BaseError {
  return new BaseError('verify.cap', 'The permit would be valid for longer than --valid-for allows.', {
    facts: [
      ['valid until', Number.isFinite(untilMs) ? new Date(untilMs).toISOString() : 'for ever'],
      ['allowed', SettingFormat.duration.show(mostMs) ?? ''],
    ],
    hint: 'The service says for how long. Allow that, or run it without --permit.',
  });
}

/** @throws usage.invalid */
export function validForMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return SettingFormat.option(SettingFormat.duration, text, '--valid-for');
}

/** Prepares a quote for signing, on a network whose contracts the user trusts. */
async function* prepare(
  proposal: Preparation.Proposal,
  context: Context,
  {
    journal,
    isAsked = context.interactive && !context.yes,
    isDryRun = false,
  }: { journal?: JournalWriter; isAsked?: boolean; isDryRun?: boolean },
): AsyncGenerator<Event, Preparation.Prepared> {
  context.waiting(`Proving the quote and reading ${proposal.quote.intent.origin.chain.name}`);
  // It is only asked for a price, which a dry run can do without.
  const service = await context.service().catch(() => undefined);
  const network = isDryRun ? context.network : await pinOnFirstSight(proposal.quote.intent.origin.chain, context);
  // A person may take a minute, and without a journal nothing is signed at once.
  const isGathering = journal !== undefined && !isAsked;
  return yield* prove(proposal, { network, service, journal, isAsked, isGathering }, context);
}

/** Who reads the arrival on the destination chain. If nothing can, it rests on the service's word alone. */
async function arrivalReaders(
  { intent }: Plan.Restored,
  context: Context,
): Promise<Pick<Following.Ports, 'destination' | 'receiver'>> {
  const { chain } = intent.destination;
  if (chain.vm === 'lvm') return { destination: undefined };
  const readers: Pick<Following.Ports, 'destination' | 'receiver'> = ChainAddress.isForeign(chain)
    ? { destination: undefined, receiver: await context.payments(chain).catch(() => undefined) }
    : { destination: await context.chain(chain).catch(() => undefined) };
  if (!readers.destination && !readers.receiver)
    context.warn(`No RPC node for ${chain.name} is available: the arrival is not read from the chain.`);
  return readers;
}
