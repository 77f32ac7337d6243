/** Manages the sandbox as a background process: find, start exactly once under concurrency, stop, reset. */

import { closeSync, rmdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BaseError } from '../../core/base/Errors.js';
import * as Url from '../../core/base/Url.js';
import { network } from '../../core/network/sandbox.js';
import type { SandboxInstance, SandboxProcess, StoppedSandbox } from '../../core/ports/SandboxProcess.js';
import { attempt } from '../files/attempt.js';
import * as fileLock from '../locks/fileLock.js';
import * as processes from '../locks/processes.js';
import { type SandboxPaths, sandboxPaths } from '../state/paths.js';
import type { Host, RunOptions } from '../terminal/host.js';
import * as files from './sandboxFiles.js';
import { find, heldLockError, isOwn, read, sweep, toInstance, type Wishes } from './sandboxRecord.js';

/** The sandbox stops after this long without a request or an order in progress. */
const defaultIdleMs = 15 * 60_000;
/** Time limit from process start to readiness; far more than a loaded machine needs. */
const startTimeoutMs = 60_000;
/** How long to wait, after another process let go of the lock, for its report of a failure; more than a loaded machine needs. */
const reportMs = 2_000;
/** Time limit from the signal to the exit: the process waits for fills in progress and saves its state. */
const stopTimeoutMs = 20_000;

/** Creates the handle on the sandbox of this host's state directory. `warn` receives warnings of a start. */
export function createSandboxProcess(host: Host, warn: (text: string) => void = () => {}): SandboxProcess {
  const paths = sandboxPaths(host);
  return {
    folder: paths.folder,
    find: async () => find(paths),
    logPath: paths.log,
    log: (lines) => files.lastLines(paths.log, lines).split('\n').filter(Boolean),
    failure: async () => files.lastFailure(paths),
    instance: async () => find(paths)?.instance ?? (await savedInstance(paths)),
    ensure: async (options = {}) => find(paths, options) ?? (await start(paths, host, options, warn)),
    serve: async (options) => {
      const { serve } = await import('./sandboxServe.js');
      await serve(paths, host, { ...options, idleMs: options.idleMs ?? defaultIdleMs }, warn);
    },
    stop: () => stop(paths, host),
    reset: () => reset(paths, host),
    exec: async (command, stdout) => {
      const instance = find(paths) ?? (await start(paths, host, {}, warn));
      const env = environmentOfCommand(host.env, paths, instance);
      return await execute(command, host, { env, stdout });
    },
  };
}

/**
 * Starts the sandbox in the background, or waits for another process that is starting it.
 *
 * @throws sandbox.no-anvil · sandbox.start · config.unwritable · the host's signal's reason
 */
async function start(
  paths: SandboxPaths,
  host: Host,
  wishes: Wishes,
  warn: (text: string) => void,
): Promise<SandboxInstance> {
  const since = host.now();
  files.makeFolder(paths);
  const failed = (): void => {
    const failure = files.readFailure(paths);
    if (failure && failure.at >= since) throw reported(failure);
  };
  let reportDueMs = 0;
  while (!(await tryLock(paths))) {
    // The process that held the lock may have lost it when its server crashed, and may be about to report why.
    reportDueMs = reportMs;
    await delay(15);
    host.signal.throwIfAborted();
    const running = find(paths, wishes);
    if (running) return running;
    failed();
    if (host.now() - since > 2 * startTimeoutMs) throw await heldLockError(paths);
  }
  let server: Server;
  try {
    const running = find(paths, wishes);
    if (running) return running;
    for (; reportDueMs > 0; reportDueMs -= 15) {
      failed();
      await delay(15);
    }
    sweep(paths, warn);
    files.remove(paths.failure);
    server = await launch(paths, host, wishes);
  } finally {
    fileLock.release(paths.lock);
  }
  return await untilReady(server, paths, host);
}

/** @throws config.unwritable */
async function tryLock({ lock }: SandboxPaths): Promise<boolean> {
  try {
    return await fileLock.tryAcquire(lock);
  } catch (error) {
    throw files.unwritableStateError(lock, error);
  }
}

type Server = Awaited<ReturnType<typeof launch>>;

