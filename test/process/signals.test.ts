import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltFerry, buildFerry } from '../support/builtFerry.js';
import { at } from '../support/ferry.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';

let built: BuiltFerry;
let sandbox: TestSandbox;

beforeAll(async () => {
  [built, sandbox] = await Promise.all([buildFerry(), startSandbox()]);
});
afterAll(async () => {
  built.remove();
  await sandbox.stop();
});

describe('signals', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    'behavior: %s while a transfer is followed says where the money is, and the process dies by it',
    async (signal) => {
      await fetch(`${sandbox.baseUrl}/sandbox/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ kind: 'solver', does: 'stuck' }),
      });
      const args = [built.path, 'execute', '3', 'alpha/usdc', 'beta/usdc', '--yes'];
      const child = spawn(process.execPath, args, { env: { ...built.env, ...at(sandbox) } as NodeJS.ProcessEnv });
      let stderr = '';
      child.stderr.on('data', (text) => {
        stderr += text;
        if (/→ (pending|waiting)/.test(stderr) && !child.killed) child.kill(signal);
      });
      const died = await new Promise((resolve) => child.once('exit', (_, by) => resolve(by)));
      expect(died).toBe(signal);
      expect(stderr).toContain('in flight');
      expect(stderr).toMatch(/next: ferry resume \d{8}-\d{6}-[0-9a-f]{6}/);
    },
  );

  test('behavior: a second Ctrl-C ends at once', async () => {
    const args = [built.path, 'status', `0x${'1'.repeat(64)}`, '--watch'];
    const child = spawn(process.execPath, args, { env: { ...built.env, ...at(sandbox) } as NodeJS.ProcessEnv });
    await new Promise<void>((resolve) => child.stderr.once('data', () => resolve()));
    child.kill('SIGINT');
    child.kill('SIGINT');
    expect(await new Promise((resolve) => child.once('exit', (_, by) => resolve(by)))).toBe('SIGINT');
  });
});
