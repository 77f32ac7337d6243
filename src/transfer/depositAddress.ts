/** A deposit address, which anybody can pay: it is proved and shown, and followed now or when its run is resumed. */

import * as Address from '../core/base/Address.js';
import * as Amount from '../core/base/Amount.js';
import { BaseError } from '../core/base/Errors.js';
import type { Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as AddressExecution from '../core/deposit/AddressExecution.js';
import type { Event } from '../core/event/Event.js';
import * as Arrival from '../core/execution/Arrival.js';
import type * as Following from '../core/execution/Following.js';
import * as OutcomeDocument from '../core/execution/OutcomeDocument.js';
import type * as Plan from '../core/execution/Plan.js';
import * as Resumption from '../core/execution/Resumption.js';
import * as RunOpening from '../core/execution/RunOpening.js';
import * as SingleWitness from '../core/proof/SingleWitness.js';
import * as Journal from '../core/tracking/Journal.js';
import * as NonceRelease from '../core/tracking/NonceRelease.js';
import type { Run } from '../core/tracking/RunStore.js';
import { type executionFlags, portsOf } from './executeQuote.js';
import { claimIds, startRun, withJournal } from './journalledRun.js';
import { confirmPayment, prove } from './pay.js';
import { type capFlags, type intentFlags, readCaps, readIntent, requestQuote } from './transferOptions.js';

type Typed = Options<typeof intentFlags> & Options<typeof capFlags> & Options<typeof executionFlags>;

/** A run that pays by an address, and its plan. */
type Shown = {
  plan: Plan.Restored;
  run: Run;
  options: Pick<Typed, 'noWait' | 'timeout' | 'requireWitness'>;
  context: Context;
};

type Ended = AsyncGenerator<Event, OutcomeDocument.OutcomeDocument>;

/**
 * Shows a proved deposit address, and follows it until what was paid there has arrived. Unlocks no key.
 *
 * @throws verify.* · request.* · usage.* · track.* · config.unwritable · run.unfinished
 */
export async function* executeByAddress(options: Typed, context: Context): Ended {
  const refundTo = assertParties(options);
  const intent = await readIntent(options, context, { wallet: async () => refundTo });
  const caps = readCaps(options, context, intent);
  const asked = await requestQuote(intent, context);
  const run = yield* startRun(
    (place) => RunOpening.from(intent, { ...place, account: null }),
    { name: 'execute', options },
    context,
  );
  const proposal = { ...asked, caps, allow: options.allow ?? [], findings: [] };
  const running = async function* (): Ended {
    context.waiting(`Proving the address and reading ${intent.origin.chain.name}`);
    const { plan, single } = yield* prove(proposal, { journal: run, isPaidByOthers: true }, context);
    if (single.asked.length > 0)
      await confirmPayment(`${SingleWitness.question(single.asked)} Show the address?`, single, context);
    const ports = await portsOf(plan, { journal: run, turn: NonceRelease.none, head: undefined }, context);
    const head = await Arrival.noteHead(plan, ports);
    await claimIds(asked.quote, run, context);
    const { address, untilMs } = AddressExecution.depositAddressOf(plan.quote);
    await run.append({ type: 'address', address, untilMs });
    yield* show({ plan, context });
    if (options.noWait) return { ...OutcomeDocument.fromPlan(plan), status: 'shown' };
    return yield* follow({ plan, run, options, context }, { ...ports, head });
  };
  return yield* withJournal(run, running(), context);
}

/** An address is paid from anywhere, so there is no sender that could be refunded, or receive. */
function assertParties({ args, recipient, refundTo, dryRun }: Typed): Address.Address {
  if (Amount.isMax(args[0] ?? ''))
    throw new BaseError('usage.invalid', 'An address is paid from anywhere, so ferry does not know what max is.');
  if (dryRun)
    throw new BaseError('usage.invalid', '--dry-run and --deposit-address cannot be combined.', {
      hint: 'Nothing is signed. The address is only shown once it is proved, and can be paid from then on.',
    });
  for (const [flag, value, what] of [
    ['--refund-to', refundTo, 'an address of yours on the chain that is paid on, not one of an exchange'],
    ['--recipient', recipient, 'who receives it on the destination'],
  ] as const)
    if (value === undefined)
      throw new BaseError('usage.missing', `--deposit-address needs ${flag}.`, { hint: `It is ${what}.` });
  return Address.from(refundTo ?? '', 'refund address');
}

/** Shows the address again and follows it. An address that was never shown is not shown now: its quote is old. */
export async function* continueAddress(shown: Shown): Ended {
  const { plan, run, options, context } = shown;
  const state = run.state();
  // Somebody may have been shown it, and have paid, although the journal has lost that.
  const hasBegun = state.taken !== undefined || (await Resumption.hasBegun(plan.requestId, await context.service()));
  if (!state.address && !hasBegun) throw Resumption.unsignedRun(state);
  const ports = await portsOf(plan, { journal: run, turn: NonceRelease.none, head: state.head }, context);
  const isLate = await AddressExecution.isOver(AddressExecution.depositAddressOf(plan.quote), {
    ...ports,
    clock: context.clock,
  });
  const isOpen = !hasBegun && !isLate && (await isUnpaid(shown, ports.origin));
  if (isOpen) yield* show(shown);
  if (!options.noWait) return yield* follow(shown, ports);
  const status = isOpen ? 'shown' : isLate && !hasBegun ? 'expired' : 'paid';
  return named({ ...OutcomeDocument.fromPlan(plan), status, funds: Journal.fundsOf(state) }, shown);
}

/**
 * Whether the node shows that the address holds nothing and has held nothing. Nobody is asked to pay twice, so if the node
 * does not answer, the address is followed and not shown.
 *
 * @throws chain.* if it is not to be followed
 */
async function isUnpaid({ plan, options, context }: Shown, origin: Following.Ports['origin']): Promise<boolean> {
  try {
    const { balance, wasTaken } = await AddressExecution.heldAt(AddressExecution.depositAddressOf(plan.quote), origin);
    return balance === 0n && !wasTaken;
  } catch (error) {
    if (!(error instanceof BaseError) || options.noWait || context.signal.aborted) throw error;
    context.warn(
      `Whether the address has been paid cannot be seen, so it is not shown: do not pay it twice. ${error.message}`,
    );
    return false;
  }
}

async function* show({ plan, context }: Pick<Shown, 'plan' | 'context'>): AsyncGenerator<Event, void> {
  const deposit = AddressExecution.depositAddressOf(plan.quote);
  yield AddressExecution.toEvent(deposit, plan.quote);
  await context.showCode(deposit.address);
}

/**
 * Follows the address: for as long as its order lives, unless `--timeout` says otherwise.
 *
 * @throws track.* · submit.expired
 */
async function* follow(shown: Shown, ports: Following.Ports): Ended {
  const { plan, run, options, context } = shown;
  const timeoutMs = context.config.timeoutMs.value;
  const outcome = yield* AddressExecution.follow(plan, ports, {
    paymentMs: options.timeout === undefined ? undefined : timeoutMs,
    timeoutMs,
    needsWitness: options.requireWitness,
    isHidden: run.state().address === undefined,
  });
  return named(OutcomeDocument.from(plan, outcome), shown);
}

/** The service’s word that it has begun does not prove an address that nobody was shown: that one is not named. */
function named(document: OutcomeDocument.OutcomeDocument, { run }: Pick<Shown, 'run'>): typeof document {
  return run.state().address ? document : { ...document, depositAddress: null, plan: [] };
}
