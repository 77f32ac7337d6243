/** Waits for what another process or server does, which tells nobody: it is asked again until it has happened. */
import { setTimeout as delay } from 'node:timers/promises';

/** More than a loaded machine needs, less than a test has. */
const withinMs = 25_000;

/** Resolves to the first answer that is something. @throws if there is none */
export async function until<T>(ask: () => T | Promise<T>, what: string): Promise<NonNullable<T>> {
  for (const endMs = Date.now() + withinMs; ; await delay(20)) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > endMs) throw new Error(`It never came to that: ${what}.`);
  }
}
