/** Starts programs of the user's own: the pager, the browser, and the command that is told how a run has ended. */
import { spawn } from 'node:child_process';
import * as asciiText from './asciiText.js';
import { foreignEnv, type Host, hasUtf8 } from './host.js';

const timeoutMs = 30_000;

/**
 * Runs a command line in the shell, with a document on its stdin. It inherits no `FERRY_*` variable, which may hold keys
 * and passwords; what it prints is shown on stderr, so that stdout stays the result. Never throws: the run has ended, and
 * nothing of that depends on the command.
 *
 * @returns why the command failed; undefined if it did not
 */
export function notify(
  command: string,
  document: string,
  { env, cwd, stderr, signal: stop }: Pick<Host, 'env' | 'cwd' | 'stderr' | 'signal'>,
  limitMs = timeoutMs,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    // A group of its own: when the time is up, what the shell has started ends too.
    const child = spawn(command, {
      shell: true,
      detached: true,
      cwd,
      env: foreignEnv(env),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const end = (reason: string | undefined): void => {
      clearTimeout(late);
      stop.removeEventListener('abort', interrupt);
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
      resolve(reason);
    };
    const kill = (reason: string): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has just ended.
      }
      end(reason);
    };
    const interrupt = (): void => kill('it was interrupted');
    const late = setTimeout(kill, limitMs, `it did not end within ${limitMs / 1000} s`);
    stop.addEventListener('abort', interrupt);
    for (const pipe of [child.stdout, child.stderr])
      pipe.setEncoding('utf8').on('data', (text: string) => stderr.write(text));
    // A command need not read its input.
    child.stdin.on('error', () => {}).end(document);
    child.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    // Not `close`: what it leaves in the background may hold its pipes open. Its end may be seen before what it printed, which
    // is there by then: the next round of the loop reads it.
    child.once('exit', (code, signal) => {
      const reason = signal ? `it was killed by ${signal}` : code === 0 ? undefined : `it ended with exit code ${code}`;
      setImmediate(() => setImmediate(end, reason));
    });
  });
}

type PagerHost = Pick<Host, 'env' | 'stdout'>;

/**
 * Whether a text is for the pager, which `PAGER` names (without it there is none): on a terminal, if it has more lines
 * than that shows.
 */
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

/**
 * Opens a URL in `BROWSER`, else in the system's browser. Resolves to whether a program was started: on a machine
 * without a display, or in CI, none is.
 */
export async function browse(url: string, { env, platform }: Pick<Host, 'env' | 'platform'>): Promise<boolean> {
  const [program, ...args] = programOf(env, platform);
  if (program === undefined || env.CI) return false;
  // No shell reads the URL.
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore', env: foreignEnv(env) });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

function programOf(env: Host['env'], platform: string): string[] {
  const named = env.BROWSER?.split(':')[0]?.trim();
  if (named) return named.split(/\s+/);
  if (platform === 'darwin') return ['open'];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : [];
}
