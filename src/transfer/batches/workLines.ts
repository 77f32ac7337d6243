/**
 * The loop of a worker: takes accounts, settles what was begun for them, then carries their lines one after the other.
 *
 * A line ends in one transaction of the store: the outcome of its run, its result, its number and its state (`withLine`
 * of `storeRuns.ts`).
 */
import type { BaseError } from '../../core/base/Errors.js';
import type { Hex } from '../../core/base/Hex.js';
import type { Context } from '../../core/command/Context.js';
import type { CommandEvent } from '../../core/event/DisplayEvent.js';
import { toBaseError } from '../../core/text/ErrorReport.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import type { AccountTurn, Batch, Batches, Deployment, HeldLine } from '../../core/worker/BatchStore.js';
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

/** How often, while another worker holds an account that has something to do: that one may have been killed. */
const heldPollMs = 250;

/** How many lines of an account are carried before others may have it. */
const linesInTurn = 64;

/** How long a line waits after an attempt: longer each time. */
const [firstWaitMs, longestWaitMs] = [2_000, 600_000];

/** How long a line waits whose account has paid all that it may today, or signs nothing. */
const heldBackMs = 60_000;

/** @throws store.* · auth.* · usage.invalid */
export async function* workLines(options: WorkOptions, context: Context): AsyncGenerator<CommandEvent, Worked> {
  const { clock, network } = context;
  const startedAt = clock.now();
  const [batches, instance, drain] = [await context.batches(), await context.instance(), context.drain()];
  const store = await batches.store();
  const deployment: Deployment = { network: network.name, instance: instance ?? null };
  const names = await addressesOf(options.accounts, context);
  const [latest] = await (await context.runs()).list(1);
  if (latest?.state && !latest.isOwn)
    context.warn(
      'The runs of the store are sealed with another secret than this machine’s, so it can finish none of them. Copy the file "secret" of the state directory from a machine that began them.',
    );
  /** By account, the batches that are not taken for it, and why. */
  const untaken = new Map<string, Map<string, string>>([...names.keys()].map((each) => [each, new Map()]));
  const busy = new Map<string, Promise<void>>();
  const behind = new Set<string>();
  let counts = Metrics.none;
  let left = 0;
  let fatal: BaseError | undefined;
  let isHeldElsewhere = false;
  const events: CommandEvent[] = [];
  const bell = createBell();
  const carrying: Carrying = {
    context,
    contextOf: createLineContexts({ args: [] }, context),
    read: currencyReader(context),
    trust: options.trust,
    witness: await context.lineWitness(),
    accountOf: (address) => names.get(address.toLowerCase()) ?? address,
    signed: createSigned(batches, store),
    stateOf: async (name) => (await batches.find(name)).batch.state,
  };
  const isStopping = (): boolean => drain.asked.aborted || context.signal.aborted || fatal !== undefined;

  const settle = async (line: HeldLine, turn: AccountTurn, carried: Carried): Promise<void> => {
    if (carried.kind === 'untaken') {
      const { code, message, next } = carried.error;
      untaken.get(line.account)?.set(line.batch, message);
      counts = { ...counts, refused: counts.refused + 1 };
      context.warn(message);
      const state = line.state === 'waiting' ? 'waiting' : 'stuck';
      const reason = { code, message, next: next ?? null };
      await turn.leave(line, { state, run: null, reason, waitMs: state === 'waiting' ? 0 : heldBackMs });
      return;
    }
    if (carried.kind === 'left') {
      const { state, run, reason, error } = carried;
      left++;
      if (state === 'refused') counts = { ...counts, refused: counts.refused + 1 };
      if (isBehind(error)) behind.add(line.account);
      context.warn(`${TerminalText.escape(`${line.batch}/${line.id}`)}: ${error.message}`);
      const isHeldBack = isBehind(error) || error.code === 'batch.capped';
      const waitMs = isHeldBack ? heldBackMs : Math.min(longestWaitMs, firstWaitMs * 2 ** line.attempts);
      await turn.leave(line, { state, run, reason, waitMs });
      return;
    }
    behind.delete(line.account);
    // One with a run has ended together with it.
    await turn.end(endOf(line, carried, context));
    events.push({ type: 'result', ...carried.result, id: `${line.batch}/${line.id}` });
  };

  const lane = async (account: string, turn: AccountTurn): Promise<void> => {
    try {
      for (let index = 0; index < linesInTurn && !isStopping(); index++) {
        const line = await turn.claim(deployment, [...(untaken.get(account)?.keys() ?? [])]);
        if (!line) return;
        const begunAt = clock.now();
        const carried = await carryLine(line, turn, carrying);
        if (line.state !== 'waiting') counts = { ...counts, takenOver: counts.takenOver + 1 };
        await settle(line, turn, carried);
        if (carried.kind === 'over')
          counts = Metrics.withLine(counts, { ok: carried.result.ok, seconds: (clock.now() - begunAt) / 1000 });
        bell.ring();
      }
    } catch (thrown) {
      if (context.signal.aborted) return;
      const error = toBaseError(thrown);
      if (error.code === 'store.fenced') {
        counts = { ...counts, fenced: counts.fenced + 1 };
        context.warn(error.message);
        return;
      }
      fatal ??= error;
    } finally {
      turn.release();
    }
  };

  /** Takes accounts that have something to do, as long as there is room; whether there was any such account. */
  const take = async (): Promise<boolean> => {
    const free = [...names.keys()].filter((each) => !busy.has(each));
    let found = false;
    isHeldElsewhere = false;
    for (const [except, accounts] of groupsOf(free, untaken)) {
      for (const account of await batches.payable(accounts, deployment, except)) {
        found = true;
        if (busy.size >= options.concurrency || isStopping()) return true;
        const turn = await batches.hold(account);
        isHeldElsewhere ||= turn === undefined;
        if (!turn) continue;
        const carried = lane(account, turn).finally(() => {
          busy.delete(account);
          bell.ring();
        });
        busy.set(account, carried);
      }
    }
    return found;
  };

  const refuses = (): Record<string, string> => Object.fromEntries([...untaken.values()].flatMap((each) => [...each]));
  const beat = (): Promise<void> =>
    batches.beat({
      version: context.version,
      accounts: [...names.keys()],
      isDraining: drain.asked.aborted,
      refuses: refuses(),
    });
  const answers = { context, batches, isAlive: () => fatal === undefined, isDraining: () => drain.asked.aborted };
  const server =
    options.metrics === undefined
      ? undefined
      : await context.serve(options.metrics, async (path) =>
          answer(path, answers, () => ({
            counts,
            now: { turns: busy.size, behind: behind.size, isDraining: drain.asked.aborted },
          })),
        );
  if (server) context.warn(`Serving ${server.url}`);
  try {
    await beat();
    let beatAt = clock.now();
    while (!isStopping()) {
      const found = await take();
      yield* events.splice(0);
      if (options.once && !found && busy.size === 0) break;
      await Promise.race([
        bell.rung(),
        clock.sleep(isHeldElsewhere ? heldPollMs : pollMs, drain.asked).catch(() => {}),
      ]);
      if (clock.now() - beatAt >= beatMs) {
        await beat();
        beatAt = clock.now();
      }
    }
    yield* drained();
  } catch (error) {
    fatal ??= toBaseError(error);
  } finally {
    await Promise.all(busy.values());
    await server?.close();
    await batches.leave().catch(() => {});
  }
  yield* events.splice(0);
  if (fatal) throw fatal;
  const { ok, failed } = counts.results;
  return { worker: batches.me.id, done: ok, failed, left, seconds: (clock.now() - startedAt) / 1000 };

  /** Lets what is under way end. After the time for that, it stops between two entries, and another worker goes on. */
  async function* drained(): AsyncGenerator<CommandEvent, void> {
    if (busy.size > 0 && drain.asked.aborted) await beat();
    const untilMs = clock.now() + options.drainMs;
    while (busy.size > 0 && !context.signal.aborted) {
      if (clock.now() >= untilMs) drain.abort();
      await Promise.race([bell.rung(), clock.sleep(100)]);
      yield* events.splice(0);
    }
  }
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

/** Reads each batch once, and checks its signature. */
function createSigned(batches: Batches, store: string): Carrying['signed'] {
  const known = new Map<string, Promise<{ batch: Batch; blocks: readonly Hex[] }>>();
  return (name) => {
    const found =
      known.get(name) ??
      (async () => {
        const read = await batches.find(name);
        await WorkerTrust.assertSigned(read.batch, read.blocks);
        WorkerTrust.assertStore(read.batch, store);
        return read;
      })();
    found.catch(() => known.delete(name));
    known.set(name, found);
    return found;
  };
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

/** Wakes whoever waits. */
function createBell(): { ring(): void; rung(): Promise<void> } {
  let wake: () => void = () => {};
  let waiting = new Promise<void>((resolve) => {
    wake = resolve;
  });
  return {
    ring() {
      wake();
      waiting = new Promise((resolve) => {
        wake = resolve;
      });
    },
    rung: () => waiting,
  };
}

type Answering = { context: Context; batches: Batches; isAlive(): boolean; isDraining(): boolean };

const plain = 'text/plain; charset=utf-8';

async function answer(
  path: string,
  { context, batches, isAlive, isDraining }: Answering,
  read: () => { counts: Metrics.Counts; now: Metrics.Now },
): Promise<WorkerPage.Page | undefined> {
  switch (path) {
    case '/healthz':
      return isAlive() ? { status: 200, type: plain, body: 'ok\n' } : { status: 503, type: plain, body: 'ending\n' };
    case '/readyz': {
      // The session answers, and takes work.
      await batches.workers();
      return isAlive() && !isDraining()
        ? { status: 200, type: plain, body: 'ok\n' }
        : { status: 503, type: plain, body: 'draining\n' };
    }
    case '/metrics': {
      const { counts, now } = read();
      const type = 'text/plain; version=0.0.4; charset=utf-8';
      return { status: 200, type, body: Metrics.format(counts, now, await batches.totals()) };
    }
    case '/': {
      const [list, workers, totals] = [await batches.list(), await batches.workers(), await batches.totals()];
      const shown = { worker: batches.me.id, version: context.version, network: context.network.name };
      const body = WorkerPage.format({
        ...shown,
        nowMs: context.clock.now(),
        batches: list,
        workers,
        stuck: totals.stuck,
      });
      return { status: 200, type: 'text/html; charset=utf-8', body };
    }
    default:
      return undefined;
  }
}
