/** `ferry sandbox start --foreground` in this process, with a state directory that is removed after the test. */
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type Ended, ferry, temporaryFolder } from './ferry.js';

export type Foreground = {
  /** Points to the state directory, so that commands find the sandbox. */
  env: { FERRY_STATE_DIR: string };
  /** Stops it as Ctrl-C does. */
  end(): void;
  /** How the command ended. */
  ended: Promise<Ended>;
};

/** An empty state directory that is removed after the test. */
export function stateDir(): { FERRY_STATE_DIR: string } {
  return { FERRY_STATE_DIR: join(temporaryFolder(), 'state') };
}

/** Starts the sandbox and waits until other commands find it. */
export async function foreground(...flags: readonly string[]): Promise<Foreground> {
  const env = stateDir();
  const interrupt = new AbortController();
  const ended = ferry(['sandbox', 'start', '--foreground', ...flags], { env, signal: interrupt.signal });
  onTestFinished(async () => {
    interrupt.abort();
    await ended;
  });
  const isRunning = async (): Promise<unknown> =>
    (await ferry(['sandbox', 'status', '--json'], { env })).json().data.running;
  await Promise.race([ended, expect.poll(isRunning).toBe(true)]);
  return { env, end: () => interrupt.abort(), ended };
}
