/** What a person may call a request: its id, its order's id, the hash of one of its transactions, or the run that made it. */
import { BaseError } from '../base/Errors.js';
import * as TerminalText from '../text/TerminalText.js';
import type * as Journal from '../tracking/Journal.js';
import type { RunRecord } from '../tracking/RunStore.js';
import * as RequestDocument from './RequestDocument.js';
import type { RequestQuery } from './RequestQuery.js';
import type { RequestSource } from './RequestSource.js';

/**
 * Hexadecimal on most chains, 80 digits on the venue, base 58 elsewhere.
 *
 * @throws usage.invalid
 */
export function assert(name: string): void {
  if (/^0x[0-9a-fA-F]{40}$/.test(name)) throw new AddressError(name);
  if (!/^0x[0-9a-fA-F]{8,80}$|^[0-9A-Za-z]{32,128}$/.test(name)) throw new InvalidNameError(name);
}

/** Whether it looks like the name of a run on this machine, or like the end of one: `20261121-093000-1f2e3d`, `1f2e3d`. */
export function isOfRun(name: string): boolean {
  return /^((\d{0,8}-)?\d{0,6}-)?[0-9a-f]{1,6}$/.test(name);
}

/** The request of a run, or the one that it is about to make; undefined where the journal knows none. */
export function inJournal({ taken, quote, handed }: Journal.State): string | undefined {
  const own = handed?.type === 'call' ? handed.request.requestId : undefined;
  return taken ?? quote?.requestId ?? (typeof own === 'string' ? own : undefined);
}

/** The request of a run. @throws run.unsigned · run.busy · submit.unknown where the journal knows none */
export function ofRun(record: RunRecord): string {
  const requestId = record.state && inJournal(record.state);
  if (requestId === undefined) throw new NoRequestError(record);
  return requestId;
}

/** Whether it can be a request id, and not only the hash of a transaction. */
export function isId(name: string): boolean {
  return /^0x[0-9a-fA-F]{8,64}$/.test(name);
}

/**
 * The request that the service's records have under a name; undefined where they have none.
 *
 * @throws service.* · auth.refused · usage.invalid where several have to do with it
 */
export async function find(name: string, source: RequestSource): Promise<RequestDocument.RequestDocument | undefined> {
  const found = await findAll(name, source);
  if (found.length > 1) throw new SeveralRequestsError(name, found);
  return found[0];
}

/** By its id first, which nothing else is; then by its transactions and as an order, all at once. */
async function findAll(name: string, source: RequestSource): Promise<readonly RequestDocument.RequestDocument[]> {
  const ask = async (query: RequestQuery) => {
    const { requests } = await source.page({ ...query, limit: 50 });
    // The service might look at more than it was asked for.
    return requests.filter((each) => RequestDocument.isKnownAs(each, name));
  };
  const isOfVenue = /^(0x)?[0-9a-fA-F]{80}$/.test(name);
  const hash = isOfVenue ? name.replace(/^0x/, '') : name;
  const found = await ask(isOfVenue ? { depositTxHash: hash } : { id: name });
  if (found.length > 0) return found;
  const others: RequestQuery[] = [
    ...(isOfVenue ? [] : [{ orderId: name }, { depositTxHash: hash }]),
    // The deprecated records have one parameter for a transaction on either side.
    ...(source.version() === 'v2' ? [] : [{ fillTxHash: hash }, { refundTxHash: hash }]),
  ];
  const more = (await Promise.all(others.map(ask))).flat();
  return [...new Map(more.map((each) => [each.requestId, each])).values()];
}

export class InvalidNameError extends BaseError {
  override name = 'InvalidNameError';
  constructor(text: string) {
    const shown = TerminalText.escape(text.length > 140 ? `${text.slice(0, 140)}…` : text);
    super('usage.invalid', `"${shown}" is no request id, order id, transaction hash or run.`, {
      hint: 'Each but a run is 0x and 64 hexadecimal digits; a hash of the venue has 80.',
      next: 'ferry requests list',
    });
  }
}

export class AddressError extends BaseError {
  override name = 'AddressError';
  constructor(address: string) {
    super('usage.invalid', `${address} is an address, not a request.`, {
      hint: 'Its requests can be listed.',
      next: `ferry requests list --user ${address}`,
    });
  }
}

/** The journal of the run knows of no request. */
export class NoRequestError extends BaseError {
  override name = 'NoRequestError';
  constructor({ id, state, isHeld }: RunRecord) {
    const end = state?.outcome?.code;
    const isOpen = !isHeld && !end && state?.handed !== undefined;
    super(
      isHeld ? 'run.busy' : isOpen ? 'submit.unknown' : 'run.unsigned',
      isHeld
        ? 'A process is carrying the run out, and it has no request yet.'
        : isOpen
          ? 'The service may or may not have taken the call, and no request of it is known.'
          : `The run has no request: it ended before there was one, and nothing was ${state?.handed ? 'taken' : 'signed'}.`,
      {
        facts: [...(state ? [['begun', state.summary] as const] : []), ...(end ? [['ended by', end] as const] : [])],
        next: isOpen ? `ferry resume ${id}` : `ferry runs show ${id}`,
        run: id,
      },
    );
  }
}

export class UnknownRequestError extends BaseError {
  override name = 'UnknownRequestError';
  /** `refusal` is why the records could not be searched, where they could not. */
  constructor(name: string, network: string, refusal?: BaseError) {
    super('service.unknown-request', `The service of ${network} knows no request by that id or transaction.`, {
      facts: [['asked for', name], ...(refusal ? ([['its records', refusal.message]] as const) : [])],
      funds: 'unknown',
      hint: 'Is it of another network? A transfer that was sent just now may not be indexed yet: look again in a moment.',
      cause: refusal,
    });
  }
}

export class SeveralRequestsError extends BaseError {
  override name = 'SeveralRequestsError';
  constructor(name: string, found: readonly RequestDocument.RequestDocument[]) {
    super('usage.invalid', `${found.length} requests have to do with ${name}.`, {
      facts: found
        .slice(0, 8)
        .map(({ requestId, status }) => [TerminalText.escape(status), TerminalText.escape(requestId)]),
      hint: 'Name one of them.',
    });
  }
}
