/** The record of the running sandbox: a file with its process and its URLs. */

import { BaseError } from '../../core/base/Errors.js';
import * as Url from '../../core/base/Url.js';
import type { SandboxInstance } from '../../core/ports/SandboxProcess.js';
import type { Fetch } from '../http/httpClient.js';
import * as fileLock from '../locks/fileLock.js';
import * as processes from '../locks/processes.js';
import type { SandboxPaths } from '../state/paths.js';
import * as files from './sandboxFiles.js';

export type Running = SandboxInstance &
  processes.Identity & {
    /** The chains' processes, which must not outlive the sandbox. */
    children: readonly processes.Identity[];
    /** 0 if it never stops on its own. */
    idleMs: number;
  };

/** Options of a start, which may conflict with a running sandbox. */
export type Wishes = { port?: number | undefined; idleMs?: number | undefined };

/** Whether it responds shows only on connecting. @throws sandbox.start if it runs with other options than requested */
export function find(paths: SandboxPaths, wishes: Wishes = {}): SandboxInstance | undefined {
  const running = read(paths);
  if (!running || !processes.isAlive(running)) return undefined;
  const port = Number(new URL(running.baseUrl).port);
  if (wishes.port !== undefined && wishes.port !== 0 && wishes.port !== port)
    throw alreadyRunningError(running, `It listens on port ${port}.`);
  if (wishes.idleMs !== undefined && wishes.idleMs !== running.idleMs)
    throw alreadyRunningError(running, `It ${stopsAfter(running.idleMs)}.`);
  return toInstance(running);
}

/** The instance of the sandbox at a base URL; undefined if there is none. */
export async function instanceAt(baseUrl: string, fetch: Fetch): Promise<string | undefined> {
  try {
    const { href } = Url.join(baseUrl, '/sandbox/instance');
    // A process that took a lost answer for `none` would count nonces by itself, and the others would refuse them as
    // foreign.
    const answer = await fetch(href).catch(() => fetch(href));
    const { instance } = JSON.parse(await answer.text()) as { instance?: unknown };
    return typeof instance === 'string' ? instance : undefined;
  } catch {
    return undefined;
  }
}

export function read({ running }: SandboxPaths): Running | undefined {
  const value = files.readJson<Running>(running) ?? {};
  if (
    ![value.baseUrl, value.venueUrl, ...Object.values(value.rpcUrls ?? [undefined])].every(
      (url) => typeof url === 'string' && URL.canParse(url),
    ) ||
    typeof value.instance !== 'string' ||
    typeof value.startedAt !== 'number' ||
    typeof value.idleMs !== 'number' ||
    !Array.isArray(value.children) ||
    !value.children.every(processes.isIdentity) ||
    !processes.isIdentity(value)
  )
    return undefined;
  return value as Running;
}

/** @throws config.unwritable */
export function write({ running }: SandboxPaths, value: Running): void {
  files.writeWhole(running, `${JSON.stringify(value, null, 2)}\n`);
}

export function isOwn(paths: SandboxPaths, own: processes.Identity): boolean {
  const running = read(paths);
  return running !== undefined && processes.isSame(running, own);
}

/** Says how the last sandbox ended if it failed, kills the processes it left behind and deletes its record. */
export function sweep(paths: SandboxPaths, warn: (text: string) => void): void {
  const failure = files.lastFailure(paths);
  if (failure) warn(`The last sandbox ended with an error: ${failure.message}`);
  const left = read(paths);
  if (!left) return;
  processes.signal(left.children, 'SIGKILL');
  files.remove(paths.running);
  warn('The last sandbox did not stop in order. The start restores what it wrote as it ran, or says what is lost.');
}

export function toInstance(running: SandboxInstance): SandboxInstance {
  const { instance, lost = null, pid, baseUrl, venueUrl, rpcUrls, startedAt } = running;
  return { instance, lost, pid, baseUrl, venueUrl, rpcUrls, startedAt };
}

function stopsAfter(idleMs: number): string {
  return idleMs === 0 ? 'never stops on its own' : `stops after ${idleMs / 60_000} idle minutes`;
}

export function alreadyRunningError(running: SandboxInstance, how: string): BaseError {
  return new BaseError('sandbox.start', 'A sandbox is already running.', {
    facts: [
      ['url', running.baseUrl],
      ['process', String(running.pid)],
    ],
    hint: `${how} Stop it first. Its state is kept.`,
    next: 'ferry sandbox stop',
    retryable: false,
  });
}

export async function heldLockError({ lock }: SandboxPaths): Promise<BaseError> {
  const holder = await fileLock.holder(lock);
  return new BaseError('sandbox.start', 'Another process has been starting or stopping the sandbox for too long.', {
    facts: [['lock', lock], ...(holder ? ([['process', fileLock.formatHolder(holder)]] as const) : [])],
    hint: 'End that process, then try again.',
  });
}
