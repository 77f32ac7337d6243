import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from './support/ferry.js';

describe('bin/ferry.js', () => {
  const path = fileURLToPath(new URL('../bin/ferry.js', import.meta.url));

  /** What it says in a folder, by default one without dist, on a version of Node. */
  function says(
    version: string,
    argv: readonly string[],
    getBuiltinModule?: unknown,
    folder: string = temporaryFolder(),
  ) {
    const said = { stdout: '', stderr: '', exitCode: 0 };
    const stream = (name: 'stdout' | 'stderr') => ({
      write(text: string) {
        said[name] += text;
      },
    });
    const own = {
      stdout: stream('stdout'),
      stderr: stream('stderr'),
      argv: ['node', path, ...argv],
      versions: { node: version },
      getBuiltinModule,
      set exitCode(code: number) {
        said.exitCode = code;
      },
    };
    const text = readFileSync(path, 'utf8').replace(/^#!.*/, '');
    const script = new Function('require', 'process', '__dirname', text);
    script(createRequire(path), own, join(folder, 'bin'));
    return said;
  }

  test.each(['14.21.3', '18.20.4', '20.18.0', '21.7.3', '22.2.0'])('error: Node %s is too old', (version) => {
    const has = version === '20.18.0' ? () => undefined : undefined;
    const { exitCode, stdout, stderr } = says(version, ['execute', '1', 'alpha/usdc', 'beta/usdc'], has);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`ferry needs Node 20.18.1 or newer, or 22.3 or newer. This is Node ${version}.`);
    expect(stderr).toContain('Nothing was done.');
  });

  test('error: an install without scripts has built nothing: the message says how to', () => {
    const { exitCode, stderr } = says('20.18.1', ['quote'], () => undefined);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^error: ferry is not built: .* \(system\.unsupported\)\n.*\n {2}next: npm run build\n$/);
  });

  test('error: so has a build that was interrupted', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'dist', 'start.cjs'), 'throw new Error("loaded")');
    for (const argv of [['quote'], ['--version']]) {
      const { exitCode, stderr } = says('20.18.1', argv, () => undefined, folder);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('error: ferry is not built: dist/complete.cjs is missing. (system.unsupported)');
    }
    expect(says('20.18.1', ['__complete', 'zsh', ''], () => undefined, folder).stderr).toBe('');
  });

  test('behavior: under --json it is an error like the others', () => {
    const { stdout } = says('18.20.4', ['quote', '--json']);
    const error = { code: 'system.unsupported', funds: 'untouched', exit: 2, retryable: false, next: null, facts: {} };
    expect(JSON.parse(stdout)).toMatchObject({ schema: 'ferry.error/1', ok: false, network: null, error });
  });

  test('behavior: a shell that asks for words gets none', () => {
    expect(says('18.20.4', ['__complete', 'zsh', 'ferry', ''])).toEqual({ stdout: '', stderr: '', exitCode: 2 });
  });
});
