import * as z from 'zod/mini';
import { states } from '../core/api/StatusV3.js';
import * as Amount from '../core/base/Amount.js';
import { BaseError, type Code, type Funds, fundsWords } from '../core/base/Errors.js';
import { define, type Flags, type Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as SettingFormat from '../core/config/SettingFormat.js';
import type { Event } from '../core/event/Event.js';
import * as Resumption from '../core/execution/Resumption.js';
import * as RequestDocument from '../core/history/RequestDocument.js';
import * as RequestReference from '../core/history/RequestReference.js';
import type { RequestSide } from '../core/history/RequestSide.js';
import * as RequestSource from '../core/history/RequestSource.js';
import * as ReportedContracts from '../core/network/ReportedContracts.js';
import type { Service } from '../core/ports/Ports.js';
import * as Place from '../core/text/Place.js';
import * as ShellCommand from '../core/text/ShellCommand.js';
import * as TerminalTable from '../core/text/TerminalTable.js';
import * as TerminalText from '../core/text/TerminalText.js';
import * as Journal from '../core/tracking/Journal.js';
import * as Polling from '../core/tracking/Polling.js';
import * as StatusPolling from '../core/tracking/StatusPolling.js';
import * as Supersession from '../core/tracking/Supersession.js';
import * as TransferStatus from '../core/tracking/TransferStatus.js';
import { findPaid, findRun, latestOf, type NamedRun, nameOf, payingState } from '../setup/findRun.js';

/** A decimal in whole units, of a currency as `chain/token`. */
const worth = z.object({ formatted: z.nullable(z.string()), currency: z.string() });

const output = z.object({
  /** The reference as typed. */
  asked: z.string(),
  /** The request found, or the one that superseded it. */
  requestId: z.string(),
  /** The requests that it superseded, oldest first. */
  supersedes: z.array(z.string()),
  /** The status word of the service. */
  status: z.string(),
  words: z.string(),
  /** Who pays what to whom, by the service's records or this machine's journal; null if neither says. */
  transfer: z.nullable(
    z.object({
      user: z.nullable(z.string()),
      recipient: z.nullable(z.string()),
      send: z.nullable(worth),
      receive: z.nullable(worth),
    }),
  ),
  funds: z.enum(fundsWords),
  finished: z.boolean(),
  /** What this machine knows to be out, whatever the service says: a run whose payment is signed or sent. */
  journal: z.nullable(z.object({ run: z.string(), funds: z.enum(['in-flight', 'unknown']) })),
  /** The state that `--until` waited for, and whether it was reached. */
  until: z.nullable(z.object({ state: z.string(), reached: z.boolean() })),
  expectation: z.nullable(z.object({ state: z.string(), met: z.boolean() })),
  failReason: z.nullable(z.string()),
  refundFailReason: z.nullable(z.string()),
  details: z.nullable(z.string()),
  originChainId: z.nullable(z.int()),
  destinationChainId: z.nullable(z.int()),
  inTxHashes: z.array(z.string()),
  outTxHashes: z.array(z.string()),
  /** Unix time in milliseconds. */
  updatedAt: z.nullable(z.number()),
});

const flags = {
  watch: { short: 'w', description: 'follow the transfer until it ends' },
  until: {
    value: 'state',
    description: 'follow the transfer until this state, or until it ends otherwise',
    choices: states,
  },
  expect: {
    value: 'state',
    description: 'exit 12 unless the state, at the end of --watch or --until, is this one',
    choices: states,
  },
  timeout: { value: 'time', description: 'how long to follow the transfer (default: 5m)' },
  interval: { value: 'time', description: 'polling interval, at least 100ms (default: short at first, then 1s)' },
} as const satisfies Flags;

export const command = define({
  description:
    'Shows the status of a transfer and where its funds are, by the service’s word: ferry execute and ferry resume hold it to the chain. What this machine has sent or signed for it is never untouched, whatever the service says. If the service does not answer, the end of a run is told as this machine recorded it. Exit codes: 0 delivered, 5 or 6 a run that moved nothing, 7 refunded, 8 failed, 9 not finished, 10 signed here and not known to the service; also 0 if the state given to --until or --expect is reached, and 12 if --expect is not met.',
  args: [
    {
      name: 'request',
      description:
        'a request id, an order id, the hash of a deposit, fill or refund, a deposit address, or a run id or its last characters (default: the latest run on the network)',
      optional: true,
    },
  ],
  options: flags,
  examples: [
    ['ferry status', 'the latest run of this machine'],
    ['ferry status 0x17…', 'a request'],
    ['ferry status 0x5a…', 'by a transaction hash, on any chain'],
    ['ferry status 0xea…', 'by a deposit address'],
    ['ferry status 1f2e3d', 'by a run of this machine, from ferry runs list'],
    ['ferry status 0x17… --watch --timeout 10m', 'until it is delivered, refunded or failed'],
    ['ferry status 0x17… --until submitted --interval 5s', 'until the fill is submitted'],
    ['ferry status 0x17… --watch --expect refund --json', 'in CI: JSON lines, exit 12 unless refunded'],
    ['ferry status 0x17… --json | jq -r .data.funds', 'in a script: where the funds are'],
  ],
  output,
  streams: true,
  async *run(options, context) {
    const asked = options.args[0] ?? (await latestOf(context));
    const { name, run } = await nameOf(asked, context);
    const query = { ...options, args: [asked], name, run };
    try {
      return yield* statusOf(query, context);
    } catch (error) {
      if (error instanceof BaseError && error.code.startsWith('service.')) {
        const ended = run ? run.hasEnd && run.state : await findPaid(name, context);
        if (ended) return asRecorded(ended, query, error, context);
      }
      throw stillOut(Resumption.unreadRuns(error), payingState(run) ?? (await findRun([name], context))?.state);
    }
  },
  view(data, style, _, place) {
    const { until, expectation, transfer } = data;
    const shown = (of: z.output<typeof worth>): string =>
      `${of.formatted === null ? '?' : style.number(Amount.shorten(of.formatted))} ${TerminalText.escape(of.currency)}`;
    const sides = [transfer?.send, transfer?.receive].flatMap((each) => (each ? [shown(each)] : []));
    const party = (address: string): string => Place.withName(ReportedContracts.show(address), place);
    const safe = (text: string | null): string | null => (text ? TerminalText.escape(text) : null);
    const rows: TerminalTable.Row[] = [
      ['Status', `${style.bold(TerminalText.escape(data.status))}  ${style.dim(data.words)}`],
      ['Funds', data.funds],
      ['Network', place && Place.shown(place, style)],
      ['Amount', sides.length > 0 ? sides.join(' → ') : null],
      ['From', transfer?.user && party(transfer.user)],
      ['To', transfer?.recipient && party(transfer.recipient)],
      ['Run', data.journal && `${data.journal.run}: ${outWords[data.journal.funds]}`],
      ['Until', until && `${until.state}: ${until.reached ? 'reached' : 'not reached'}`],
      ['Expected', expectation && `${expectation.state}: ${expectation.met ? 'met' : 'not met'}`],
      ['Reason', safe(data.failReason)],
      ['No refund', safe(data.refundFailReason)],
      ['Details', safe(data.details)],
      ...data.inTxHashes.map((hash) => ['Deposit', TerminalText.escape(hash)] as const),
      ...data.outTxHashes.map(
        (hash) => [data.funds === 'returned' ? 'Refund' : 'Fill', TerminalText.escape(hash)] as const,
      ),
      ['Updated', data.updatedAt === null ? null : style.time(data.updatedAt)],
      ['Request', TerminalText.escape(data.requestId)],
      ...data.supersedes.map((id) => ['Replaces', TerminalText.escape(id)] as const),
    ];
    return TerminalTable.rows(rows, style);
  },
  outcome(data) {
    if (data.expectation) return data.expectation.met ? undefined : 'expect.unmet';
    if (data.until?.reached) return undefined;
    if (data.finished) return endCodes[data.funds];
    return data.funds === 'unknown' && data.journal ? 'submit.unknown' : 'track.unfinished';
  },
});

/** The codes of ends that a recorded run may have, whose refund's transaction nobody names. */
const endCodes: Partial<Record<Funds, Code>> = { returned: 'track.refunded', held: 'track.failed' };

type StatusQuery = Options<typeof flags> & {
  /** The reference to look up at the service. */
  name: string;
  /** The run that was named, if one was. */
  run: NamedRun | undefined;
};

/**
 * What the service says, and where it is older than what this machine has sent.
 *
 * @throws service.* · track.* · run.unsigned · the code that the run ended with
 */
async function* statusOf(
  { args: [asked = ''], watch = false, until, expect, interval, name, run }: StatusQuery,
  context: Context,
): AsyncGenerator<Event, z.output<typeof output>> {
  const follows = watch || until !== undefined;
  const intervalMs = readInterval(interval, follows);
  const service = await context.service();
  const { clock, signal, warn } = context;
  const untilMs = clock.now() + (follows ? context.config.timeoutMs.value : 0);
  const requestId = yield* locate(name, service, context, { follows, untilMs, intervalMs });
  const succession = Supersession.from(service, signal);
  const { successor } = succession;
  // The service may be gone for good: a run that has an end does not wait for it.
  const first = run?.isUnpaid || run?.hasEnd ? await look(requestId, service, successor) : undefined;
  if (first && run?.isUnpaid) await assertPaid(run.state, first, context);
  const state = payingState(run);
  const named = partiesOf(requestId, state, context);
  // The status may fail before it is waited for.
  named.catch(() => {});
  const progress = follows
    ? yield* StatusPolling.run(
        requestId,
        { service, clock, signal, warn },
        { timeoutMs: Math.max(0, untilMs - clock.now()), until, intervalMs, successor },
      )
    : (first ?? (await look(requestId, service, successor)));
  const { seen: _, ...rest } = progress;
  const journal = outOf(progress, state ?? (await findRun([requestId, progress.requestId, name], context))?.state);
  return {
    ...rest,
    asked,
    supersedes: [...succession.superseded()],
    inTxHashes: [...rest.inTxHashes],
    outTxHashes: [...rest.outTxHashes],
    words: TransferStatus.inWords(progress),
    transfer: await (progress.requestId === requestId ? named : partiesOf(progress.requestId, undefined, context)),
    // The service has not seen what this machine has sent.
    funds: journal?.funds ?? TransferStatus.fundsOf(progress),
    journal,
    finished: TransferStatus.isTerminal(progress),
    until: until === undefined ? null : { state: until, reached: TransferStatus.hasReached(progress, until) },
    expectation: expect === undefined ? null : { state: expect, met: TransferStatus.isSame(progress, expect) },
  };
}

/**
 * A run that has moved nothing and no longer can pays nothing, and waiting for its payment has no end. The request of a
 * saved quote may still be paid by another run.
 *
 * @throws run.unsigned · the code that the run ended with
 */
async function assertPaid(unpaid: Journal.State, progress: TransferStatus.Progress, context: Context): Promise<void> {
  if (TransferStatus.fundsOf(progress) !== 'untouched' || (await findRun([progress.requestId], context))) return;
  throw endOf(unpaid);
}

function endOf(unpaid: Journal.State): BaseError {
  return Journal.isUnsigned(unpaid) ? Resumption.unsignedRun(unpaid) : Resumption.endedUntouched(unpaid);
}

/** The end of a run by its journal, since the service does not say it. @throws the code of a run that moved nothing */
async function asRecorded(
  state: Journal.State,
  { args: [asked = ''], name, until, expect }: StatusQuery,
  { message }: BaseError,
  context: Context,
): Promise<z.output<typeof output>> {
  const { outcome, sent, steps, taken } = state;
  if (!outcome || outcome.funds === 'untouched') throw endOf(state);
  context.warn(`${message} What this machine has recorded of the run follows.`);
  const { status, funds } = outcome;
  const { seen: _, ...known } = { ...TransferStatus.from(taken ?? name), status };
  const paid = sent.get((steps?.length ?? 0) - 1)?.receipt;
  const isAt = (wanted: string): boolean => status === wanted || TransferStatus.hasReached(known, wanted);
  return {
    ...known,
    asked,
    supersedes: [],
    inTxHashes: paid ? [paid.txHash] : [],
    outTxHashes: [],
    words: 'as this machine recorded it',
    transfer: await partiesOf(known.requestId, state, context),
    funds,
    journal: null,
    finished: true,
    until: until === undefined ? null : { state: until, reached: isAt(until) },
    expectation: expect === undefined ? null : { state: expect, met: isAt(expect) },
  };
}

/** Who pays what to whom. The records may want a key, or be slow: a status does not fail for them, nor wait long. */
async function partiesOf(
  requestId: string,
  state: Journal.State | undefined,
  context: Context,
): Promise<z.output<typeof output>['transfer']> {
  const { document } = state?.quote ?? {};
  const read = document === undefined ? undefined : z.safeParse(quoted, document);
  if (read?.success) {
    const { intent, send, receive } = read.data;
    return { user: intent.user, recipient: intent.recipient, send, receive };
  }
  try {
    const { service } = context.within(recordsMs);
    const source = RequestSource.from({ service, network: context.network, warn: () => {} });
    const { entries } = await source.page({ id: requestId, limit: 1 });
    const [entry] = entries;
    if (!entry?.ok || !RequestDocument.isKnownAs(entry.request, requestId)) return null;
    const { user, recipient, origin, destination } = entry.request;
    const side = ({ formatted, currency }: RequestSide): z.output<typeof worth> | null =>
      currency === null ? null : { formatted, currency };
    return { user, recipient, send: side(origin), receive: side(destination) };
  } catch (error) {
    if (!(error instanceof BaseError) || context.signal.aborted) throw error;
    return null;
  }
}

/** How long a status waits for the records, which only add to it. */
const recordsMs = 3000;

const quoted = z.object({
  intent: z.object({ user: z.string(), recipient: z.string() }),
  send: worth,
  receive: worth,
});

const outWords = {
  'in-flight': 'its payment was sent from this machine',
  unknown: 'its payment may have been made',
};

/** What is out of a run whose request the service has not seen paid. */
function outOf(progress: TransferStatus.Progress, state: Journal.State | undefined): Out | null {
  const isSeen = !['untouched', 'unknown'].includes(TransferStatus.fundsOf(progress));
  const funds = isSeen || !state ? undefined : Journal.outOf(state);
  return state && funds ? { run: state.run, funds } : null;
}

type Out = { run: string; funds: 'in-flight' | 'unknown' };

/** An error of the service, or a wait that ends, does not make untouched what is out. */
function stillOut(error: unknown, state: Journal.State | undefined): unknown {
  const funds = state && Journal.outOf(state);
  if (!(error instanceof BaseError) || !state || !funds) return error;
  if (error.code === 'track.unfinished' && error.funds !== 'in-flight') return unseen(error, state.run, funds);
  const next = ShellCommand.line`ferry resume ${state.run}`;
  return error.funds === 'untouched' ? error.with({ funds, run: state.run, next }) : error;
}

/** The service has not seen what this machine has sent, or has signed and may have sent. */
function unseen(error: BaseError, run: string, funds: Out['funds']): BaseError {
  const { message, facts, requestId } = error;
  return new BaseError(funds === 'unknown' ? 'submit.unknown' : 'track.unfinished', message, {
    facts,
    hint: 'Do not send it again: resuming the run follows it.',
    next: ShellCommand.line`ferry resume ${run}`,
    run,
    requestId,
    cause: error,
  });
}

/** Polling more often would strain the service. */
const shortestIntervalMs = 100;

/** @throws usage.invalid */
function readInterval(text: string | undefined, follows: boolean): number | undefined {
  if (text === undefined) return undefined;
  if (!follows)
    throw new BaseError('usage.invalid', '--interval needs --watch or --until: without them ferry polls once.');
  const read = SettingFormat.duration.read(text);
  if (!read || read.value < shortestIntervalMs)
    throw new BaseError('usage.invalid', `--interval must be ${SettingFormat.duration.expects}, at least 100ms.`);
  return read.value;
}

type Search = { follows: boolean; untilMs: number; intervalMs: number | undefined };

/**
 * The id of the request with a reference. A request that is being followed may be so new that the service does not know
 * it yet: the lookup is repeated until the time is up.
 *
 * @throws service.* · auth.refused · usage.invalid if several requests match
 */
async function* locate(
  name: string,
  service: Service,
  context: Context,
  { follows, untilMs, intervalMs }: Search,
): AsyncGenerator<Event, string> {
  const { clock, signal } = context;
  const source = RequestSource.from(context);
  for (let attempt = 0; ; attempt++) {
    try {
      if (RequestReference.isId(name) && (await service.status(name)).status !== 'unknown') return name;
    } catch (error) {
      // A request that is being followed is polled again anyway.
      if (follows && error instanceof BaseError && !signal.aborted) return name;
      throw unread(error, name);
    }
    let refusal: BaseError | undefined;
    try {
      const found = await RequestReference.find(name, source);
      if (found) return found.requestId;
    } catch (error) {
      if (signal.aborted || !(error instanceof BaseError) || error.code === 'usage.invalid') throw error;
      if (!RequestReference.isId(name) && !follows) throw unread(error, name);
      refusal = error;
    }
    const unknown = (): BaseError => RequestReference.unknownRequest(name, context.network.name, refusal);
    if (clock.now() >= untilMs) throw unknown();
    if (attempt === 0) {
      const { status, ...unseen } = TransferStatus.from(name);
      const words = TransferStatus.inWords({ status, ...unseen });
      yield { type: 'status', requestId: name, status, words, inTxHashes: [], outTxHashes: [] };
    }
    const delayMs = intervalMs ?? Polling.delayMs(attempt + 6);
    await Polling.pause(Math.min(delayMs, Math.max(0, untilMs - clock.now())), { clock, signal }, unknown);
  }
}

/** The current status of the last request in the succession. @throws service.* */
async function look(
  requestId: string,
  service: Service,
  successor: Supersession.Supersession['successor'],
): Promise<TransferStatus.Progress> {
  const read = (id: string) =>
    service.status(id).catch((error: unknown) => {
      throw unread(error, id);
    });
  const progress = TransferStatus.reduce(TransferStatus.from(requestId), await read(requestId));
  if (TransferStatus.fundsOf(progress) === 'delivered') return progress;
  const by = await successor(requestId);
  return by === undefined ? progress : look(by, service, successor);
}

/** A failed read of the status leaves it unknown where the funds are. */
function unread(error: unknown, name: string): unknown {
  if (!(error instanceof BaseError) || !/^(service|auth)\./.test(error.code)) return error;
  const requestId = RequestReference.isId(name) ? name : undefined;
  return error.with({ funds: 'unknown', requestId });
}
