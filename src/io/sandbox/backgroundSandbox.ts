/** The sandbox as a process in the background: found, started once however many ask at once, stopped, thrown away. */

import type { ChildProcess } from 'node:child_process';
import { closeSync, rmdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BaseError } from '../../core/base/Errors.js';
import type { SandboxInstance, SandboxProcess } from '../../core/ports/SandboxProcess.js';
import * as fileLock from '../state/fileLock.js';
import { type SandboxPaths, sandboxPaths } from '../state/paths.js';
import * as processes from '../state/processes.js';
import type { Host, RunOptions } from '../terminal/host.js';
import * as files from './sandboxFiles.js';
import { find, HeldLockError, isOwn, read, sweep, toInstance, type Wishes } from './sandboxRecord.js';

/** Without a request for that long, and with no order on its way, the sandbox ends. */
const defaultIdleMs = 15 * 60_000;
/** From the start of the process to its first answer; far more than a loaded machine needs. */
const startTimeoutMs = 60_000;
/** From the crash of a process that starts to the words of the one that started it. */
const reportMs = 300;
/** From the signal to the end of the process: it waits for fills under way and writes its state. */
const stopTimeoutMs = 20_000;

/** The sandbox of this host's state directory. `warn` is told what a start finds out on the way. */
export function createSandboxProcess(host: Host, warn: (text: string) => void = () => {}): SandboxProcess {
  const paths = sandboxPaths(host);
  return {
    folder: paths.folder,
    find: async () => find(paths),
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
 * Starts it in the background, or waits for another process that is about to.
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
    if (failure && failure.at >= since) throw new ReportedError(failure);
  };
  let reportDueMs = 0;
  while (!files.writing(paths.lock, () => fileLock.tryAcquire(paths.lock))) {
    await delay(15);
    host.signal.throwIfAborted();
    const running = find(paths, wishes);
    if (running) return running;
    failed();
    // The server that was waited for has crashed; whoever started it is about to say why.
    reportDueMs = fileLock.isAbandoned(paths.lock) ? reportMs : 0;
    if (host.now() - since > 2 * startTimeoutMs) throw new HeldLockError(paths, fileLock.holder(paths.lock));
  }
  let server: Server;
  try {
    const running = find(paths, wishes);
    if (running) return running;
    for (; reportDueMs > 0; reportDueMs -= 15) {
      await delay(15);
      failed();
    }
    sweep(paths, warn);
    files.remove(paths.failure);
    server = await launch(paths, host, wishes);
  } finally {
    fileLock.release(paths.lock);
  }
  return await untilReady(server, paths, host);
}

type Server = {
  child: ChildProcess;
  /** How it ended, once it has. */
  ended(): string | undefined;
};

/** Starts the process and makes it the holder of the lock, which thus stays held if this process ends first. */
async function launch(paths: SandboxPaths, host: Host, wishes: Wishes): Promise<Server> {
  const { spawn } = await import('node:child_process');
  const [command, ...script] = host.self;
  const args = [...script, 'sandbox', 'start', '--foreground'];
  if (wishes.port !== undefined) args.push('--port', String(wishes.port));
  if (wishes.idleMs !== undefined) args.push('--idle', String(wishes.idleMs / 60_000));
  const log = files.openLog(paths);
  let ended: string | undefined;
  const child = spawn(command, args, {
    // A session and a directory of its own: it outlives the terminal and reads no project file.
    detached: true,
    cwd: paths.folder,
    env: environmentOfServer(host, paths),
    stdio: ['ignore', log, log],
  })
    .once('error', (error) => {
      ended = error.message;
    })
    .once('exit', (code, signal) => {
      ended = signal ? `ended by ${signal}` : `exit code ${code}`;
    });
  closeSync(log);
  const identity = child.pid === undefined ? undefined : processes.identify(child.pid);
  if (identity) files.writing(paths.lock, () => fileLock.handOver(paths.lock, identity));
  return { child, ended: () => ended };
}

/** Waits until the process has written down that it is ready. @throws why it ended instead */
async function untilReady({ child, ended }: Server, paths: SandboxPaths, host: Host): Promise<SandboxInstance> {
  const deadline = host.now() + startTimeoutMs;
  try {
    for (;;) {
      const running = find(paths);
      if (running) return running;
      const end = ended();
      if (end !== undefined) throw new ReportedError(files.readFailure(paths) ?? report(paths, end, host.now()));
      if (host.now() > deadline) {
        // The whole session: a process that hangs may have started others.
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
        throw new ReportedError(report(paths, `not ready after ${startTimeoutMs / 1000} seconds`, host.now()));
      }
      host.signal.throwIfAborted();
      await delay(10);
    }
  } finally {
    child.unref();
    // A process that crashed has left the lock behind.
    if (ended() !== undefined && fileLock.tryAcquire(paths.lock)) fileLock.release(paths.lock);
  }
}

/**
 * Signals it and waits until it and its chains are gone.
 *
 * @throws config.unwritable where it could not save its state · sandbox.start where it does not end
 */
