/** Runs the user's signing command: the act to sign on its stdin, what it signed on its stdout. */
import { spawn } from 'node:child_process';
import { BaseError } from '../../core/base/Errors.js';
import { foreignEnv, type Host } from '../terminal/host.js';

/** More than the digits of the largest transaction that nodes take. */
const maxBytes = 524_288;
const timeoutMs = 120_000;

/**
 * Runs a command line in the shell. It inherits no `FERRY_*` variable, which may hold keys and passwords; its stderr is
 * shown to the user.
 *
 * @throws auth.signer if it fails, prints nothing or does not exit
 */
export function run(
  command: string,
  input: string,
  host: Pick<Host, 'env' | 'cwd' | 'stderr' | 'signal'>,
  limitMs = timeoutMs,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = AbortSignal.timeout(limitMs);
    const child = spawn(command, {
      shell: true,
      cwd: host.cwd,
      env: foreignEnv(host.env),
      stdio: ['pipe', 'pipe', 'pipe'],
      signal: AbortSignal.any([host.signal, late]),
    });
    // The shell may be gone while its children still write: their open pipes must not keep this process alive.
    const fail = (error: unknown): void => {
      child.kill('SIGKILL');
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
      reject(error);
    };
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (out.length > maxBytes) fail(signerError('its output is longer than anything signed'));
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => host.stderr.write(text));
    // A command that does not read its input closes the pipe; its exit code tells more.
    child.stdin.on('error', () => {}).end(input);
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (host.signal.aborted) fail(host.signal.reason);
      else
        fail(signerError(late.aborted ? `it did not exit within ${limitMs / 1000} s` : (error.code ?? error.message)));
    });
    child.once('close', (code, signal) => {
      if (code !== 0) reject(signerError(signal ? `it was killed by ${signal}` : `it exited with code ${code}`));
      else if (out.trim() === '') reject(signerError('it printed nothing'));
      else resolve(out);
    });
  });
}

function signerError(reason: string): BaseError {
  return new BaseError('auth.signer', 'The signing command did not sign.', {
    facts: [['reason', reason]],
    hint: 'Nothing was signed with it. It must read what to sign as JSON from stdin, print what it signed to stdout, last, and exit with 0.',
  });
}
