/** A process of the program, as those see it whom it asks: what it waits for, and how it ends. */

import { setMaxListeners } from 'node:events';
import { BaseError } from '../../src/core/base/Errors.js';
import type { Clock } from '../../src/core/ports/Ports.js';
import type { Kernel } from './kernel.js';
import type { Trouble } from './trouble.js';

export type Client = {
  name: string;
  clock: Clock;
  signal: AbortSignal;
  isDead(): boolean;
  /** Asks somebody else. What they do happens halfway; whatever they return or throw comes back then. */
  ask<T>(roundTripMs: number, act: () => T | Promise<T>): Promise<T>;
  /** The same of this machine, which no interruption stops. */
  askHere<T>(afterMs: number, act: () => T): Promise<T>;
  /** Ends the process at once: nothing that it waits for comes any more. */
  kill(): void;
  /** Resolves once it is killed. */
  killed: Promise<void>;
};

export type Surroundings = { kernel: Kernel; trouble: Trouble; skewMs: number };

export function create(name: string, { kernel, trouble, skewMs }: Surroundings): Client {
  const interrupt = new AbortController();
  const { signal } = interrupt;
  let isDead = false;
  let die = (): void => {};
  const killed = new Promise<void>((resolve) => {
    die = resolve;
  });
  const kill = (): void => {
    if (isDead) return;
    isDead = true;
    kernel.note(name, () => 'dies');
    die();
  };
  /** Lets the process go on, unless it ends at this very moment. */
  const wake = (go: () => void): void => {
    if (isDead) return;
    const fault = trouble.at(name, 'step');
    if (fault?.what === 'dies') {
      kill();
      return;
    }
    if (fault?.what === 'freezes') {
      kernel.after(fault.size ?? 0, () => wake(go));
      return;
    }
    if (fault?.what === 'is interrupted') interrupt.abort(new BaseError('run.stopped', 'Stopped by SIGINT.'));
    go();
  };
  // Those who sleep in the program listen too.
  setMaxListeners(0, signal);
  const waiting = new Set<(reason: unknown) => void>();
  signal.addEventListener('abort', () => {
    for (const reject of waiting) reject(signal.reason);
    waiting.clear();
  });
  /** Rejects at once when the process is interrupted. */
  const interruptible = <T>(begin: (resolve: (value: T) => void, reject: (error: unknown) => void) => void) =>
    new Promise<T>((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      waiting.add(reject);
      const ended = (go: () => void): void => {
        waiting.delete(reject);
        wake(go);
      };
      begin(
        (value) => ended(() => resolve(value)),
        (error) => ended(() => reject(error)),
      );
    });
  return {
    name,
    signal,
    killed,
    kill,
    isDead: () => isDead,
    clock: {
      now: () => kernel.now() + skewMs,
      sleep: (ms, until) =>
        until
          ? interruptible((resolve) => kernel.after(ms, () => resolve(undefined)))
          : new Promise((resolve) => kernel.after(ms, () => wake(resolve))),
    },
    ask: (roundTripMs, act) =>
      interruptible((resolve, reject) => {
        const back = (go: () => void): void => kernel.after(roundTripMs / 2, go);
        kernel.after(roundTripMs / 2, () => {
          attempt(act).then(
            (value) => back(() => resolve(value)),
            (error: unknown) => back(() => reject(error)),
          );
        });
      }),
    askHere: (afterMs, act) =>
      new Promise((resolve, reject) => {
        kernel.after(afterMs, () => {
          if (isDead) return;
          attempt(act).then(
            (value) => wake(() => resolve(value)),
            (error: unknown) => wake(() => reject(error)),
          );
        });
      }),
  };
}

async function attempt<T>(act: () => T | Promise<T>): Promise<T> {
  return await act();
}
