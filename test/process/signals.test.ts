import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { useFerry } from '../support/builtFerry.js';
import { addFault, clearFaults } from '../support/faults.js';
import { at } from '../support/ferry.js';
import { sampled } from '../support/sampled.js';
import { useSandbox } from '../support/sandbox.js';

const built = useFerry();
const { sandbox } = useSandbox();

describe('signals', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    'behavior: %s while a transfer is followed says where the money is, and the process dies by it',
    async (signal) => {
      await addFault(sandbox, 'service', { kind: 'solver', does: 'stuck' });
      const args = ['execute', '3', 'alpha/usdc', 'beta/usdc', '--again', '--yes'];
      const { child, seen, ended } = built.start(args, at(sandbox));
      await expect.poll(() => seen.stderr).toMatch(/→ .*\((pending|waiting)\)/);
      child.kill(signal);
      const { signal: died, stderr } = await ended;
      expect(died).toBe(signal);
      expect(stderr).toContain('in flight');
      expect(stderr).toContain(`error: Stopped by ${signal}. The transfer is not followed any more.`);
      expect(stderr).toMatch(/next: ferry resume \d{8}-\d{6}-[0-9a-f]{6}/);
    },
  );

  test.each(sampled([1, 4, 5, 6, 8, 11], 2))(
    'behavior: Ctrl-C at line %d of the journal names the run, where the money is, and what goes on',
    async (count) => {
      const folder = join(built.stateDir, `ctrl-c-${count}`);
      // More each time, so that no allowance of the one before suffices; and none ends before it is interrupted.
      const args = ['execute', String(2 + count), 'alpha/usdc', 'beta/usdc', '--yes'];
      await addFault(sandbox, 'service', { kind: 'solver', does: 'stuck', times: 0 });
      const { child, ended } = built.start(args, { ...at(sandbox), FERRY_STATE_DIR: folder });
      while (linesIn(join(folder, 'runs')).length < count) await delay(0.2);
      child.kill('SIGINT');
      const { signal, stderr } = await ended;
      expect(signal).toBe('SIGINT');
      const lines = linesIn(join(folder, 'runs'));
      await clearFaults(sandbox);
      const { run } = JSON.parse(lines[0] ?? '').entry;
      expect(stderr).toContain(run);
      expect(stderr).toMatch(/^error: Stopped by SIGINT\. /m);
      expect(stderr).not.toMatch(/contact the service|after \d+ s\b|does not answer/);
      expect(stderr).toMatch(/funds +(untouched|in flight|unknown)/);
      const isSigned = lines.some((line) => line.includes('"type":"signed"'));
      expect(stderr.includes(`next: ferry resume ${run}`)).toBe(isSigned);
    },
  );

  test('behavior: a second Ctrl-C ends at once', async () => {
    const { child, seen, ended } = built.start(['status', `0x${'1'.repeat(64)}`, '--watch'], at(sandbox));
    await expect.poll(() => seen.stderr).not.toBe('');
    child.kill('SIGINT');
    child.kill('SIGINT');
    expect((await ended).signal).toBe('SIGINT');
  });
});

// Only there can a test see what a thread waits for.
test.skipIf(process.platform !== 'linux')(
  'behavior: a signal ends a process of which a thread waits for a pipe that nobody opens',
  async () => {
    mkdirSync(built.stateDir, { recursive: true });
    const pipe = join(built.stateDir, 'pipe');
    execFileSync('mkfifo', ['-m', '600', pipe]);
    const { child, ended } = built.start(['verify', pipe]);
    const waits = (): boolean =>
      readdirSync(`/proc/${child.pid}/task`).some((task) =>
        readFileSync(`/proc/${child.pid}/task/${task}/wchan`, 'utf8').includes('wait_for_partner'),
      );
    while (!waits()) await delay(20);
    child.kill('SIGTERM');
    expect((await ended).signal).toBe('SIGTERM');
  },
);

/** The lines of the only journal in a folder. */
function linesIn(folder: string): string[] {
  try {
    const name = readdirSync(folder).find((each) => each.endsWith('.jsonl')) ?? '';
    return readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1);
  } catch {
    return [];
  }
}
