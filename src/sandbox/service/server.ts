/**
 * Runs the whole sandbox in one process: both chains, the service and the venue, until a signal or idleness ends it.
 */
import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createAdaptorServer } from '@hono/node-server';
import { BaseError } from '../../core/base/Errors.js';
import * as nodeRpc from '../chain/nodeRpc.js';
import * as startChains from '../chain/startChains.js';
import { type ChainServer, serveChain } from '../chainProxy/chainServer.js';
import { close, listen, urlOf } from '../http/httpServer.js';
import * as savedState from '../ledger/savedState.js';
import type { ChainName } from '../values/deployment.js';
import { createSandbox, type Sandbox } from './service.js';

export type Options = {
  /** Directory for the state between runs; if absent, nothing is saved. */
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
  /** Shuts the sandbox down. */
  signal: AbortSignal;
  /** Path of the anvil executable that the user configured. */
  anvilPath?: string | undefined;
  /** PATH, searched for anvil. */
  searchPath?: string | undefined;
  /** Genesis timestamp of the chains in Unix seconds; defaults to the current time. */
  genesisTimestamp?: number | undefined;
  /** Called with the reason if a saved state cannot be used. */
  warn?: ((text: string) => void) | undefined;
  /** Called once everything accepts requests. */
  onReady(ready: Ready): void;
  /** Called once before shutdown; decides whether to save the state. */
  onStopping?: (() => Promise<'save' | 'discard'>) | undefined;
};

export type Ready = {
  /** Instance id: saved with the state, changed by a reset. */
  instance: string;
  baseUrl: string;
  /** URL of the venue's API. */
  venueUrl: string;
  /** RPC URL by chain name: the gate in front of each node, where chain faults are injected. */
  rpcUrls: Readonly<Record<ChainName, string>>;
  chains: startChains.Chains;
  /** Pids of the anvil processes. */
  chainPids: readonly number[];
  /** Calls the service in process. */
  fetch: Sandbox['fetch'];
  /** The venue, in process. */
  venue: Sandbox['venue'];
};

/** Time allowed for in-flight fills at shutdown. */
const serviceEndMs = 8_000;
/** Bounds of the idle check interval. */
const idleCheckMs = { least: 20, most: 5_000 };

/**
 * Runs a sandbox. Resolves once it has shut down, saved its state and ended its processes.
 *
 * @throws sandbox.no-anvil · sandbox.start · config.unwritable if the state cannot be saved · the signal's reason if it
 * aborts before the sandbox is ready
 */
export async function serve(options: Options): Promise<void> {
  const { signal, clock = Date.now, stateDir } = options;
  signal.throwIfAborted();
  const saved = restore(options);
  const instance = saved?.instance ?? randomBytes(8).toString('hex');
  const seed = options.seed ?? saved?.seed ?? instance;

  const starting = startParts(options, { saved, instance, seed, clock });
  starting.catch(() => {});
  const server = serverOf(async (request, env) => (await starting).service.fetch(request, env));
  const venueServer = serverOf(async (request, env) => (await starting).service.venue.fetch(request, env));
  server.on('upgrade', (incoming, socket, head) => {
    starting.then(
      ({ service }) => service.upgrade(incoming, socket, head),
      () => socket.destroy(),
    );
  });
  const [listening, venueListening, started] = await Promise.allSettled([
    listen(server, options.port ?? 0),
    listen(venueServer, options.venuePort ?? 0),
    starting,
  ]);
  const failed = [listening, venueListening, started].find(({ status }) => status === 'rejected');
  if (started.status === 'rejected' || failed?.status === 'rejected' || signal.aborted) {
    server.close();
    venueServer.close();
    if (started.status === 'fulfilled') await stopParts(started.value);
    throw failed?.status === 'rejected' ? failed.reason : signal.reason;
  }
  const running = started.value;

  let failure: unknown;
  try {
    options.onReady({
      instance,
      baseUrl: urlOf(server),
      venueUrl: urlOf(venueServer),
      rpcUrls: { alpha: running.gates.alpha.url, beta: running.gates.beta.url },
      chains: running.chains,
      chainPids: [running.chains.alpha.pid, running.chains.beta.pid],
      fetch: running.service.fetch,
      venue: running.service.venue,
    });
    await untilStopped(running, { clock, signal, idleMs: options.idleMs ?? 0 });
  } catch (error) {
    failure = error;
  }
  const verdict = (await options.onStopping?.()) ?? 'save';
  const { gates } = running;
  // The server waits for connections that were upgraded.
  await running.service.closeSockets();
  await Promise.all([close(server), close(venueServer), gates.alpha.close(), gates.beta.close()]);
  try {
    await withTimeout(serviceEndMs, running.service.stop());
    if (stateDir !== undefined && verdict === 'save' && failure === undefined)
      savedState.write(stateDir, {
        version: savedState.version,
        instance,
        seed,
        savedAt: clock(),
        chains: await running.chains.dump(),
        ledger: running.service.saved(),
        venue: running.service.venue.saved(),
      });
  } finally {
    await running.chains.stop();
  }
  if (failure !== undefined) throw failure;
}

