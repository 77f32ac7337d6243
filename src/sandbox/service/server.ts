/**
 * Runs the whole sandbox in one process: both chains, the service and the venue, until a signal or idleness ends it.
 */
import { randomBytes } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createAdaptorServer } from '@hono/node-server';
import { BaseError } from '../../core/base/Errors.js';
import * as atomicWrite from '../../io/files/atomicWrite.js';
import * as chainKeeper from '../chain/chainKeeper.js';
import { LostChainError } from '../chain/chainKeeper.js';
import * as nodeRpc from '../chain/nodeRpc.js';
import * as startChains from '../chain/startChains.js';
import { keepFresh, mineStranded } from '../chain/upkeep.js';
import { type ChainServer, serveChain } from '../chainProxy/chainServer.js';
import { close, listen, urlOf } from '../http/httpServer.js';
import type { Ledger } from '../ledger/ledger.js';
import type { InstanceOptions } from '../settlement/instance.js';
import * as frameLog from '../storage/frameLog.js';
import { DamagedLogError } from '../storage/frameLog.js';
import { load, noSvm } from '../svm/liteSvm.js';
import { svmDescription } from '../svm/svmDescription.js';
import { createSvmNode, type SvmNode } from '../svm/svmNode.js';
import { serveSvm } from '../svm/svmServer.js';
import { type ChainName, chainNames } from '../values/deployment.js';
import { createSandbox, type Sandbox } from './service.js';
import * as stateFolder from './stateFolder.js';

export type ServerOptions = Omit<startChains.StartOptions, 'state'> & {
  /** Directory where the state is kept; if absent, it ends with the sandbox. */
  stateDir?: string | undefined;
  /** Port of the service on 127.0.0.1; a free one by default. */
  port?: number | undefined;
  /** Port of the venue; a free one by default. */
  venuePort?: number | undefined;
  /** Determines request ids, salts and orders; defaults to the instance id. */
  seed?: string | undefined;
  /** Returns Unix time in milliseconds; defaults to the system clock. */
  clock?: (() => number) | undefined;
  /** Shuts down after this much time without use or pending orders; 0 or less disables. */
  idleMs?: number | undefined;
  signal: AbortSignal;
  /** Chains that run already and are as new; stopped with the sandbox. Only without a `stateDir`. */
  chains?: startChains.Chains | undefined;
  /** Called with the reason if a state cannot be continued. */
  warn?: ((text: string) => void) | undefined;
  /** Called once everything accepts requests. */
  onReady(ready: Ready): void;
  /** Called once before shutdown; decides whether to write the state any more. */
  onStopping?: (() => Promise<'save' | 'discard'>) | undefined;
};

export type Ready = {
  /** Instance id: kept with the state, changed by a reset, and if a state cannot be continued. */
  instance: string;
  /** Why the instance before this one is gone, if it was lost. */
  lost: stateFolder.Lost | undefined;
  baseUrl: string;
  venueUrl: string;
  /** RPC URL by chain name: the gate in front of each node, where chain faults are injected. */
  rpcUrls: Readonly<Record<ChainName, string>> & { readonly svm?: string };
  chains: startChains.Chains;
  fetch: Sandbox['fetch'];
  venue: Sandbox['venue'];
};

/** Time allowed for in-flight fills at shutdown. */
const serviceEndMs = 8_000;
/** Bounds of the idle check interval. */
const idleCheckMs = { least: 20, most: 5_000 };

/**
 * Runs a sandbox. Resolves once it has shut down and ended its processes.
 *
 * @throws sandbox.no-anvil · sandbox.start · config.unwritable if the state cannot be written, which ends the sandbox ·
 * the signal's reason if it aborts before the sandbox is ready
 */
