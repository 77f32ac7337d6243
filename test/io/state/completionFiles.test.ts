import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as Installation from '../../../src/core/completion/Installation.js';
import { createCompletionFiles } from '../../../src/io/state/completionFiles.js';
import { failure, workbench } from '../../support/workbench.js';

describe('installation', () => {
  test.each([
    ['', false],
    ['# . /usr/share/bash-completion/bash_completion\n', false],
    ['alias x=y # bash_completion\n', false],
    ['  . /usr/share/bash-completion/bash_completion\n', true],
    ['x\n[ -r /etc/profile.d/bash_completion.sh ] && . /etc/profile.d/bash_completion.sh', true],
  ])('default: a .bashrc with %j loads bash-completion: %s', async (text, loads) => {
    const bench = workbench();
    bench.write('home/.bashrc', text);
    const { start } = await createCompletionFiles(bench.host, []).installation('bash');
    expect(start === undefined).toBe(loads);
  });

  test('behavior: what ferry has added can be removed: its own lines are not those of bash-completion', async () => {
    const bench = workbench();
    const path = bench.write('home/.bashrc', 'mine\n');
    const files = createCompletionFiles(bench.host, []);
    const read = async (installation: Installation.Installation): Promise<Installation.Texts> => ({
      script: await files.read(installation.script),
      start: await files.read(path),
    });
    const before = await files.installation('bash');
    for (const { path: at, text = '' } of Installation.changes(before, await read(before)))
      await files.replace(at, text);
    expect(readFileSync(path, 'utf8')).toContain('bash-completion/completions/ferry');
    const after = await files.installation('bash');
    expect(Installation.changes(after, await read(after))).toEqual([]);
    const undone = Installation.undoing(after, await read(after));
    expect(undone.map(({ kind }) => kind)).toEqual(['remove', 'edit']);
    expect(undone.at(-1)?.text).toBe('mine\n');
  });

  test('behavior: the system-wide start file counts too', async () => {
    const bench = workbench();
    const path = bench.write('etc/bash.bashrc', '. /usr/share/bash-completion/bash_completion\n');
    expect((await createCompletionFiles(bench.host, [path]).installation('bash')).start).toBeUndefined();
  });
});

test('replace: keeps the mode of a file, and makes new files world-readable', async () => {
  const bench = workbench();
  const { replace } = createCompletionFiles(bench.host, []);
  const file = bench.write('home/.zshrc', 'a', 0o640);
  await replace(file, 'b');
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['b', 0o640]);
  const script = join(bench.home, 'a/b/_ferry');
  await replace(script, 'c');
  expect([readFileSync(script, 'utf8'), statSync(script).mode & 0o777]).toEqual(['c', 0o644]);
});

test('read: undefined if there is no file; a folder does not count as missing', async () => {
  const bench = workbench();
  const { read } = createCompletionFiles(bench.host, []);
  for (const path of [join(bench.home, 'x'), join(bench.write('home/file', ''), 'x')])
    expect(await read(path)).toBeUndefined();
  await failure('config.unwritable', () => read(bench.home));
});
