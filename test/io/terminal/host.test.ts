import { spawn } from 'node:child_process';
import { describe, expect, test, vi } from 'vitest';
import { hasUtf8, homeFolder, host } from '../../../src/io/terminal/host.js';
import { useFerry } from '../../support/builtFerry.js';

const built = useFerry();

describe('host', () => {
  test('behavior: many concurrent waits cause no warning from Node', async () => {
    const warnings: string[] = [];
    const listen = ({ message }: Error): unknown => warnings.push(message);
    process.on('warning', listen);
    const { sleep, signal } = host(new AbortController().signal);
    await Promise.all(Array.from({ length: 30 }, () => sleep(1, signal)));
    await new Promise((resolve) => setImmediate(resolve));
    process.removeListener('warning', listen);
    expect(warnings).toEqual([]);
  });

  test('behavior: runs a command and resolves to its exit code', async () => {
    const { run } = host(new AbortController().signal);
    expect(await run(process.execPath, ['-e', 'process.exit(7)'], { env: {}, stdout: 'stdout' })).toBe(7);
    const killed = ['-e', "process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 60_000)"];
    expect(await run(process.execPath, killed, { env: {}, stdout: 'stdout' })).toBe(143);
    await expect(run('/no/such/command', [], { env: {}, stdout: 'stderr' })).rejects.toThrow('ENOENT');
  });

  test('behavior: a slow reader gets everything', async () => {
    const child = spawn('sh', ['-c', `"${process.execPath}" "${built.path}" schema quote | (sleep 0.3; cat)`], {
      env: built.env,
    });
    let stdout = '';
    child.stdout.on('data', (text) => {
      stdout += text;
    });
    await new Promise((resolve) => child.once('close', resolve));
    expect(() => JSON.parse(stdout)).not.toThrow();
  });
});

test.each([
  [{}, true],
  [{ LANG: '' }, true],
  [{ LANG: 'C' }, false],
  [{ LANG: 'POSIX' }, false],
  [{ LANG: 'en_US.ISO-8859-1' }, false],
  [{ LANG: 'de_DE.UTF-8' }, true],
  [{ LANG: 'C.utf8' }, true],
  [{ LANG: 'en_US.UTF-8', LC_ALL: 'C' }, false],
  [{ LANG: 'C', LC_CTYPE: 'C.UTF-8' }, true],
])('hasUtf8: %j %j', (env, has) => {
  expect(hasUtf8(env)).toBe(has);
});

test.runIf(process.getuid?.() === 0)('homeFolder: error: a user whom the system does not know, and no HOME', () => {
  vi.stubEnv('HOME', undefined);
  // A number that no list of users has.
  process.seteuid?.(54_321);
  try {
    expect(homeFolder).toThrow('This user has no home folder');
    expect(homeFolder).toThrow(expect.objectContaining({ code: 'config.unreadable', exit: 2 }));
  } finally {
    process.seteuid?.(0);
    vi.unstubAllEnvs();
  }
});