export async function serve(options: ServerOptions): Promise<void> {
  const { signal, clock = Date.now, stateDir } = options;
  signal.throwIfAborted();
  const failing = createFailure(stateDir);
  const running = await (stateDir === undefined
    ? startUnkept(options, clock)
    : startKept(options, stateDir, { clock, failing }));
  const server = serverOf(running.service.fetch);
  const venueServer = serverOf(running.service.venue.fetch);
  server.on('upgrade', running.service.upgrade);
  try {
    await listen(server, options.port ?? 0);
    await listen(venueServer, options.venuePort ?? 0);
    signal.throwIfAborted();
  } catch (error) {
    server.close();
    venueServer.close();
    await stopParts(running);
    throw error;
  }

  let failure: unknown;
  const stopMining: (() => void)[] = [];
  try {
    const nodes = chainNames.map((name) => running.chains[name].rpcUrl);
    stopMining.push(await keepFresh(nodes, clock), mineStranded(nodes));
    options.onReady({
      instance: running.instance,
      lost: running.lost,
      baseUrl: urlOf(server),
      venueUrl: urlOf(venueServer),
      rpcUrls: {
        ...{ alpha: running.gates.alpha.url, beta: running.gates.beta.url },
        ...(running.svm && { svm: running.svm.url }),
      },
      chains: running.chains,
      fetch: running.service.fetch,
      venue: running.service.venue,
    });
    await untilStopped(running, { clock, signal, idleMs: options.idleMs ?? 0, failing });
  } catch (error) {
    failure = error;
  }
  for (const stop of stopMining) stop();
  const verdict = (await options.onStopping?.()) ?? 'save';
  const { gates } = running;
  // The server waits for connections that were upgraded.
  await running.service.closeSockets();
  const gatesClosed = chainNames.map((name) => gates[name].close());
  await Promise.all([close(server), close(venueServer), ...gatesClosed, running.svm?.close()]);
  try {
    // The chains still run, so the process does not end before either.
    await Promise.race([running.service.stop(), delay(serviceEndMs, undefined, { ref: false })]);
    // What was written so far is all there is to keep, if no more can be written or somebody else has the folder.
    if (failure === undefined && verdict === 'save') await running.keep();
  } finally {
    await running.abandon();
    await running.chains.stop();
  }
  if (failure !== undefined) throw failure;
  failing.signal.throwIfAborted();
}

type Failure = ReturnType<typeof createFailure>;

/** Aborts with the first failure to write the state. */
function createFailure(stateDir: string | undefined) {
  const first = new AbortController();
  return {
    report(error: BaseError): void {
      // Room to say so on a full disk.
      if (stateDir !== undefined) stateFolder.releaseReserve(stateDir);
      first.abort(error);
    },
    signal: first.signal,
  };
}

type Running = Awaited<ReturnType<typeof startParts>>;

/** Starts a sandbox whose state ends with it. */
async function startUnkept(options: ServerOptions, clock: () => number): Promise<Running> {
  const instance = newInstance();
  const chains = options.chains ?? (await startChains.start(options));
  const svmNode = startSvm(clock, undefined, options.warn);
  return await startParts(chains, { instance, seed: options.seed ?? instance, clock, svmNode });
}

type Keeping = { clock: () => number; failing: Failure };

/** Starts a sandbox that continues the state of a directory. If that cannot be done, it starts a new instance. */
async function startKept(options: ServerOptions, stateDir: string, keeping: Keeping): Promise<Running> {
  const found = stateFolder.read(stateDir);
  if (found === undefined || stateFolder.isLost(found))
    return await startAnew(options, stateDir, { ...keeping, lost: found });
  try {
    const folder = stateFolder.folderOf(stateDir);
    const saved = (name: ChainName) => chainKeeper.read({ folder, name });
    const state = { alpha: saved('alpha'), beta: saved('beta') };
    const chains = await startChains.start({ ...options, state });
    return await startWith(chains, options, stateDir, { ...keeping, identity: found, isContinued: true });
  } catch (error) {
    const why = reasonOf(error);
    if (why === undefined) throw error;
    return await startAnew(options, stateDir, {
      ...keeping,
      lost: { instance: found.instance, atMs: keeping.clock(), why },
    });
  }
}

/** Why a state cannot be continued; undefined if the failure is not the state's. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof DamagedLogError) return 'is damaged';
  return error instanceof LostChainError ? `cannot be restored: ${error.message}` : undefined;
}

async function startAnew(
  options: ServerOptions,
  stateDir: string,
  { lost, ...keeping }: Keeping & { lost: stateFolder.Lost | undefined },
): Promise<Running> {
  const instance = newInstance();
  if (lost) options.warn?.(lostText(lost));
  const chains = await startChains.start(options);
  const identity = { version: stateFolder.version, instance, seed: options.seed ?? instance, lost, isStopped: false };
  return await startWith(chains, options, stateDir, { ...keeping, identity, isContinued: false });
}

/** What is told of a state that is gone. */
function lostText({ instance, why }: stateFolder.Lost): string {
  const whose = instance === null ? 'The saved state' : `The state of the instance ${instance}`;
  return (
    `${whose} ${why}. The sandbox starts anew, as another instance: ` +
    'the requests, balances and transactions of the old one are gone.'
  );
}

