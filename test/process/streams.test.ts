/** What is left of a command whose streams fail: a full disk behind stdout or stderr. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Ended, useFerry } from '../support/builtFerry.js';
import { at } from '../support/ferry.js';
import { useSandbox } from '../support/sandbox.js';

const built = useFerry();
const { sandbox } = useSandbox();

const stdout = { stdout: '/dev/full' };
const run = (argv: readonly string[], files: { stdout?: string; stderr?: string }): Promise<Ended> =>
  built.run(argv, at(sandbox), { files });

describe.skipIf(!existsSync('/dev/full'))('a full disk', () => {
  test.each([
    ['chains', '--json'],
    ['execute', '1', 'alpha/usdc', 'beta/usdc', '--dry-run', '--json'],
  ])('error: behind stdout of ferry %s %s %s', async (...argv) => {
    const { code, stderr } = await run(argv, stdout);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/\(output.unwritable\)\n {2}reason +the disk is full\n/)]);
    // Where nothing could be paid, nothing is said of money.
    if (argv[0] === 'execute') expect(stderr).toMatch(/funds +untouched/);
    else expect(stderr).not.toContain('funds');
  });

  test('error: behind stdout of a command that fails all the same', async () => {
    const { code, stderr } = await run(['key', 'show', 'main', '--json'], stdout);
    expect(code).toBe(4);
    expect(stderr).toContain('(auth.unknown-account)');
    expect(stderr).toContain('warning: stdout cannot be written: the disk is full');
  });

  test('error: behind stdout while money moves: the run goes on, and the error names it', async () => {
    const execute = ['execute', '1', 'alpha/usdc', 'beta/usdc', '--again', '--yes'];
    for (const [more, funds] of [
      ['--json', 'delivered'],
      ['--no-wait', 'in flight'],
    ] as const) {
      const { code, stderr } = await run([...execute, more], stdout);
      expect([code, stderr]).toEqual([10, expect.stringContaining('(output.lost)')]);
      expect(stderr).toMatch(new RegExp(`funds +${funds}`));
      const [, next = ''] = /next: ferry (runs show \S+)/.exec(stderr) ?? [];
      const shown = await built.run([...next.split(' '), '--json'], at(sandbox));
      expect(JSON.parse(shown.stdout).data.run).toBe(next.split(' ').at(-1));
    }
    const refunded = await run([...execute, '--referrer', 'debug-force-refund', '--json'], stdout);
    expect([refunded.code, refunded.stderr]).toEqual([7, expect.stringContaining('(track.refunded)')]);
    expect(readdirSync(join(built.stateDir, 'runs')).filter((name) => name.endsWith('.jsonl'))).toHaveLength(3);
  }, 60_000);

  test('behavior: behind stderr, stdout and the exit code are as ever', async () => {
    const files = { stderr: '/dev/full' };
    const failed = await run(['nosuch', '--json'], files);
    expect([failed.code, JSON.parse(failed.stdout).error.code]).toEqual([2, 'usage.unknown-command']);
    expect((await run(['nosuch'], files)).code).toBe(2);
    const sent = await run(['execute', '1', 'alpha/usdc', 'beta/usdc', '--again', '--yes', '--json'], files);
    expect([sent.code, JSON.parse(sent.stdout.trimEnd().split('\n').at(-1) ?? '').ok]).toEqual([0, true]);
    expect(await run(['nosuch'], { stdout: '/dev/full', stderr: '/dev/full' })).toMatchObject({
      code: 2,
      signal: null,
    });
  });
});
