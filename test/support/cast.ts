/** cast, the other tool that keeps keys in such files. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const cast = fileURLToPath(new URL('../../node_modules/.bin/cast', import.meta.url));

/** Runs `cast wallet …` and returns what it says. */
export function castWallet(...args: string[]): string {
  return execFileSync(cast, ['wallet', ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