async function stop(paths: SandboxPaths, host: Host): Promise<SandboxInstance | undefined> {
  const since = host.now();
  // One that is just starting or ending is waited for.
  while (fileLock.isHeld(paths.lock) && !find(paths)) {
    if (host.now() - since > startTimeoutMs) throw new HeldLockError(paths, fileLock.holder(paths.lock));
    await delay(15);
    host.signal.throwIfAborted();
  }
  const running = read(paths);
  if (!running) return undefined;
  const wasAlive = processes.isAlive(running);
  processes.signal([running], 'SIGTERM');
  if (!(await processes.gone([running], stopTimeoutMs))) processes.signal([running], 'SIGKILL');
  processes.signal(running.children, 'SIGKILL');
  if (!(await processes.gone([running, ...running.children], stopTimeoutMs))) throw new StillRunningError(running);
  if (isOwn(paths, running)) files.remove(paths.running);
  const failure = files.readFailure(paths);
  if (wasAlive && failure && failure.at >= since) throw new ReportedError(failure);
  return wasAlive ? toInstance(running) : undefined;
}

/** The instance that the next start takes up. */
async function savedInstance(paths: SandboxPaths): Promise<string | undefined> {
  const { read: readState } = await import('../../sandbox/ledger/savedState.js');
  const saved = readState(paths.stateDir);
  return typeof saved === 'object' ? saved.instance : undefined;
}

async function reset(paths: SandboxPaths, host: Host): Promise<SandboxInstance | undefined> {
  let stopped = await stop(paths, host);
  files.makeFolder(paths);
  for (;;) {
    await fileLock.acquire(paths.lock, host.signal);
    try {
      if (!find(paths)) {
        const { stateFile } = await import('../../sandbox/ledger/savedState.js');
        files.remove(stateFile(paths.stateDir), paths.log, paths.failure, paths.running);
        break;
      }
    } finally {
      fileLock.release(paths.lock);
    }
    // Somebody started it again in between.
    stopped = (await stop(paths, host)) ?? stopped;
  }
  try {
    rmdirSync(paths.folder);
  } catch {
    // Somebody is starting it again.
  }
  return stopped;
}

/** Runs a command on it, without any of ferry's own settings but where the sandbox is. */
async function execute([command = '', ...args]: readonly string[], host: Host, how: RunOptions): Promise<number> {
  try {
    return await host.run(command, args, how);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'EACCES') throw new UnknownCommandError(command, error);
    throw error;
  }
}

/**
 * What a command under `sandbox exec` inherits: of `FERRY_*`, which may hold a key, a password or the settings of another
 * network, only where files are and how output looks; everything else as it is.
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
  return {
    ...Object.fromEntries(inherited),
    ...Object.fromEntries(rpcUrls),
    ETH_RPC_URL: Object.values(instance.rpcUrls)[0],
    FERRY_NETWORK: 'sandbox',
    FERRY_SANDBOX_URL: instance.baseUrl,
    FERRY_STATE_DIR: paths.stateDir,
    FERRY_SANDBOX_VENUE_URL: instance.venueUrl,
  };
}

/** What the server inherits: where to find programs and files, and nothing that could be a secret. */
function environmentOfServer({ env, cwd }: Host, { stateDir }: SandboxPaths): Record<string, string | undefined> {
  const wanted = Object.entries(env).filter(([name]) => /^(PATH|HOME|TMPDIR|LANG|LC_[A-Z]+|XDG_[A-Z_]+)$/.test(name));
  return {
    ...Object.fromEntries(wanted),
    // Absolute, because the server runs in another directory.
    ...(env.FERRY_ANVIL ? { FERRY_ANVIL: resolve(cwd, env.FERRY_ANVIL) } : {}),
    FERRY_STATE_DIR: stateDir,
  };
}

/** The failure of a process that could not report it itself, written down for others who wait. */
function report(paths: SandboxPaths, ended: string, at: number): files.Failure {
  const lines = files.lastLines(paths, 12);
  const failure: files.Failure = {
    at,
    code: 'sandbox.start',
    message: 'The sandbox did not start.',
    facts: [['ended', ended], ['log', paths.log], ...(lines ? ([['last lines', lines]] as const) : [])],
  };
  files.writeFailure(paths, failure);
  return failure;
}

/** What the server's process wrote down before it ended. */
export class ReportedError extends BaseError {
  override name = 'ReportedError';
  constructor({ code, message, facts, hint, next }: files.Failure) {
    super(code, message, { facts, hint, next });
  }
}

class StillRunningError extends BaseError {
  override name = 'StillRunningError';
  constructor(running: SandboxInstance) {
    super('sandbox.start', `The sandbox does not end: process ${running.pid} is still there.`, {
      hint: 'It may belong to another user.',
    });
  }
}

class UnknownCommandError extends BaseError {
  override name = 'UnknownCommandError';
  constructor(command: string, cause: unknown) {
    super('usage.invalid', `The command "${command}" cannot be run.`, {
      facts: [['cause', (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'not found' : 'not executable']],
      cause,
    });
  }
}
