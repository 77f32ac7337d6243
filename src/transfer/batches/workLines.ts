/**
 * The loop of a worker: takes accounts, settles what was begun for them, then carries their lines one after the other.
 *
 * A line ends in one transaction of the store: the outcome of its run, its result, its number and its state (`withLine`
 * of `storeRuns.ts`).
 */
import type { BaseError } from '../../core/base/Errors.js';
import { onceEach } from '../../core/base/Once.js';
import type { Context } from '../../core/command/Context.js';
import type { CommandEvent } from '../../core/event/DisplayEvent.js';
import * as Resumption from '../../core/execution/Resumption.js';
import { toBaseError } from '../../core/text/ErrorReport.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import type { AccountTurn, Batches, Deployment, HeldLine } from '../../core/worker/BatchStore.js';
import * as Metrics from '../../core/worker/Metrics.js';
import * as WorkerPage from '../../core/worker/WorkerPage.js';
import * as WorkerTrust from '../../core/worker/WorkerTrust.js';
import { endOf } from '../lineEnding.js';
import { createLineContexts, currencyReader } from './batch.js';
import { type Carried, type Carrying, carryLine, isBehind } from './carryLine.js';

export type WorkOptions = {
  /** The names of the accounts whose keys this worker has. */
  accounts: readonly string[];
  /** How many accounts pay at the same time. */
  concurrency: number;
  drainMs: number;
  /** Whether to end when there is nothing to do. */
  once: boolean;
  /** Where to serve the page and the metrics; undefined for nowhere. */
  metrics: string | undefined;
  trust: WorkerTrust.Trust;
};

/** What a worker has done when it ends. */
export type Worked = { worker: string; done: number; failed: number; left: number; seconds: number };

/** How often the store is asked for work, and told that this worker lives. */
const pollMs = 1_000;
const beatMs = 5_000;

/** The same while another worker holds an account that has work: that worker may have been killed. */
const heldPollMs = 250;

/** How many lines of an account are carried before another worker may take the account. */
const linesInTurn = 4;

/** How long a line waits after an attempt: longer each time. */
const [firstWaitMs, longestWaitMs] = [2_000, 600_000];

/** How long a line waits whose account has reached its daily limit, or must not sign. */
const heldBackMs = 60_000;

/** A worker at work. */
type Worker = {
  context: Context;
  options: WorkOptions;
  batches: Batches;
  deployment: Deployment;
  drain: ReturnType<Context['drain']>;
  carrying: Carrying;
  /** The accounts, the one that was taken last at the end. */
  accounts: readonly string[];
  /** By account, the batches that are not taken for it, and why. */
  untaken: ReadonlyMap<string, Map<string, string>>;
  /** The accounts that are paying. */
  busy: Map<string, Promise<void>>;
  /** The accounts that have used nonces which the store does not know. */
  behind: Set<string>;
  counts: Metrics.Counts;
  /** How many lines were left for a later attempt. */
  left: number;
  /** Whether another worker holds an account that has something to do. */
  isHeldElsewhere: boolean;
  /** The error that ends the worker. */
  fatal: BaseError | undefined;
  /** What is to be printed. */
  events: CommandEvent[];
};

/** @throws store.* · auth.* · usage.invalid */
export async function* workLines(options: WorkOptions, context: Context): AsyncGenerator<CommandEvent, Worked> {
  const { clock } = context;
  const startedAt = clock.now();
  const worker = await createWorker(options, context);
  const { batches, busy, events, drain } = worker;
  const { metrics } = options;
  const server = metrics === undefined ? undefined : await context.serve(metrics, (path) => answer(path, worker));
  try {
    if (server) yield { type: 'serving', url: server.url };
    await beat(worker);
    let beatAt = clock.now();
    while (!isStopping(worker)) {
      const found = await takeAccounts(worker);
      yield* events.splice(0);
      if (options.once && !found && busy.size === 0) break;
      const pauseMs = worker.isHeldElsewhere ? heldPollMs : pollMs;
      await Promise.race([...busy.values(), clock.sleep(pauseMs, drain.asked).catch(() => {})]);
      if (clock.now() - beatAt >= beatMs) {
        await beat(worker);
        beatAt = clock.now();
      }
    }
    yield* drained(worker);
  } catch (error) {
    worker.fatal ??= toBaseError(error);
  } finally {
    await Promise.all(busy.values());
    await server?.close();
    await batches.leave().catch(() => {});
  }
  yield* events.splice(0);
  if (worker.fatal) throw worker.fatal;
  const { ok, failed } = worker.counts.results;
  const seconds = (clock.now() - startedAt) / 1000;
  return { worker: batches.me.id, done: ok, failed, left: worker.left, seconds };
}