/** Starts the rest on chains that run, which it stops if that fails. */
async function startWith(
  chains: startChains.Chains,
  options: ServerOptions,
  stateDir: string,
  { clock, failing, identity, isContinued }: Keeping & { identity: stateFolder.Identity; isContinued: boolean },
): Promise<Running> {
  const { instance, seed, lost } = identity;
  const keepers: chainKeeper.ChainKeeper[] = [];
  const abandon = async (): Promise<void> => {
    await Promise.all(keepers.map((keeper) => keeper.abandon()));
  };
  try {
    if (!isContinued) stateFolder.begin(stateDir, identity);
    const logs = {
      ledger: frameLog.open(stateFolder.logFile(stateDir, 'ledger'), failing.report),
      venue: frameLog.open(stateFolder.logFile(stateDir, 'venue'), failing.report),
    };
    const svmLog = frameLog.open(stateFolder.logFile(stateDir, 'svm'), failing.report);
    if (isContinued && identity.isStopped) assertWhole({ ...logs, svm: svmLog }, identity.logBytes);
    const svmNode = startSvm(clock, svmLog, options.warn);
    const folder = stateFolder.folderOf(stateDir);
    const files = { folder, replace: atomicWrite.replace, onFailure: failing.report };
    const keeperOf = async (name: ChainName) => {
      const keeper = await chainKeeper.create(chains[name].rpcUrl, { ...files, name, isContinued });
      keepers.push(keeper);
      return keeper;
    };
    // One after the other: none is made once the other has failed.
    const alpha = await keeperOf('alpha');
    const beta = await keeperOf('beta');
    stateFolder.write(stateDir, { ...identity, isStopped: false });
    const running = await startParts(chains, {
      ...{ instance, seed: options.seed ?? seed, clock, logs, svmNode },
      keepers: { alpha, beta },
    });
    return {
      ...running,
      lost,
      abandon,
      async keep() {
        await Promise.all(keepers.map((keeper) => keeper.stop()));
        const { ledger } = running.service;
        if (ledger.isWasteful()) logs.ledger = shorten(stateDir, logs.ledger, { ledger, failing });
        const logBytes = { ledger: logs.ledger.size(), venue: logs.venue.size(), svm: svmLog.size() };
        logs.ledger.close();
        logs.venue.close();
        svmLog.close();
        stateFolder.write(stateDir, { ...identity, isStopped: true, logBytes });
      },
    };
  } catch (error) {
    await abandon();
    await chains.stop();
    throw error;
  }
}

/** Replaces the log of a ledger by one without what nothing needs any more. */
function shorten(
  stateDir: string,
  log: frameLog.FrameLog,
  { ledger, failing }: { ledger: Ledger; failing: Failure },
): frameLog.FrameLog {
  const path = stateFolder.logFile(stateDir, 'ledger');
  const draft = `${path}.draft`;
  rmSync(draft, { force: true });
  const shorter = frameLog.open(draft, failing.report);
  ledger.copyTo(shorter);
  shorter.close();
  log.close();
  renameSync(draft, path);
  return frameLog.open(path, failing.report);
}

/** Holds the logs to what they were at the last stop. @throws LostChainError */
function assertWhole(
  logs: Readonly<Record<stateFolder.LogName, frameLog.FrameLog>>,
  bytes: stateFolder.Identity['logBytes'],
): void {
  for (const [name, least] of Object.entries(bytes ?? {}) as [stateFolder.LogName, number][])
    if (logs[name].size() < least) throw new LostChainError(`the end of ${name}.log is missing`);
}

function newInstance(): string {
  return randomBytes(8).toString('hex');
}

type Startup = Pick<InstanceOptions, 'instance' | 'seed' | 'logs'> & {
  clock: () => number;
  svmNode: SvmNode | undefined;
  keepers?: Readonly<Record<ChainName, chainKeeper.ChainKeeper>> | undefined;
};