type Running = {
  chains: startChains.Chains;
  /** The gates in front of the nodes. The service itself talks to the nodes directly. */
  gates: Readonly<Record<ChainName, ChainServer>>;
  service: Sandbox;
};

/** The state saved by an earlier run, if it can be used. */
function restore({ stateDir, warn }: Options): savedState.SavedState | undefined {
  const saved = stateDir === undefined ? undefined : savedState.read(stateDir);
  if (typeof saved !== 'string') return saved;
  warn?.(`The sandbox starts empty: its saved state is ${saved}.`);
  return undefined;
}

async function startParts(
  { anvilPath, searchPath, genesisTimestamp }: Options,
  from: { saved: savedState.SavedState | undefined; instance: string; seed: string; clock: () => number },
): Promise<Running> {
  const { saved, ...identity } = from;
  const both = await startChains
    .start({ anvilPath, searchPath, genesisTimestamp, state: saved?.chains })
    .catch((error: unknown) => {
      throw saved && error instanceof BaseError && error.code === 'sandbox.start' ? new RestoreError(error) : error;
    });
  const { instance } = identity;
  const open: ChainServer[] = [];
  try {
    const alpha = await serveChain({ rpcUrl: both.alpha.rpcUrl, instance });
    open.push(alpha);
    const beta = await serveChain({ rpcUrl: both.beta.rpcUrl, instance });
    open.push(beta);
    const nodes = [
      { ...both.alpha, publicUrl: alpha.url },
      { ...both.beta, publicUrl: beta.url },
    ];
    const service = await createSandbox({ ...identity, chains: nodes, saved: saved?.ledger, savedVenue: saved?.venue });
    return { chains: both, gates: { alpha, beta }, service };
  } catch (error) {
    await Promise.all(open.map((gate) => gate.close()));
    await both.stop();
    throw error;
  }
}

async function stopParts({ chains, gates, service }: Running): Promise<void> {
  await Promise.all([gates.alpha.close(), gates.beta.close(), service.stop()]);
  await chains.stop();
}

function serverOf(fetch: Sandbox['fetch']): Server {
  // Leave the global Request and Response alone for other code in this process.
  return createAdaptorServer({ fetch, overrideGlobalObjects: false }) as Server;
}

/** Waits for the signal or for idleness. @throws sandbox.start if a chain exits on its own */
async function untilStopped(
  { chains, gates, service }: Running,
  { clock, signal, idleMs }: { clock: () => number; signal: AbortSignal; idleMs: number },
): Promise<void> {
  let hasChainExited = false;
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  void chains.ended.then(() => {
    hasChainExited = true;
    stop();
  });
  let lastUseMs = clock();
  let lastActivity = '';
  while (!stopped.signal.aborted) {
    const pause = idleMs > 0 ? Math.min(idleCheckMs.most, Math.max(idleCheckMs.least, idleMs / 4)) : 2 ** 30;
    await delay(pause, undefined, { signal: stopped.signal }).catch(() => {});
    if (stopped.signal.aborted || idleMs <= 0) continue;
    // A new block without a request to the service means that an application is using a chain directly. The service's
    // clock may differ from this one, so it only indicates that something changed.
    const activity = `${await blockNumbers(chains)} ${service.idleSince()}`;
    const isBusy = service.isBusy() || gates.alpha.isBusy() || gates.beta.isBusy();
    if (activity !== lastActivity || isBusy) {
      lastActivity = activity;
      lastUseMs = clock();
    }
    if (clock() - lastUseMs >= idleMs) break;
  }
  signal.removeEventListener('abort', stop);
  if (hasChainExited && !signal.aborted) throw new ChainEndedError();
}

async function blockNumbers({ alpha, beta }: startChains.Chains): Promise<string> {
  const both = await Promise.allSettled([alpha, beta].map(({ rpcUrl }) => nodeRpc.call(rpcUrl, 'eth_blockNumber')));
  return both.map((height) => (height.status === 'fulfilled' ? String(height.value) : '?')).join(' ');
}

/** Waits for a promise, at most for the given time. */
async function withTimeout(ms: number, something: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([something, delay(ms, undefined, { signal: timer.signal }).catch(() => {})]);
  timer.abort();
}

class RestoreError extends BaseError {
  override name = 'RestoreError';
  constructor(cause: BaseError) {
    super('sandbox.start', 'The sandbox could not be restored from its saved state.', {
      facts: cause.facts,
      hint: 'A reset discards that state.',
      next: 'ferry sandbox reset --yes',
      retryable: false,
      cause,
    });
  }
}

class ChainEndedError extends BaseError {
  override name = 'ChainEndedError';
  constructor() {
    super('sandbox.start', 'A chain of the sandbox exited unexpectedly.', {
      hint: 'Everything since the last start is lost; the next start restores the same saved state.',
    });
  }
}
