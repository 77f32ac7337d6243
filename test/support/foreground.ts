/** `ferry sandbox start --foreground` in this process, with a state directory of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ended, ferry } from './ferry.js';
import { until } from './until.js';

export type Foreground = {
  /** Points to the state directory, so that commands find the sandbox. */
  env: { FERRY_STATE_DIR: string };
  /** Stops it as Ctrl-C does; resolves to how the command ended. */
  end(): Promise<Ended>;
};

/** Starts the sandbox and waits until other commands find it. */
export async function foreground(...flags: readonly string[]): Promise<Foreground> {
  const home = mkdtempSync(join(tmpdir(), 'ferry-foreground-'));
  const env = { FERRY_STATE_DIR: join(home, 'state') };
  const interrupt = new AbortController();
  const ended = ferry(['sandbox', 'start', '--foreground', ...flags], { env, home, signal: interrupt.signal });
  const isRunning = async (): Promise<boolean | undefined> =>
    (await ferry(['sandbox', 'status', '--json'], { env, home })).json().data.running || undefined;
  await Promise.race([ended, until(isRunning, 'the sandbox runs')]);
  const end = async (): Promise<Ended> => {
    interrupt.abort();
    return ended.finally(() => rmSync(home, { recursive: true, force: true }));
  };
  return { env, end };
}
