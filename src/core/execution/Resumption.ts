/** Why a run cannot be resumed here and now, and what resuming one takes. */
import * as Address from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import * as Url from '../base/Url.js';
import type { Network } from '../network/Network.js';
import type { Service } from '../ports/Ports.js';
import * as Journal from '../tracking/Journal.js';
import type { RunRecord } from '../tracking/RunStore.js';
import type * as TransactionSettlement from './TransactionSettlement.js';

/** Who and where: what a journal is bound to. */
export type Here = { network: Network; instance: string | undefined };

/** Whether nothing speaks against it: a sandbox that does not answer cannot be told from the one of the run. */
export function mayBeHere(state: Journal.State, here: Here): boolean {
  const isSilent = state.instance !== null && here.instance === undefined;
  return isHere(state, here) || (isSilent && state.network === here.network.name);
}

/**
 * @param command what was typed, which may be typed again elsewhere
 * @throws run.elsewhere · service.unreachable where a sandbox does not say which one it is
 */
export function assertHere(state: Journal.State, here: Here, command: 'resume' | 'status' = 'resume'): void {
  if (isHere(state, here)) return;
  throw mayBeHere(state, here) ? new SilentSandboxError(state, here) : new ElsewhereError(state, here, command);
}

/** Whether the run belongs to the network in use, and on the sandbox to its present state. */
function isHere({ network, instance, baseUrl }: Journal.State, here: Here): boolean {
  if (network !== here.network.name) return false;
  if (instance !== null) return instance === here.instance;
  return placeOf(baseUrl) === placeOf(here.network.baseUrl);
}

function placeOf(baseUrl: string | null | undefined): string | undefined {
  return baseUrl ? Url.place(baseUrl) : undefined;
}

/** The account that signs is the one that began the run. @throws run.elsewhere */
export function assertSender({ run, account }: Journal.State, user: string, sender: Address.Address): void {
  if (!Address.isEqual(user, sender)) throw new OtherSenderError({ run, account, user, sender });
}

/** The only run that may be meant. @throws run.unknown · run.ambiguous */
export function only(unfinished: readonly RunRecord[]): string {
  const [first, ...more] = unfinished;
  if (!first) throw new NothingUnfinishedError();
  if (more.length > 0) throw new ManyUnfinishedError(unfinished);
  return first.id;
}

/**
 * Whether the service has begun with a request: it may know more than a journal that lost its end.
 *
 * @throws service.* where it does not say
 */
export async function hasBegun(requestId: string, service: Pick<Service, 'status'>): Promise<boolean> {
  const answer = await service.status(requestId);
  return !['waiting', 'unknown'].includes(answer.status) || (answer.inTxHashes ?? []).length > 0;
}

/** Where the money is when resuming fails on the way: a payment that was signed may be anywhere. */
export function explained(state: Journal.State, error: BaseError): BaseError {
  const isOpen = Journal.isPaid(state) && !Journal.isFinal(state, error) && error.funds === 'untouched';
  return isOpen ? new StillOpenError(state, error) : error;
}

/** Asked before a step is signed a second time. */
export function question({ message }: TransactionSettlement.ReplacedError): string {
  return `${message} Sign it anew, with a new nonce?`;
}

export class ElsewhereError extends BaseError {
  override name = 'ElsewhereError';
  constructor({ run, network, instance }: Journal.State, here: Here, command: string) {
    const isReset = network === here.network.name && instance !== null;
    super(
      'run.elsewhere',
      isReset
        ? 'The run belongs to a sandbox that was reset since: its chains are gone, and so is its money.'
        : `The run belongs to another service of the network ${network}.`,
      {
        facts: [['network in use', here.network.name]],
        hint: isReset ? 'There is nothing to finish.' : 'Use the network and the base URL that it was begun with.',
        next: isReset ? undefined : `ferry ${command} ${run} --network ${network}`,
        run,
      },
    );
  }
}

export class SilentSandboxError extends BaseError {
  override name = 'SilentSandboxError';
  constructor({ run }: Journal.State, { network }: Here) {
    const { baseUrl } = network;
    super('service.unreachable', 'The sandbox of the run does not answer.', {
      facts: baseUrl === undefined ? [] : [['asked', Url.redact(baseUrl)]],
      hint: 'What has become of the run cannot be told before it does.',
      next: 'ferry sandbox status',
      funds: 'unknown',
      run,
    });
  }
}

export class OtherSenderError extends BaseError {
  override name = 'OtherSenderError';
  constructor(of: { run: string; account: string | null; user: string; sender: string }) {
    super('run.elsewhere', 'The run was begun by another account than the one that would sign.', {
      facts: [
        ['begun by', of.user],
        ['signing', of.sender],
      ],
      next: of.account === null ? undefined : `ferry resume ${of.run} --account ${of.account}`,
      run: of.run,
    });
  }
}

export class UnsignedError extends BaseError {
  override name = 'UnsignedError';
  constructor({ run, command, quote }: Journal.State) {
    super('run.unsigned', 'The run ended before anything was signed: nothing moved, and there is nothing to resume.', {
      hint: 'The transfer may be started again.',
      next: command ?? undefined,
      retryable: true,
      run,
      requestId: quote?.requestId,
    });
  }
}

export class NothingUnfinishedError extends BaseError {
  override name = 'NothingUnfinishedError';
  constructor() {
    super('run.unknown', 'No run is unfinished: there is nothing to resume.', { next: 'ferry runs list' });
  }
}

export class ManyUnfinishedError extends BaseError {
  override name = 'ManyUnfinishedError';
  constructor(unfinished: readonly RunRecord[]) {
    super('run.ambiguous', `${unfinished.length} runs are unfinished: say which.`, {
      facts: unfinished.map(({ id, state }) => [id, state?.summary ?? ''] as const),
      next: `ferry resume ${unfinished[0]?.id ?? ''}`,
      funds: 'unknown',
    });
  }
}

/** Resuming was stopped while what was signed may be under way. */
export class StillOpenError extends BaseError {
  override name = 'StillOpenError';
  constructor(state: Journal.State, cause: BaseError) {
    const isSent =
      state.taken !== undefined || [...state.sent.values()].some(({ broadcast, receipt }) => broadcast || receipt);
    super(
      isSent ? 'track.unfinished' : 'submit.unknown',
      isSent
        ? 'The payment was sent, and how it ends is not known yet.'
        : 'The payment was signed and may have been sent.',
      {
        facts: [['stopped by', cause.message], ...cause.facts],
        hint: 'Do not start the transfer again.',
        requestId: state.quote?.requestId,
        txHash: [...state.sent.values()].at(-1)?.attempts.at(-1)?.txHash,
        cause,
      },
    );
  }
}
