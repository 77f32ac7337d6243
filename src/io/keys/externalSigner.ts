/** A signing command of the user's own: what is to be signed on its stdin, the signed transfer on its stdout. */
import { spawn } from 'node:child_process';
import { BaseError } from '../../core/base/Errors.js';
import type { Host } from '../terminal/host.js';

const maxBytes = 65_536;
const timeoutMs = 120_000;

/**
 * Runs a command line in the shell. It inherits no `FERRY_*`, which may hold keys and passwords; what it says on stderr
 * is the user's to see.
 *
 * @throws auth.signer where it fails, says nothing or does not end
 */
export function run(
  command: string,
  input: string,
  host: Pick<Host, 'env' | 'cwd' | 'stderr' | 'signal'>,
): Promise<string> {
  const env = Object.fromEntries(Object.entries(host.env).filter(([name]) => !/^FERRY_/i.test(name)));
  return new Promise((resolve, reject) => {
    const late = AbortSignal.timeout(timeoutMs);
    const child = spawn(command, {
      shell: true,
      cwd: host.cwd,
      env: env as NodeJS.ProcessEnv,
      stdio: ['pipe', 'pipe', 'pipe'],
      signal: AbortSignal.any([host.signal, late]),
    });
    // The shell may be gone while what it has started still writes: no pipe of theirs is to keep us.
    const fail = (error: unknown): void => {
      child.kill('SIGKILL');
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
      reject(error);
    };
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (out.length > maxBytes) fail(new SignerError('it says more than a signed transfer is long'));
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => host.stderr.write(text));
    // A command that does not read what it is given has closed the pipe; how it ends says more.
    child.stdin.on('error', () => {}).end(input);
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (host.signal.aborted) fail(host.signal.reason);
      else
        fail(
          new SignerError(late.aborted ? `it did not end within ${timeoutMs / 1000} s` : (error.code ?? error.message)),
        );
    });
    child.once('close', (code, signal) => {
      if (code !== 0) reject(new SignerError(signal ? `it was ended by ${signal}` : `it ended with exit code ${code}`));
      else if (out.trim() === '') reject(new SignerError('it said nothing'));
      else resolve(out);
    });
  });
}

export class SignerError extends BaseError {
  override name = 'SignerError';
  constructor(reason: string) {
    super('auth.signer', 'The signing command did not sign.', {
      facts: [['reason', reason]],
      hint: 'It reads the action as JSON on stdin and writes the signed tx_info as JSON to stdout.',
    });
  }
}
