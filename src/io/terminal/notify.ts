/** Tells the user's own command how a run has ended. */
import { spawn } from 'node:child_process';
import { foreignEnv, type Host } from './host.js';

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
