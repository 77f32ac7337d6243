import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { run } from '../../../src/io/keys/externalSigner.js';
import { areGone } from '../../support/processes.js';
import { failure, workbench } from '../../support/workbench.js';

type Wishes = { env?: Record<string, string>; signal?: AbortSignal };

/** Runs a command line, and what it said on stderr. */
async function sign(command: string, input = '{}\n', { env = {}, signal }: Wishes = {}) {
  const { host } = workbench({ env: { PATH: process.env.PATH ?? '', ...env } });
  let stderr = '';
  const said = await run(command, input, {
    ...host,
    stderr: { write: (text: string) => (stderr += text) },
    signal: signal ?? new AbortController().signal,
  });
  return { said, stderr, cwd: host.cwd };
}

describe('run', () => {
  test('default: the action on stdin, the answer on stdout', async () => {
    expect((await sign('cat', '{"action":1}\n')).said).toBe('{"action":1}\n');
    expect((await sign('echo \'{"ok":true}\'')).said).toBe('{"ok":true}\n');
  });

  test('behavior: where ferry was started', async () => {
    const { said, cwd } = await sign('pwd');
    expect(said.trim()).toBe(cwd);
  });

  test('behavior: its stderr is the user’s to see', async () => {
    expect(await sign('echo please touch the key >&2; echo {}')).toMatchObject({
      said: '{}\n',
      stderr: 'please touch the key\n',
    });
  });

  test('behavior: it inherits no variable of ferry’s, and all others', async () => {
    const env = { FERRY_PRIVATE_KEY: 'hush', FERRY_VENUE_PRIVATE_KEY: 'hush', ferry_api_key: 'hush', MINE: 'mine' };
    const { said } = await sign('env', '', { env });
    expect(said).toContain('MINE=mine');
    expect(said).not.toMatch(/ferry_|hush/i);
  });

  test('behavior: it need not read what it is given', async () => {
    expect((await sign('echo {}', 'x'.repeat(1_000_000))).said).toBe('{}\n');
  });

  test.each([
    ['exit 3', 'it ended with exit code 3'],
    ['echo {}; exit 1', 'it ended with exit code 1'],
    ['no-such-command-here 2>&-', 'it ended with exit code 127'],
    ['true', 'it said nothing'],
    ['echo', 'it said nothing'],
    ['kill -9 $$', 'it was ended by SIGKILL'],
  ])('error: %s', async (command, reason) => {
    const error = await failure('auth.signer', () => sign(command));
    expect(error).toMatchObject({ exit: 4, funds: 'untouched', facts: [['reason', reason]] });
  });

  test.each(['yes', 'yes; true', 'yes & wait'])('error: %s never ends, and does not keep us', async (command) => {
    const startedAt = Date.now();
    const error = await failure('auth.signer', () => sign(command));
    expect(error.facts).toEqual([['reason', 'it says more than a signed transfer is long']]);
    expect(Date.now() - startedAt).toBeLessThan(5_000);
  });

  test('error: a folder that is gone', async () => {
    const { host } = workbench();
    const gone = { ...host, cwd: `${host.cwd}/gone`, stderr: { write: () => true } };
    const error = await failure('auth.signer', () => run('cat', '', { ...gone, signal: new AbortController().signal }));
    expect(error.facts).toEqual([['reason', 'ENOENT']]);
  });

  test('error: Ctrl-C ends it with the reason of the signal', async () => {
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
    while (pid === 0) await delay(5);
    interrupt.abort(reason);
    expect(await ended).toBe(reason);
    expect(await areGone([pid], 2_000)).toBe(true);
  });
});
