/** References to a request: its id, its order id, the hash of one of its transactions, or the run that made it. */
import { BaseError } from '../base/Errors.js';
import * as ShellCommand from '../text/ShellCommand.js';
import * as TerminalText from '../text/TerminalText.js';
import * as Journal from '../tracking/Journal.js';
import type { RunRecord, Runs } from '../tracking/RunStore.js';
import type * as RequestDocument from './RequestDocument.js';
import type { RequestQuery } from './RequestQuery.js';
import type { RequestSource } from './RequestSource.js';
import * as UnreadableRecord from './UnreadableRecord.js';

/**
 * Asserts that a text may be an id or a hash: hexadecimal on most chains, 80 digits on the venue, base 58 elsewhere.
 *
 * @throws usage.invalid
 */
export function assert(name: string): void {
  if (isAddress(name)) throw onlyAnAddress(name);
  const digits = /^0x([0-9a-fA-F]+)$|^([0-9a-f]{32,})$/.exec(name)?.slice(1).find(Boolean);
  if (digits !== undefined && digits.length !== 64 && digits.length !== 80)
    throw new BaseError('usage.invalid', `This id or hash has ${digits.length} hexadecimal digits, and not 64.`, {
      hint: 'It was cut or mistyped: copy all of it. Ids and hashes have 64 digits, a transaction hash of the venue has 80.',
      next: 'ferry requests list',
    });
  if (digits === undefined && !/^[0-9A-Za-z]{32,128}$/.test(name)) {
    const shown = TerminalText.escape(name.length > 140 ? `${name.slice(0, 140)}…` : name);
    throw new BaseError('usage.invalid', `"${shown}" is not a request id, order id, transaction hash or run.`, {
      hint: 'Ids and hashes are 0x and 64 hexadecimal digits; a transaction hash of the venue has 80 digits.',
      next: 'ferry requests list',
    });
  }
}

/** Whether a text has the form of a run id, or of the end of one: `20261121-093000-1f2e3d`, `1f2e3d`. */
export function isOfRun(name: string): boolean {
  return /^((\d{0,8}-)?\d{0,6}-)?[0-9a-f]{1,6}$/.test(name);
}

/** The request id of a run, which may not be submitted yet; undefined if the journal has none. */
export function inJournal({ taken, quote, handed }: Journal.State): string | undefined {
  const own = handed?.type === 'call' ? handed.request.requestId : undefined;
  return taken ?? quote?.requestId ?? (typeof own === 'string' ? own : undefined);
}

/** The request id of a run. @throws run.unsigned · run.busy · submit.unknown if the journal has none */
export function ofRun(record: RunRecord): string {
  const requestId = record.state && inJournal(record.state);
  if (requestId === undefined) {
    const { outcome, handed } = record.state ?? {};
    const end = outcome?.code;
    // Whoever has ended it by hand has not learned what became of it.
    const isUnknown = !record.isHeld && handed !== undefined && (!outcome || outcome.funds === 'unknown');
    throw new BaseError(
      record.isHeld ? 'run.busy' : isUnknown ? 'submit.unknown' : 'run.unsigned',
      record.isHeld
        ? 'Another process is executing the run, which has no request yet.'
        : isUnknown
          ? 'The service may or may not have accepted the call, and its request is not known.'
          : `The run has no request: it ended early, and nothing was ${handed ? 'accepted' : 'signed'}.`,
      {
        facts: [
          ...(record.state ? [['started', record.state.summary] as const] : []),
          ...(end ? [['ended with', end] as const] : []),
        ],
        next:
          isUnknown && !outcome
            ? ShellCommand.line`ferry resume ${record.id}`
            : ShellCommand.line`ferry runs show ${record.id}`,
        run: record.id,
        funds: record.state && Journal.fundsOf(record.state),
      },
    );
  }
  return requestId;
}

/**
 * What to look up in the service's records: for a run, the request in its journal.
 *
 * @throws usage.invalid · run.*
 */
export async function read(asked: string, runs: () => Promise<Pick<Runs, 'show'>>): Promise<string> {
  if (isOfRun(asked)) return ofRun(await (await runs()).show(asked));
  assert(asked);
  return asked;
}

/** Whether a text may be a request id, and not just a transaction hash. */
export function isId(name: string): boolean {
  return /^0x[0-9a-fA-F]{8,64}$/.test(name);
}

/**
 * Finds the request with an id or hash in the service's records; undefined if there is none.
 *
 * @throws service.* · auth.refused · usage.invalid if several requests match
 */
