import { describe, expect, onTestFinished, test } from 'vitest';
import { run } from '../../../src/io/keys/externalSigner.js';
import { isGone } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { failure, workbench } from '../../support/workbench.js';

type Wishes = { env?: Record<string, string>; signal?: AbortSignal; limitMs?: number };

/** Runs a command line; returns its result and its stderr. */
async function sign(command: string, input = '{}\n', { env = {}, signal, limitMs }: Wishes = {}) {
  const { host } = workbench({ env: { PATH: process.env.PATH ?? '', ...env } });
  let stderr = '';
  const own = {
    ...host,
    stderr: { write: (text: string) => (stderr += text) },
    signal: signal ?? new AbortController().signal,
  };
  const said = await run(command, input, own, limitMs);
  return { said, stderr, cwd: host.cwd };
}

describe('run', () => {
  test('default: the action on stdin, the answer on stdout', async () => {
    expect((await sign('cat', '{"action":1}\n')).said).toBe('{"action":1}\n');
    expect((await sign('echo \'{"ok":true}\'')).said).toBe('{"ok":true}\n');
  });

  test('behavior: shows its stderr to the user', async () => {
    expect(await sign('echo please touch the key >&2; echo {}')).toMatchObject({
      said: '{}\n',
      stderr: 'please touch the key\n',
    });
  });

  test('behavior: inherits every variable except FERRY_*', async () => {
    const env = { FERRY_PRIVATE_KEY: 'hush', FERRY_VENUE_PRIVATE_KEY: 'hush', ferry_api_key: 'hush', MINE: 'mine' };
    const { said } = await sign('env', '', { env });
    expect(said).toContain('MINE=mine');
    expect(said).not.toMatch(/ferry_|hush/i);
  });

  test('behavior: need not read its stdin', async () => {
    expect((await sign('echo {}', 'x'.repeat(1_000_000))).said).toBe('{}\n');
  });

  test.each([
    ['exit 3', 'it exited with code 3'],
    ['echo {}; exit 1', 'it exited with code 1'],
    ['no-such-command-here 2>&-', 'it exited with code 127'],
    ['true', 'it printed nothing'],
    ['echo', 'it printed nothing'],
    ['kill -9 $$', 'it was killed by SIGKILL'],
  ])('error: %s', async (command, reason) => {
    const error = await failure('auth.signer', () => sign(command));
    expect(error).toMatchObject({ exit: 4, funds: 'untouched', facts: [['reason', reason]] });
  });

  test.each(['yes', 'yes; true', 'yes & wait'])('error: %s never exits, and does not block ferry', async (command) => {
    const error = await failure('auth.signer', () => sign(command));
    expect(error.facts).toEqual([['reason', 'its output is longer than anything signed']]);
  });

  test('error: it does not answer in time', async () => {
    const error = await failure('auth.signer', () => sign('echo 0x12; exec sleep 60', '', { limitMs: 200 }));
    expect(error.facts).toEqual([['reason', 'it did not exit within 0.2 s']]);
  });

  test('error: a deleted working directory', async () => {
    const { host } = workbench();
    const gone = { ...host, cwd: `${host.cwd}/gone`, stderr: { write: () => true } };
    const error = await failure('auth.signer', () => run('cat', '', { ...gone, signal: new AbortController().signal }));
    expect(error.facts).toEqual([['reason', 'ENOENT']]);
  });

  test('error: Ctrl-C kills it, with the signal’s reason', async () => {
    const interrupt = new AbortController();
    const reason = new Error('SIGINT');
    const bench = workbench({ env: { PATH: process.env.PATH ?? '' } });
    let pid = 0;
    const stderr = { write: (text: string) => (pid = Number(text)) };
    onTestFinished(() => interrupt.abort());
    const running = run('echo $$ >&2; exec sleep 60', '', { ...bench.host, stderr, signal: interrupt.signal });
    const ended = running.then(
      () => undefined,
      (error: unknown) => error,
    );
    await expect.poll(() => pid).toBeGreaterThan(0);
    interrupt.abort(reason);
    expect(await ended).toBe(reason);
    await until(() => isGone(pid), 'the signer has ended');
  });
});