async function createWorker(options: WorkOptions, context: Context): Promise<Worker> {
  const [batches, instance, drain] = [await context.batches(), await context.instance(), context.drain()];
  const store = await batches.store();
  const names = await addressesOf(options.accounts, context);
  const [latest] = await (await context.runs()).list(1);
  if (latest?.state && !latest.isOwn)
    context.warn(
      'The runs of the store are sealed with another secret than this machine’s, so it can finish none of them. Copy the file "secret" of the state directory from a machine that began them.',
    );
  return {
    context,
    options,
    batches,
    deployment: { network: context.network.name, instance: instance ?? null },
    drain,
    carrying: {
      context,
      contextOf: createLineContexts({ args: [] }, context),
      read: currencyReader(context),
      trust: options.trust,
      witness: await context.lineWitness(),
      accountOf: (address) => names.get(address.toLowerCase()) ?? address,
      signed: onceEach(async (name) => {
        const read = await batches.find(name);
        await WorkerTrust.assertSigned(read.batch, read.blocks);
        WorkerTrust.assertStore(read.batch, store);
        return read;
      }),
      stateOf: async (name) => (await batches.find(name)).batch.state,
    },
    accounts: [...names.keys()],
    untaken: new Map([...names.keys()].map((each) => [each, new Map()])),
    busy: new Map(),
    behind: new Set(),
    counts: Metrics.none,
    left: 0,
    isHeldElsewhere: false,
    fatal: undefined,
    events: [],
  };
}

function isStopping({ drain, context, fatal }: Worker): boolean {
  return drain.asked.aborted || context.signal.aborted || fatal !== undefined;
}

/** Takes accounts that have something to do, as long as there is room. Resolves to whether there was any such account. */
async function takeAccounts(worker: Worker): Promise<boolean> {
  const { batches, deployment, busy, untaken, options } = worker;
  const free = worker.accounts.filter((each) => !busy.has(each));
  let found = false;
  worker.isHeldElsewhere = false;
  for (const [except, accounts] of groupsOf(free, untaken)) {
    for (const account of await batches.payable(accounts, deployment, except)) {
      found = true;
      if (busy.size >= options.concurrency || isStopping(worker)) return true;
      const turn = await batches.hold(account);
      worker.isHeldElsewhere ||= turn === undefined;
      if (!turn) continue;
      worker.accounts = [...worker.accounts.filter((each) => each !== account), account];
      busy.set(
        account,
        carryLines(account, turn, worker).finally(() => busy.delete(account)),
      );
    }
  }
  return found;
}

/** Carries lines of an account one after the other, then releases its turn. Never rejects. */
async function carryLines(account: string, turn: AccountTurn, worker: Worker): Promise<void> {
  const { context, deployment, untaken, carrying } = worker;
  const { clock } = context;
  try {
    for (let index = 0; index < linesInTurn && !isStopping(worker); index++) {
      const line = await turn.claim(deployment, [...(untaken.get(account)?.keys() ?? [])]);
      if (!line) return;
      const begunAt = clock.now();
      const carried = await carryLine(line, turn, carrying);
      if (line.state !== 'waiting') worker.counts = { ...worker.counts, takenOver: worker.counts.takenOver + 1 };
      await settle(line, turn, carried, worker);
      if (carried.kind === 'over') {
        const seconds = (clock.now() - begunAt) / 1000;
        worker.counts = Metrics.withLine(worker.counts, { ok: carried.result.ok, seconds });
      }
    }
  } catch (thrown) {
    if (context.signal.aborted) return;
    const error = toBaseError(thrown);
    if (error.code === 'store.fenced') {
      worker.counts = { ...worker.counts, fenced: worker.counts.fenced + 1 };
      context.warn(error.message);
      return;
    }
    // A line may have been paid by then.
    worker.fatal ??= toBaseError(Resumption.unreadRuns(error));
  } finally {
    turn.release();
  }
}

