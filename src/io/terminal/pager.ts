/** Shows a long text in the user's pager, which `PAGER` names: without it there is none. */
import { spawn } from 'node:child_process';
import * as asciiText from './asciiText.js';
import { foreignEnv, type Host, hasUtf8 } from './host.js';

type PagerHost = Pick<Host, 'env' | 'stdout'>;

/** Whether a text is for the pager: on a terminal, if it has more lines than that shows. */
export function pages(text: string, { env, stdout }: PagerHost): boolean {
  const { isTTY, rows = 0 } = stdout;
  return isTTY === true && Boolean(env.PAGER) && env.TERM !== 'dumb' && rows > 0 && text.split('\n').length >= rows;
}

/** Shows a text until the pager ends. Resolves to whether it was shown. */
export function page(text: string, { env }: PagerHost): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(env.PAGER ?? '', {
      shell: true,
      stdio: ['pipe', 'inherit', 'inherit'],
      // The default of LESS is git's: a short text needs no key.
      env: { LESS: 'FRX', ...foreignEnv(env) },
    });
    child.once('error', () => resolve(false));
    // The shell says 127 and 126 for a program that cannot be started.
    child.once('exit', (code) => resolve(code !== 127 && code !== 126));
    // A pager may end before it has read all.
    child.stdin.on('error', () => {}).end(hasUtf8(env) ? text : asciiText.from(text));
  });
}