/** Starts the process and hands the lock over to it, so that the lock stays held if this process exits first. */
async function launch(paths: SandboxPaths, host: Host, wishes: Wishes) {
  const { spawn } = await import('node:child_process');
  const [command, ...script] = host.self;
  const args = [...script, 'sandbox', 'start', '--foreground'];
  if (wishes.port !== undefined) args.push('--port', String(wishes.port));
  if (wishes.idleMs !== undefined) args.push('--idle', String(wishes.idleMs / 60_000));
  const log = files.openLog(paths);
  let ended: string | undefined;
  const child = spawn(command, args, {
    // Its own session and directory: it outlives the terminal and reads no project file.
    detached: true,
    cwd: paths.folder,
    env: environmentOfServer(host, paths),
    stdio: ['ignore', log, log],
  })
    .once('error', (error) => {
      ended = error.message;
    })
    .once('exit', (code, signal) => {
      ended = signal ? bySignal(signal) : `exit code ${code}`;
    });
  const identity = child.pid === undefined ? undefined : processes.identify(child.pid);
  if (identity) files.writing(paths.lock, () => fileLock.handOver(paths.lock, identity));
  /** How the process ended, once it has. */
  return { child, log, ended: () => ended };
}

const bySignal = (signal: NodeJS.Signals): string => `killed by ${signal}`;

/** Waits until the process has recorded that it is ready. @throws the reason it ended instead */
async function untilReady({ child, log, ended }: Server, paths: SandboxPaths, host: Host): Promise<SandboxInstance> {
  const deadline = host.now() + startTimeoutMs;
  try {
    for (;;) {
      const running = find(paths);
      if (running) return running;
      const end = ended();
      if (end !== undefined) throw reported(files.readFailure(paths) ?? report(paths, log, end, host.now()));
      if (host.now() > deadline) {
        // Kills the whole session: a hanging process may have started others.
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
        throw reported(report(paths, log, `not ready within ${startTimeoutMs / 1000} seconds`, host.now()));
      }
      host.signal.throwIfAborted();
      await delay(10);
    }
  } finally {
    closeSync(log);
    child.unref();
    // A crashed process leaves the lock behind. On a full disk it stays for the next start, which finds nobody holding it.
    if (ended() !== undefined && (await fileLock.tryAcquire(paths.lock).catch(() => false)))
      fileLock.release(paths.lock);
  }
}

/**
 * Stops the sandbox and waits until its process and its chains are gone.
 *
 * @throws config.unwritable if it could not save its state · sandbox.start if it does not exit
 */
async function stop(paths: SandboxPaths, host: Host): Promise<StoppedSandbox | undefined> {
  const since = host.now();
  // Waits for one that is starting or stopping.
  while ((await fileLock.isHeld(paths.lock)) && !find(paths)) {
    if (host.now() - since > startTimeoutMs) throw await heldLockError(paths);
    await delay(15);
    host.signal.throwIfAborted();
  }
  const running = read(paths);
  if (!running) return undefined;
  const wasAlive = processes.isAlive(running);
  processes.signal([running], 'SIGTERM');
  const wasKilled = !(await processes.gone([running], stopTimeoutMs));
  if (wasKilled) processes.signal([running], 'SIGKILL');
  processes.signal(running.children, 'SIGKILL');
  if (!(await processes.gone([running, ...running.children], stopTimeoutMs)))
    throw new BaseError('sandbox.start', `The sandbox does not stop: process ${running.pid} is still running.`, {
      hint: 'It may belong to another user.',
    });
  if (isOwn(paths, running)) files.remove(paths.running);
  const failure = files.readFailure(paths);
  if (wasAlive && failure && failure.at >= since) throw reported(failure);
  return wasAlive ? { ...toInstance(running), wasKilled } : undefined;
}

/** The saved instance that the next start restores. */
async function savedInstance(paths: SandboxPaths): Promise<string | undefined> {
  const { read: readState, isLost } = await import('../../sandbox/service/stateFolder.js');
  const saved = readState(paths.stateDir);
  return saved && !isLost(saved) ? saved.instance : undefined;
}

async function reset(paths: SandboxPaths, host: Host): Promise<SandboxInstance | undefined> {
  let stopped: SandboxInstance | undefined = await stop(paths, host);
  files.makeFolder(paths);
  for (;;) {
    await fileLock.acquire(paths.lock, host.signal);
    try {
      if (!find(paths)) {
        const { remove } = await import('../../sandbox/service/stateFolder.js');
        remove(paths.stateDir);
        files.remove(paths.log, paths.failure, paths.running);
        break;
      }
    } finally {
      fileLock.release(paths.lock);
    }
    // Another process started it again in the meantime.
    stopped = (await stop(paths, host)) ?? stopped;
  }
  // Fails where another process is starting it again.
  attempt(() => rmdirSync(paths.folder));
  return stopped && { ...toInstance(stopped) };
}

