/** Runs the sandbox in this process, which writes `running.json` when it is ready and removes it before it exits. */

import { BaseError } from '../../core/base/Errors.js';
import * as Secp256k1 from '../../core/base/Secp256k1.js';
import type { SandboxInstance } from '../../core/ports/SandboxProcess.js';
import * as fileLock from '../locks/fileLock.js';
import * as processes from '../locks/processes.js';
import type { SandboxPaths } from '../state/paths.js';
import type { Host } from '../terminal/host.js';
import * as files from './sandboxFiles.js';
import {
  alreadyRunningError,
  heldLockError,
  isOwn,
  type Running,
  read,
  sweep,
  toInstance,
  write,
} from './sandboxRecord.js';

/** How often the process checks that `running.json` still names it. */
const watchMs = 2_000;
/** How long the shutdown waits for the lock. A holder sees this sandbox running and releases the lock at once. */
const endTimeoutMs = 10_000;

/**
 * Runs the sandbox in this process until the host's signal or the idle timeout ends it; one per state directory.
 *
 * @throws sandbox.no-anvil · sandbox.start · config.unwritable
 */
export async function serve(
  paths: SandboxPaths,
  host: Host,
  options: {
    port?: number | undefined;
    idleMs: number;
    onReady?: ((instance: SandboxInstance) => void) | undefined;
  },
  warn: (text: string) => void,
): Promise<void> {
  files.makeFolder(paths);
  await takeTurn(paths, host.signal);
  const end = new AbortController();
  const signal = AbortSignal.any([host.signal, end.signal]);
  const own = processes.self();
  let watch: NodeJS.Timeout | undefined;
  try {
    sweep(paths, warn);
    const [server] = await Promise.all([import('../../sandbox/service/server.js'), Secp256k1.prepare()]);
    await server.serve({
      stateDir: paths.stateDir,
      anvilPath: host.env.FERRY_ANVIL,
      searchPath: host.env.PATH,
      port: options.port,
      idleMs: options.idleMs,
      clock: host.now,
      signal,
      warn,
      onReady: ({ instance, lost = null, baseUrl, venueUrl, rpcUrls, chains }) => {
        const running: Running = {
          ...own,
          instance,
          lost,
          baseUrl,
          venueUrl,
          rpcUrls,
          startedAt: host.now(),
          idleMs: options.idleMs,
          children: [chains.alpha, chains.beta].flatMap(({ pid }) => processes.identify(pid) ?? []),
        };
        write(paths, running);
        files.remove(paths.failure);
        fileLock.release(paths.lock);
        watch = setInterval(() => {
          files.trimLog(paths);
          if (!isOwn(paths, own)) end.abort();
        }, watchMs);
        options.onReady?.(toInstance(running));
      },
      onStopping: async () => {
        clearInterval(watch);
        return await takeBack(paths, own);
      },
    });
  } catch (error) {
    files.writeFailure(paths, toFailure(error, paths, host.now()));
    throw error;
  } finally {
    clearInterval(watch);
    if (isOwn(paths, own)) files.remove(paths.running);
    fileLock.release(paths.lock);
  }
}

/** Waits for the lock. @throws sandbox.start if another sandbox is running */
async function takeTurn(paths: SandboxPaths, signal: AbortSignal): Promise<void> {
  const timeout = AbortSignal.timeout(endTimeoutMs);
  try {
    await fileLock.acquire(paths.lock, AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (timeout.aborted && !signal.aborted) throw await heldLockError(paths);
    signal.throwIfAborted();
    throw files.unwritableStateError(paths.lock, error);
  }
  const running = read(paths);
  if (!running || !processes.isAlive(running)) return;
  fileLock.release(paths.lock);
  throw alreadyRunningError(running, 'Each state directory has one sandbox.');
}

/**
 * Takes the lock, which prevents another start until the state is saved, and removes `running.json`, which hides this
 * sandbox. If the state directory is gone or belongs to another sandbox, nothing is written any more.
 */
async function takeBack(paths: SandboxPaths, own: processes.Identity): Promise<'save' | 'discard'> {
  if (!isOwn(paths, own)) return 'discard';
  try {
    await fileLock.acquire(paths.lock, AbortSignal.timeout(endTimeoutMs));
  } catch {
    return 'discard';
  }
  if (!isOwn(paths, own)) return 'discard';
  files.remove(paths.running);
  return 'save';
}

function toFailure(error: unknown, paths: SandboxPaths, at: number): files.Failure {
  if (error instanceof BaseError) {
    const { code, message, facts, hint, next } = error;
    return { at, code, message, facts, hint, next };
  }
  const cause = error instanceof Error ? error.message : String(error);
  return {
    at,
    code: 'sandbox.start',
    message: 'The sandbox did not start.',
    facts: [
      ['reason', cause],
      ['log', paths.log],
    ],
  };
}
