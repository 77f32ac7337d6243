/** Conditions for resuming a run, and the errors if they do not hold. */
import * as Address from '../base/Address.js';
import { BaseError, type Funds } from '../base/Errors.js';
import * as Url from '../base/Url.js';
import { type Network, settingUrl } from '../network/Network.js';
import type { Service } from '../ports/Ports.js';
import * as QuoteDocument from '../quote/QuoteDocument.js';
import * as ShellCommand from '../text/ShellCommand.js';
import * as Journal from '../tracking/Journal.js';
import type { RunRecord, Runs } from '../tracking/RunStore.js';
import * as TransferStatus from '../tracking/TransferStatus.js';
import * as Plan from './Plan.js';

/** The network in use and, on the sandbox, its instance. A journal is bound to one. */
export type Here = { network: Network; instance: string | undefined };

/** Whether the run may belong here. A sandbox that does not answer may be the one of the run. */
export function mayBeHere(state: Journal.State, here: Here): boolean {
  const isUnreachable = state.instance !== null && here.instance === undefined;
  return isHere(state, here) || (isUnreachable && state.network === here.network.name);
}

/**
 * @param command the command to suggest for the run's own network
 * @throws run.elsewhere · service.unreachable if the sandbox does not answer
 */
export function assertHere(state: Journal.State, here: Here, command: 'resume' | 'status' = 'resume'): void {
  if (isHere(state, here)) return;
  throw mayBeHere(state, here) ? silentSandbox(state, here) : anotherPlace(state, here, command);
}

/** Whether the run belongs to the network in use, and on the sandbox to its current instance. */
function isHere({ network, instance, baseUrl }: Journal.State, here: Here): boolean {
  if (network !== here.network.name) return false;
  if (instance !== null) return instance === here.instance;
  return placeOf(baseUrl) === placeOf(here.network.baseUrl);
}

/** Whether the run is of a sandbox that has been reset: its chains and funds are gone. */
export function isReset({ network, instance }: Journal.State, here: Here): boolean {
  return (
    instance !== null && network === here.network.name && here.instance !== undefined && instance !== here.instance
  );
}

function placeOf(baseUrl: string | null | undefined): string | undefined {
  return baseUrl ? Url.place(baseUrl) : undefined;
}

/** The plan of a run, by the quote in its journal. @throws run.unsigned if it got none · quote.* */
export function planOf(state: Journal.State, network: Network): Plan.Restored {
  if (!state.quote) throw unsignedRun(state);
  return Plan.restored(QuoteDocument.toQuote(state.quote.document, network));
}

/** Checks that the account that signs started the run, which `command` is about. @throws run.elsewhere */
export function assertSender(state: Journal.State, user: string, sender: Address.Address, command = 'resume'): void {
  if (Address.isEqual(user, sender)) return;
  const { run, account } = state;
  throw new BaseError('run.elsewhere', 'The run was started by a different account from the one that would sign.', {
    facts: [
      ['started by', user],
      ['signing', sender],
    ],
    next: account === null ? undefined : ShellCommand.line`ferry ${command.split(' ')} ${run} --account ${account}`,
    funds: Journal.fundsOf(state),
    run,
  });
}

/** The id of the only unfinished run that may be here. @throws run.unknown · run.ambiguous */
export function only(all: readonly RunRecord[], here: Here): string {
  const unfinished = all.filter(({ state }) => state && mayBeHere(state, here));
  const [first, ...more] = unfinished;
  if (!first) {
    const others = all.length === 1 ? '1 unfinished run is' : `${all.length} unfinished runs are`;
    const hint =
      all.length > 0 ? `${others} of another network, or of a sandbox that has been reset since.` : undefined;
    throw new BaseError('run.unknown', 'There is no unfinished run to resume.', {
      hint,
      next: 'ferry runs list',
    });
  }
  if (more.length > 0)
    throw new BaseError('run.ambiguous', `${unfinished.length} runs are unfinished: name one of them.`, {
      facts: unfinished.map(({ id, state }) => [id, state?.summary ?? ''] as const),
      next: ShellCommand.line`ferry resume ${unfinished[0]?.id ?? ''}`,
      funds: 'unknown',
    });
  return first.id;
}

/**
 * Whether the service has started a request. It may know more than a journal whose last entries were lost.
 *
 * @throws service.* if the status cannot be read
 */
export async function hasBegun(requestId: string, service: Pick<Service, 'status'>): Promise<boolean> {
  return TransferStatus.hasBegun(await service.status(requestId));
}

/**
 * Corrects an error that says `untouched` without knowing of the payment: while a signed payment is open, or an address
 * was shown that anybody may have paid, the funds are not untouched.
 */
export function explained(state: Journal.State, error: BaseError): BaseError {
  if (error.funds !== 'untouched' || Journal.isFinal(state, error)) return error;
  if (Journal.isPaid(state)) return stillOpen(state, error);
  // Only the chain and the service together show that nothing was paid at an address.
  const isShown = state.address !== undefined && !state.outcome && error.code !== 'track.unfinished';
  return isShown ? stillPayable(state, error) : error;
}

/**
 * Corrects an error of a store that says `untouched`: what a run that cannot be read has paid is not known.
 *
 * @returns the error, to be thrown
 */
export function unreadRuns(error: unknown): unknown {
  return error instanceof BaseError && /^store\./.test(error.code) ? error.with({ funds: 'unknown' }) : error;
}

/** The runs that are to be resumed or looked at. @throws store.* */
export async function keptRuns({ runs }: { runs(): Promise<Runs> }): Promise<Runs> {
  try {
    return await runs();
  } catch (error) {
    throw unreadRuns(error);
  }
}

/** The check of who wrote a journal, as `--allow` takes it. */
export const journalCheck = 'journal';