async function execute([command = '', ...args]: readonly string[], host: Host, how: RunOptions): Promise<number> {
  try {
    return await host.run(command, args, how);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES')
      throw new BaseError('usage.invalid', `Cannot run the command "${command}".`, {
        facts: [['reason', code === 'ENOENT' ? 'not found' : 'not executable']],
        cause: error,
      });
    throw error;
  }
}

/**
 * The environment of a command under `sandbox exec`. Of `FERRY_*`, which may hold keys, passwords or another network's
 * settings, only folders and output preferences are kept. All other variables are inherited.
 */
export function environmentOfCommand(
  env: Host['env'],
  paths: Pick<SandboxPaths, 'stateDir'>,
  instance: SandboxInstance,
): Record<string, string | undefined> {
  const inherited = Object.entries(env).filter(
    ([name]) => !/^FERRY_/i.test(name) || /^FERRY_([A-Z]+_DIR|ANVIL|COLOR|QUIET)$/.test(name),
  );
  const rpcUrls = Object.entries(instance.rpcUrls).map(([chain, url]) => [`${chain.toUpperCase()}_RPC_URL`, url]);
  // Only the venue has no node.
  const running = network.chains.filter(({ name, vm }) => vm === 'lvm' || name in instance.rpcUrls);
  const chains = running.flatMap(({ name, id, native, tokens }) => [
    [`${name.toUpperCase()}_CHAIN_ID`, String(id)],
    ...[native, ...tokens].map(({ symbol, address }) => [`${name.toUpperCase()}_${symbol}`, address]),
  ]);
  return {
    ...Object.fromEntries(inherited),
    ...Object.fromEntries([...rpcUrls, ...chains]),
    ETH_RPC_URL: Object.values(instance.rpcUrls)[0],
    FERRY_NETWORK: 'sandbox',
    FERRY_SANDBOX_URL: instance.baseUrl,
    FERRY_STATE_DIR: paths.stateDir,
    FERRY_SANDBOX_VENUE_URL: instance.venueUrl,
    FERRY_SANDBOX_VENUE_CHAIN_ID: String(network.venue?.signingChainId),
    FERRY_SANDBOX_WS_URL: Url.webSocket(instance.baseUrl),
    FERRY_SANDBOX_API_KEY: network.apiKey,
    FERRY_SANDBOX_REFERRER: network.referrer,
  };
}

/** Environment of the server: where to find programs and files, and nothing that could be a secret. */
function environmentOfServer({ env, cwd }: Host, { stateDir }: SandboxPaths): Record<string, string | undefined> {
  const inherited = Object.entries(env).filter(([name]) =>
    /^(PATH|HOME|TMPDIR|LANG|LC_[A-Z]+|XDG_[A-Z_]+)$/.test(name),
  );
  return {
    ...Object.fromEntries(inherited),
    // Absolute, because the server runs in another directory.
    ...(env.FERRY_ANVIL ? { FERRY_ANVIL: resolve(cwd, env.FERRY_ANVIL) } : {}),
    FERRY_STATE_DIR: stateDir,
    ...steadyMemory,
  };
}

/**
 * Settings of glibc's allocator, which other systems ignore. By default it keeps the gaps that freed buffers leave, about
 * 150 bytes for each quote; like this, larger blocks go back to the system.
 */
const steadyMemory = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '131072' };

/**
 * Records the failure of a process that could not do so itself, for other waiting processes. Not that it was stopped, which
 * can be as soon as it is ready: whoever stopped it would take that for a failure of theirs.
 */
function report(paths: SandboxPaths, log: number, ended: string, at: number): files.Failure {
  const lines = files.lastLines(log, 12);
  const failure: files.Failure = {
    at,
    code: 'sandbox.start',
    message: 'The sandbox did not start.',
    facts: [['ended', ended], ['log', paths.log], ...(lines ? ([['last lines', lines]] as const) : [])],
  };
  if (ended !== bySignal('SIGTERM')) files.writeFailure(paths, failure);
  return failure;
}

function reported({ code, message, facts, hint, next }: files.Failure): BaseError {
  return new BaseError(code, message, { facts, hint, next });
}