/** Writes what became of a line into the store. */
async function settle(line: HeldLine, turn: AccountTurn, carried: Carried, worker: Worker): Promise<void> {
  const { context, untaken, behind, events } = worker;
  if (carried.kind === 'over') {
    behind.delete(line.account);
    // One with a run has ended together with it.
    await turn.end(endOf(line, carried, context));
    events.push({ type: 'result', ...carried.result, id: `${line.batch}/${line.id}` });
    return;
  }
  if (carried.kind === 'untaken') {
    const { code, message, next } = carried.error;
    untaken.get(line.account)?.set(line.batch, message);
    worker.counts = { ...worker.counts, refused: worker.counts.refused + 1 };
    context.warn(message);
    const state = line.state === 'waiting' ? 'waiting' : 'stuck';
    const reason = { code, message, next: next ?? null };
    const waitMs = state === 'waiting' ? 0 : heldBackMs;
    await turn.leave(line, { state, run: null, reason, waitMs, isHeldBack: true });
    return;
  }
  const { state, run, reason, error } = carried;
  worker.left++;
  if (state === 'refused') worker.counts = { ...worker.counts, refused: worker.counts.refused + 1 };
  if (isBehind(error)) behind.add(line.account);
  context.warn(`${TerminalText.escape(`${line.batch}/${line.id}`)}: ${error.message}`);
  const isHeldBack = isBehind(error) || error.code === 'batch.capped';
  const waitMs = isHeldBack ? heldBackMs : Math.min(longestWaitMs, firstWaitMs * 2 ** line.attempts);
  await turn.leave(line, { state, run, reason, waitMs, isHeldBack });
}

/** Lets the lines under way end. Once their time is up they stop between two entries, and another worker goes on. */
async function* drained(worker: Worker): AsyncGenerator<CommandEvent, void> {
  const { busy, drain, context, events, options } = worker;
  if (busy.size > 0 && drain.asked.aborted) await beat(worker);
  const untilMs = context.clock.now() + options.drainMs;
  while (busy.size > 0 && !context.signal.aborted) {
    if (context.clock.now() >= untilMs) drain.abort();
    await Promise.race([...busy.values(), context.clock.sleep(100)]);
    yield* events.splice(0);
  }
}

/** Tells the store that this worker lives. */
function beat({ context, batches, untaken, drain }: Worker): Promise<void> {
  return batches.beat({
    version: context.version,
    accounts: [...untaken.keys()],
    isDraining: drain.asked.aborted,
    refuses: Object.fromEntries([...untaken.values()].flatMap((each) => [...each])),
  });
}

/** The addresses of accounts, in lower case, each with its name here. Keys are unlocked now, and not at the first line. */
async function addressesOf(names: readonly string[], context: Context): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const name of names) {
    const { address } = await context.derive({ account: name }).account();
    found.set(address.toLowerCase(), name);
  }
  return found;
}

/** The accounts by the batches that are not taken for them. */
function groupsOf(
  accounts: readonly string[],
  untaken: ReadonlyMap<string, ReadonlyMap<string, string>>,
): readonly (readonly [except: readonly string[], accounts: readonly string[]])[] {
  const groups = new Map<string, { except: readonly string[]; accounts: string[] }>();
  for (const account of accounts) {
    const except = [...(untaken.get(account)?.keys() ?? [])];
    const key = JSON.stringify(except);
    const group = groups.get(key) ?? { except, accounts: [] };
    group.accounts.push(account);
    groups.set(key, group);
  }
  return [...groups.values()].map((group) => [group.except, group.accounts]);
}

function stateOf(isFit: boolean, otherwise: string): WorkerPage.Page {
  return { status: isFit ? 200 : 503, type: 'text/plain; charset=utf-8', body: isFit ? 'ok\n' : `${otherwise}\n` };
}

async function answer(path: string, worker: Worker): Promise<WorkerPage.Page | undefined> {
  const { context, batches, drain, busy, behind } = worker;
  switch (path) {
    case '/healthz':
      return stateOf(worker.fatal === undefined, 'ending');
    case '/readyz':
      // The session answers, and takes work.
      await batches.workers();
      return stateOf(worker.fatal === undefined && !drain.asked.aborted, 'draining');
    case '/metrics': {
      const totals = await batches.totals();
      const now = { turns: busy.size, behind: behind.size, isDraining: drain.asked.aborted };
      const type = 'text/plain; version=0.0.4; charset=utf-8';
      return { status: 200, type, body: Metrics.format(worker.counts, now, totals) };
    }
    case '/': {
      const body = WorkerPage.format({
        ...{ worker: batches.me.id, version: context.version, network: context.network.name },
        nowMs: context.clock.now(),
        batches: await batches.list(),
        workers: await batches.workers(),
        stuck: (await batches.totals()).stuck,
      });
      return { status: 200, type: 'text/html; charset=utf-8', body };
    }
    default:
      return undefined;
  }
}