/** Starts what stands on chains that run, which it stops if that fails. */
async function startParts(both: startChains.Chains, { keepers, svmNode, ...identity }: Startup) {
  const { instance } = identity;
  const open: { close(): Promise<void> }[] = [];
  try {
    const gateOf = async (name: ChainName): Promise<ChainServer> => {
      const gate = await serveChain({ rpcUrl: both[name].rpcUrl, instance, keeper: keepers?.[name] });
      open.push(gate);
      return gate;
    };
    const alpha = await gateOf('alpha');
    const beta = await gateOf('beta');
    const gates = { alpha, beta };
    const nodes = chainNames.map((name) => {
      return { ...both[name], publicUrl: gates[name].url, keeper: keepers?.[name] };
    });
    const svm = svmNode && (await serveSvm(svmNode));
    if (svm) open.push(svm);
    const service = await createSandbox({ ...identity, chains: nodes, svm: svmNode, svmUrl: svm?.url });
    return {
      instance,
      /** Why the instance before this one is gone. */
      lost: undefined as stateFolder.Lost | undefined,
      chains: both,
      /** In front of the nodes. The service itself talks to the nodes directly. */
      gates,
      /** The port of the chain of Solana's kind; undefined if its virtual machine is not installed. */
      svm,
      service,
      /** Writes what is not on disk yet, once nothing changes any more. */
      keep: async (): Promise<void> => {},
      /** Ends what still writes. Without it, the process would go on. */
      abandon: async (): Promise<void> => {},
    };
  } catch (error) {
    await Promise.all(open.map((gate) => gate.close()));
    await both.stop();
    throw error;
  }
}

/** The chain of Solana's kind, as its log has it; undefined if its virtual machine is not installed. @throws DamagedLogError */
function startSvm(
  clock: () => number,
  log: frameLog.FrameLog | undefined,
  warn: ServerOptions['warn'],
): SvmNode | undefined {
  const libraries = load();
  if (!libraries) warn?.(`The sandbox starts without the chain ${svmDescription.slug}: ${noSvm}.`);
  return libraries && createSvmNode(libraries, { clock, log });
}

async function stopParts({ chains, gates, svm, service, abandon }: Running): Promise<void> {
  await Promise.all([...chainNames.map((name) => gates[name].close()), svm?.close(), service.stop()]);
  await abandon();
  await chains.stop();
}

function serverOf(fetch: Sandbox['fetch']): Server {
  // Leave the global Request and Response alone for other code in this process.
  return createAdaptorServer({ fetch, overrideGlobalObjects: false }) as Server;
}

/** Waits for the signal or for idleness. @throws sandbox.start if a chain exits on its own */
async function untilStopped(
  { chains, gates, svm, service }: Running,
  { clock, signal, idleMs, failing }: { clock: () => number; signal: AbortSignal; idleMs: number; failing: Failure },
): Promise<void> {
  const exited = new AbortController();
  void chains.ended.then(() => exited.abort(new ChainEndedError()));
  const stopped = AbortSignal.any([signal, failing.signal, exited.signal]);
  let lastUseMs = clock();
  let lastActivity = '';
  while (!stopped.aborted) {
    const pause = idleMs > 0 ? Math.min(idleCheckMs.most, Math.max(idleCheckMs.least, idleMs / 4)) : 2 ** 30;
    await delay(pause, undefined, { signal: stopped }).catch(() => {});
    if (stopped.aborted || idleMs <= 0) continue;
    // A new block without a request to the service means that an application is using a chain directly. The service's
    // clock may differ from this one, so it only indicates that something changed.
    const activity = `${await blockNumbers(chains)} ${service.idleSince()} ${svm?.calls()}`;
    const isBusy = service.isBusy() || chainNames.some((name) => gates[name].isBusy());
    if (activity !== lastActivity || isBusy) {
      lastActivity = activity;
      lastUseMs = clock();
    }
    if (clock() - lastUseMs >= idleMs) break;
  }
  failing.signal.throwIfAborted();
  if (!signal.aborted) exited.signal.throwIfAborted();
}

async function blockNumbers(chains: startChains.Chains): Promise<string> {
  const both = await Promise.allSettled(chainNames.map((name) => nodeRpc.call(chains[name].rpcUrl, 'eth_blockNumber')));
  return both.map((height) => (height.status === 'fulfilled' ? String(height.value) : '?')).join(' ');
}

class ChainEndedError extends BaseError {
  override name = 'ChainEndedError';
  constructor() {
    super('sandbox.start', 'A chain of the sandbox exited unexpectedly.', {
      hint: 'The next start restores what it was, or says what is missing.',
      next: 'ferry sandbox start',
    });
  }
}