/** A journal that anybody who could write to the state directory may have made. */
export function unprovedRun({ run, quote }: Journal.State, summary: string, command: string): BaseError {
  return new BaseError(
    'run.unproved',
    'The journal of the run is not sealed by this user, so ferry does not act on it unasked.',
    {
      facts: [['it says', summary]],
      hint: `An older ferry wrote it, or another user, or somebody who wants to be paid. If it is yours, add --allow ${journalCheck}.`,
      next: ShellCommand.line`ferry ${command.split(' ')} ${run} --allow ${journalCheck}`,
      funds: 'unknown',
      run,
      requestId: quote?.requestId,
    },
  );
}

/** Where the funds of a run are that cannot be looked up any more: what was on its way is not known to have arrived. */
export function fundsOfLost(state: Journal.State): Funds {
  const funds = Journal.fundsOf(state);
  return funds === 'in-flight' ? 'unknown' : funds;
}

function anotherPlace(state: Journal.State, here: Here, command: string): BaseError {
  const { run, network } = state;
  const isGone = isReset(state, here);
  const closing = Journal.isUnfinished(state) ? ShellCommand.line`ferry runs close ${run}` : undefined;
  return new BaseError(
    'run.elsewhere',
    isGone
      ? 'The run belongs to a sandbox that has been reset since: its chains and funds are gone.'
      : `The run belongs to a different service of the network ${network}.`,
    {
      facts: [['network in use', here.network.name]],
      hint: isGone ? 'There is nothing to finish.' : 'Use the network and base URL that it was started with.',
      next: isGone ? closing : ShellCommand.line`ferry ${command.split(' ')} ${run} --network ${network}`,
      funds: isGone ? fundsOfLost(state) : Journal.fundsOf(state),
      run,
    },
  );
}

function silentSandbox({ run }: Journal.State, { network }: Here): BaseError {
  const { baseUrl, urlVariable } = network;
  return new BaseError('service.unreachable', 'The sandbox of the run does not answer.', {
    facts: baseUrl === undefined ? [] : [['asked', Url.redact(baseUrl)]],
    hint: 'Until it answers, the state of the run is unknown.',
    next: urlVariable ? settingUrl(`networks.${network.name}.baseUrl`, urlVariable) : 'ferry sandbox status',
    funds: 'unknown',
    run,
  });
}

export function unsignedRun({ run, command, quote }: Journal.State): BaseError {
  return new BaseError(
    'run.unsigned',
    'The run ended before anything was signed: no funds moved, and there is nothing to resume.',
    {
      hint: 'You can start the transfer again.',
      next: command ?? undefined,
      retryable: true,
      run,
      requestId: quote?.requestId,
    },
  );
}

/** The service says that a payment has come which, as far as the journal goes, nobody has signed. */
export function unseenDeposit({ run, quote }: Journal.State, chain: string): BaseError {
  return new BaseError(
    'submit.unknown',
    `The service alone says that it has the payment: the journal has none that was signed, and ${chain} does not show one.`,
    {
      hint: 'The journal may have lost its end, or the service is wrong. Do not start the transfer again.',
      next: ShellCommand.line`ferry resume ${run}`,
      run,
      requestId: quote?.requestId,
    },
  );
}

/** The run has ended without a payment, for example because it was canceled: nothing more is signed for it. */
export function endedUnpaid({ run, command, quote, outcome, sent }: Journal.State): BaseError {
  return new BaseError('run.settled', 'The run has ended without a payment: there is nothing to resume.', {
    facts: outcome ? [['ended as', outcome.status]] : [],
    hint: 'You can start the transfer again.',
    next: command ?? undefined,
    run,
    requestId: quote?.requestId,
    // An approval may have cost gas.
    txHash: [...sent.values()].at(-1)?.attempts.at(-1)?.txHash,
  });
}

/** The run has ended without moving funds, and nothing that it signed can move them any more. */
export function endedUntouched({ run, command, quote, outcome }: Journal.State): BaseError {
  const isCanceled = outcome?.status === 'cancelled';
  return new BaseError(
    (outcome?.code ?? 'submit.cancelled') as BaseError['code'],
    isCanceled
      ? 'The run was canceled: what it had signed is void, and no funds moved.'
      : 'The run has ended, and no funds moved.',
    {
      facts: outcome && !isCanceled ? [['ended with', outcome.code ?? outcome.status]] : [],
      hint: 'You can start the transfer again.',
      next: command ?? undefined,
      funds: 'untouched',
      run,
      requestId: quote?.requestId,
    },
  );
}

/** Resuming failed, and an address that was shown may have been paid meanwhile. */
function stillPayable({ quote }: Journal.State, cause: BaseError): BaseError {
  const hint = 'The address may have been paid: do not pay it again before you know.';
  return cause.with({ hint, next: undefined, funds: 'unknown', requestId: quote?.requestId });
}

/** Resuming failed while a signed payment may still take effect. */
function stillOpen(state: Journal.State, cause: BaseError): BaseError {
  const isSent = Journal.outOf(state) === 'in-flight';
  const error = new BaseError(
    isSent ? 'track.unfinished' : 'submit.unknown',
    isSent
      ? 'The payment was sent, and its outcome is not known yet.'
      : 'The payment was signed and may have been sent.',
    {
      facts: [['stopped by', cause.message], ...cause.facts],
      hint: 'Do not start the transfer again.',
      requestId: state.quote?.requestId,
      txHash: [...state.sent.values()].at(-1)?.attempts.at(-1)?.txHash,
      cause,
    },
  );
  // What another program did is found out by what the cause says.
  return cause.code === 'run.foreign-nonce' ? error.with({ hint: [error.hint, cause.hint].join(' ') }) : error;
}