export async function find(name: string, source: RequestSource): Promise<RequestDocument.RequestDocument | undefined> {
  const found = await findAll(name, source);
  if (found.length > 1)
    throw new BaseError('usage.invalid', `${found.length} requests match ${name}.`, {
      facts: found
        .slice(0, 8)
        .map(({ requestId, status }) => [TerminalText.escape(status), TerminalText.escape(requestId)]),
      hint: 'Use the id of one of them.',
    });
  return found[0];
}

/** Whether a text is an address, which may be the deposit address of a request. */
export function isAddress(name: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(name);
}

/**
 * The request with a deposit address. An open address has one for each payment: then the newest.
 *
 * @throws usage.invalid if no request has it · service.* · auth.refused
 */
export async function findByAddress(address: string, source: RequestSource): Promise<string> {
  const { entries } = await source.page({ depositAddress: address, limit: 50 });
  // The service might return requests that do not match.
  const found = entries.flatMap((entry) =>
    entry.ok && entry.request.depositAddress?.toLowerCase() === address.toLowerCase() ? [entry.request] : [],
  );
  const [first] = found.toSorted((a, b) => (b.createdAt ?? '').localeCompare(a.createdAt ?? ''));
  if (!first) throw onlyAnAddress(address);
  return first.requestId;
}

/**
 * Searches by request id first, which is unique, then by order id and transaction hashes in parallel.
 *
 * @throws service.malformed if nothing is found but a record that cannot be read
 */
async function findAll(name: string, source: RequestSource): Promise<readonly RequestDocument.RequestDocument[]> {
  // Not before: an execution knows its own reference, and has no use for the schemas of records.
  const { isKnownAs } = await import('./RequestDocument.js');
  const odd: UnreadableRecord.UnreadableRecord[] = [];
  const ask = async (query: RequestQuery) => {
    const { entries } = await source.page({ ...query, limit: 50 });
    odd.push(
      ...entries.flatMap((entry) => (entry.ok || !mayBe(entry.unreadable, name, query) ? [] : [entry.unreadable])),
    );
    // The service might return requests that do not match.
    return entries.flatMap((entry) => (entry.ok && isKnownAs(entry.request, name) ? [entry.request] : []));
  };
  const isOfVenue = /^(0x)?[0-9a-fA-F]{80}$/.test(name);
  // Some explorers leave out the 0x; the hashes of Bitcoin have none.
  const id = /^[0-9a-fA-F]{64}$/.test(name) ? `0x${name}` : name;
  const hash = isOfVenue ? name.replace(/^0x/, '') : id;
  const found = await ask(isOfVenue ? { depositTxHash: hash } : { id });
  const [same] = odd;
  if (found.length === 0 && same) throw UnreadableRecord.unreadableRecord(same);
  if (found.length > 0) return found;
  const others: RequestQuery[] = [
    ...(isOfVenue ? [] : [{ orderId: id }, { depositTxHash: hash }]),
    // The deprecated records have a single parameter for transactions of both sides.
    ...(source.version() === 'v2' ? [] : [{ fillTxHash: hash }, { refundTxHash: hash }]),
    ...(id === name || source.version() === 'v2' ? [] : [{ depositTxHash: name }, { fillTxHash: name }]),
  ];
  const more = (await Promise.all(others.map(ask))).flat();
  const [first] = odd;
  if (more.length === 0 && first) throw UnreadableRecord.unreadableRecord(first);
  return [...new Map(more.map((each) => [each.requestId, each])).values()];
}

/** Whether a record that cannot be read may be the one: by its id, else by having been found by something else. */
function mayBe({ requestId }: UnreadableRecord.UnreadableRecord, name: string, { id }: RequestQuery): boolean {
  return requestId === null || id === undefined || requestId.toLowerCase() === name.toLowerCase();
}

function onlyAnAddress(address: string): BaseError {
  return new BaseError('usage.invalid', `${address} is an address, and not the deposit address of a request.`, {
    hint: 'List its requests instead.',
    next: ShellCommand.line`ferry requests list --user ${address}`,
  });
}

/** The service has no such request. @param refusal the error of the search in the records, if it failed */
export function unknownRequest(name: string, network: string, refusal?: BaseError): BaseError {
  return new BaseError(
    'service.unknown-request',
    `The ${network} service has no request with this id or transaction.`,
    {
      facts: [['searched for', name], ...(refusal ? ([['records', refusal.message]] as const) : [])],
      funds: 'unknown',
      hint: 'It may belong to another network. A transfer sent just now may not be indexed yet: try again in a moment.',
      cause: refusal,
    },
  );
}
