/** Folders that cannot be written: each command says so once, and what to set. */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useFerry } from '../support/builtFerry.js';
import { ferry, temporaryFolder } from '../support/ferry.js';

const built = useFerry();

/** A home below a regular file, where even root can write nothing. */
function nowhere() {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  writeFileSync(join(folder, 'password'), 'long secret', { mode: 0o600 });
  writeFileSync(join(folder, 'batch'), '{"id":"a","amount":"1","from":"alpha/usdc","to":"beta/usdc"}\n');
  return { folder, home: join(folder, 'file', 'home') };
}

const bridge = ['alpha/usdc', 'beta/usdc'];

describe('a home that cannot be written', () => {
  test.each([
    [['quote', '1', ...bridge], 'FERRY_STATE_DIR'],
    [['quote', '--batch', '../batch'], 'FERRY_STATE_DIR'],
    [['execute', '1', ...bridge, '--yes'], 'FERRY_STATE_DIR'],
    [['smoke'], 'FERRY_STATE_DIR'],
    [['fees', 'compare', '1', '2', '3', ...bridge], 'FERRY_STATE_DIR'],
    [['demo'], 'FERRY_STATE_DIR'],
    [['sandbox', 'start'], 'FERRY_STATE_DIR'],
    [['config', 'set', 'maxFeeUsd', '5'], 'FERRY_CONFIG_DIR'],
    [['key', 'new', 'main', '--password-file', '../password'], 'FERRY_KEYSTORE_DIR'],
  ])('error: ferry %j says it once, and to set %s', async (argv, variable) => {
    const { folder, home } = nowhere();
    const typed = argv.map((word) => word.replace(/^\.\.(?=\/)/, folder));
    const { code, stdout, stderr } = await ferry(typed, { home, cwd: folder });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.match(/^error: .*$/gm)).toEqual([expect.stringContaining('(config.unwritable)')]);
    expect(stderr).toContain(home);
    expect(stderr).toContain('part of the path is a file');
    expect(stderr).toContain(`Set ${variable} to another directory`);
  });

  test('error: as a process', async () => {
    const { home } = nowhere();
    const { code, stdout, stderr } = await built.run(['execute', '1', ...bridge, '--yes'], {
      HOME: home,
      FERRY_STATE_DIR: undefined,
    });
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(/^error: .*\(config\.unwritable\)$/m)]);
    expect(stderr).toContain('Set FERRY_STATE_DIR to another directory');
  });

  test('behavior: ferry doctor finds it once, and its advice works as it is typed', async () => {
    const { folder } = nowhere();
    const env = { HOME: folder, FERRY_STATE_DIR: join(folder, 'file', 'state') };
    const doctor = async (more: object) =>
      JSON.parse((await built.run(['doctor', '--json'], { ...env, ...more })).stdout);
    const { checks } = (await doctor({})).data;
    const failed = checks.filter(({ verdict }: { verdict: string }) => verdict === 'fail');
    expect(failed).toMatchObject([{ check: 'state', fix: expect.stringMatching(/^export FERRY_STATE_DIR=/) }]);
    const typed = `${failed[0].fix}; printf %s "$FERRY_STATE_DIR"`;
    const made = execFileSync('sh', ['-c', typed], { encoding: 'utf8' });
    try {
      expect((await doctor({ FERRY_STATE_DIR: made })).data.verdict).toBe('ok');
    } finally {
      await built.run(['sandbox', 'stop'], { ...env, FERRY_STATE_DIR: made });
      rmSync(made, { recursive: true });
    }
  });
});
