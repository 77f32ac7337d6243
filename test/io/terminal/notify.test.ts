import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { notify } from '../../../src/io/terminal/programs.js';
import { addFault, clearFaults } from '../../support/faults.js';
import { at, ferry, type Surroundings, soon, temporaryFolder } from '../../support/ferry.js';
import { signal } from '../../support/processes.js';
import { useSandbox } from '../../support/sandbox.js';

const bridge = ['1', 'alpha/usdc', 'beta/usdc', '--yes'];
const terminals = { stdin: true, stderr: true };

describe('notify', () => {
  const desk = (env: Record<string, string> = {}, signal = new AbortController().signal) => {
    let shown = '';
    const stderr = { write: (text: string) => (shown += text) };
    return {
      host: { env: { PATH: process.env.PATH, ...env }, cwd: temporaryFolder(), stderr, signal },
      shown: () => shown,
    };
  };

  test('default: the document on stdin, in the folder of the user; what it prints is shown', async () => {
    const { host, shown } = desk();
    expect(await notify('cat > got; echo told; echo badly >&2', '{"ok":true}\n', host)).toBeUndefined();
    expect(readFileSync(join(host.cwd, 'got'), 'utf8')).toBe('{"ok":true}\n');
    expect(shown().split('\n').filter(Boolean).sort()).toEqual(['badly', 'told']);
  });

  test('behavior: it gets no setting of ferry, and the rest of the environment', async () => {
    const { host, shown } = desk({ FERRY_PRIVATE_KEY: '0xsecret', ferry_api_key: 'secret', TOKEN: 'mine' });
    await notify('env', '', host);
    expect(shown()).toContain('TOKEN=mine');
    expect(shown()).not.toContain('secret');
  });

  test.each<[name: string, command: string, reason: string, limitMs?: number]>([
    ['an exit code', 'exit 3', 'it ended with exit code 3'],
    ['a command that there is not', './nowhere', 'it ended with exit code 127'],
    ['a signal', 'kill -9 $$', 'it was killed by SIGKILL'],
    ['too long', 'sleep 60', 'it did not end within 0.3 s', 300],
    ['too long in a child', '(sleep 60; echo late) & wait', 'it did not end within 0.3 s', 300],
  ])('error: %s', async (_, command, reason, limitMs) => {
    expect(await notify(command, 'x'.repeat(1_000_000), desk().host, limitMs)).toBe(reason);
  });

  test('behavior: what it leaves in the background is not waited for', async () => {
    const { host, shown } = desk();
    expect(await notify('sleep 60 & echo $!', '', host)).toBeUndefined();
    signal(Number(shown()), 'SIGTERM');
  });

  test.skipIf(process.platform !== 'linux')(
    'behavior: what it prints is shown although its end is seen before that',
    async () => {
      const { host, shown } = desk();
      const at = (name: string): string => join(host.cwd, name);
      const hasEnded = (pid: number): boolean => /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
      // Node finds all that have ended once it is told of one. It is told of the first while it reads of the second, which
      // takes until the command has ended: what that has printed is read in the next round.
      const first = spawn('true');
      const second = spawn('sh', ['-c', 'echo read; touch printed'], { cwd: host.cwd });
      second.stdout.on('data', () => {
        writeFileSync(at('go'), '');
        while (!existsSync(at('pid')) || !hasEnded(Number(readFileSync(at('pid'), 'utf8')) || process.pid));
      });
      const told = notify('until test -e go; do :; done; echo told; echo $$ > pid', '', host);
      while (!existsSync(at('printed')) || !hasEnded(first.pid ?? process.pid));
      expect(await told).toBeUndefined();
      expect(shown()).toBe('told\n');
    },
  );

  test('behavior: Ctrl-C ends it', async () => {
    const stop = new AbortController();
    const told = notify('sleep 60', '', desk({}, stop.signal).host);
    stop.abort();
    expect(await told).toBe('it was interrupted');
  });
});

describe('--notify', () => {
  const { sandbox } = useSandbox();

  function desk() {
    const home = temporaryFolder();
    const file = join(home, 'told');
    const run = (argv: readonly string[], more: Surroundings = {}) =>
      ferry(argv, { home, ...more, env: { ...at(sandbox), ...more.env } });
    return { home, file, run, told: () => readFileSync(file, 'utf8'), isTold: () => existsSync(file) };
  }

  test('default: the outcome of a run, as --json prints it, after the result', async () => {
    const { run, told, file, home } = desk();
    const ended = await run(['execute', ...bridge, '--notify', `cat >> ${file}`, '--json']);
    expect(ended.code).toBe(0);
    expect(told()).toBe(`${JSON.stringify(ended.json())}\n`);
    const journal = (await run(['runs', 'show', ended.json().data.run, '--json'])).stdout;
    expect(journal).not.toContain(file.slice(home.length));
  });

  test('behavior: a failure after the run has begun is told too; its exit code stays whatever the command does', async () => {
    const { run, told, file } = desk();
    await addFault(sandbox, 'service', { kind: 'solver', does: 'stuck' });
    const failed = await run(['execute', ...bridge, ...soon.args, '--notify', `cat > ${file}; exit 7`], soon);
    await clearFaults(sandbox);
    expect([failed.code, JSON.parse(told()).error.code]).toEqual([9, 'track.unfinished']);
    expect(failed.stderr).toContain('warning: The command to notify failed: it ended with exit code 7.\n');
    const resumed = await run(['resume', JSON.parse(told()).error.run, '--notify', `cat > ${file}`]);
    expect([resumed.code, JSON.parse(told()).data.funds]).toEqual([0, 'delivered']);
  });

  test('behavior: without a run nobody is told', async () => {
    const { run, isTold, file } = desk();
    const notifying = ['--notify', `cat > ${file}`];
    for (const argv of [
      ['execute', ...bridge, '--dry-run'],
      ['execute', '0', ...bridge.slice(1)],
    ])
      await run([...argv, ...notifying]);
    expect(isTold()).toBe(false);
  });

  test('behavior: a setting of the user’s own, and never of a project', async () => {
    const { run, told, file, isTold, home } = desk();
    const project = temporaryFolder();
    writeFileSync(join(project, '.ferryrc.json'), JSON.stringify({ notify: `cat > ${file}` }));
    const refused = await run(['execute', ...bridge, '--json'], { cwd: project });
    expect([refused.json().error.code, isTold()]).toEqual(['config.untrusted', false]);
    await run(['config', 'set', 'notify', `cat > ${file}`]);
    await run(['execute', ...bridge], { cwd: home });
    expect(JSON.parse(told()).data.funds).toBe('delivered');
  });

  test('behavior: the bell rings on a terminal alone, if it is to', async () => {
    const { run } = desk();
    const rings = async (more: Surroundings, ...flags: string[]) =>
      (await run(['execute', ...bridge, ...flags], more)).stderr.split('\u0007').length - 1;
    const env = { FERRY_BELL: 'true' };
    expect(await rings({ env, terminals })).toBe(1);
    expect([await rings({ terminals }), await rings({ env }), await rings({ env, terminals }, '--quiet')]).toEqual([
      0, 0, 0,
    ]);
  });
});
