import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { command } from '../../../src/commands/completion/install.js';
import type { Options } from '../../../src/core/command/Command.js';
import * as ShellScript from '../../../src/core/completion/ShellScript.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import { createCompletionFiles } from '../../../src/io/state/completionFiles.js';
import { context, failure, run, type Wishes, type Workbench, workbench } from '../../support/workbench.js';

type Given = Partial<Options<typeof command.options>>;

async function install(bench: Workbench, given: Given = {}, wishes: Wishes = {}) {
  const parts = { ...(await context(bench, wishes)), completionFiles: createCompletionFiles(bench.host, []) };
  return run(command, { args: [], ...given }, parts);
}
const yes = { flags: { yes: true } };
const script = '.local/share/zsh/site-functions/_ferry';
const read = (bench: Workbench, path: string) => {
  const file = join(bench.home, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
};

describe('run', () => {
  test('default: for the shell of the login, and nothing the second time', async () => {
    const bench = workbench({ env: { SHELL: '/usr/bin/fish' } });
    const first = await install(bench);
    expect(first).toMatchObject({ shell: 'fish', done: true, start: null, changes: [{ kind: 'write' }] });
    expect(read(bench, '.config/fish/completions/ferry.fish')).toBe(ShellScript.of('fish'));
    expect(command.view(first, plain)).toBe(
      `✓ Wrote ${bench.home}/.config/fish/completions/ferry.fish\nCompletion is active in fish now.`,
    );
    const second = await install(bench);
    expect(second.changes).toEqual([]);
    expect(command.view(second, plain)).toBe('Already installed.');
  });

  test('behavior: it asks before it edits, and writes nothing where the answer is no', async () => {
    const bench = workbench();
    bench.write('home/.zshrc', 'mine\n');
    await failure('prompt.declined', () => install(bench, { args: ['zsh'] }, { answers: ['n'] }));
    expect([read(bench, '.zshrc'), read(bench, script)]).toEqual(['mine\n', undefined]);
    await failure('usage.confirmation', () => install(bench, { args: ['zsh'] }));
    expect([read(bench, '.zshrc'), read(bench, script)]).toEqual(['mine\n', undefined]);
    const done = await install(bench, { args: ['zsh'] }, { answers: ['y'] });
    expect(done.changes.map(({ kind }) => kind)).toEqual(['write', 'edit']);
    expect(read(bench, '.zshrc')).toMatch(/^mine\n\n# >>> ferry completion >>>\nfpath=\(/);
    expect((await install(bench, { args: ['zsh'] })).changes).toEqual([]);
  });

  test('behavior: a dry run shows it and writes nothing', async () => {
    const bench = workbench();
    const shown = await install(bench, { args: ['zsh'], dryRun: true });
    expect([read(bench, '.zshrc'), read(bench, script)]).toEqual([undefined, undefined]);
    expect(command.view(shown, plain)).toBe(
      [
        `Would write ${bench.home}/${script}`,
        `Would change ${bench.home}/.zshrc`,
        '',
        `    fpath=('${bench.home}/.local/share/zsh/site-functions' $fpath)`,
        '    if (( $+functions[compdef] )); then autoload -Uz _ferry && compdef _ferry ferry',
        '    else autoload -Uz compinit && compinit',
        '    fi',
        '',
      ].join('\n'),
    );
  });

  test('behavior: --no-edit says what the start file needs', async () => {
    const bench = workbench();
    const done = await install(bench, { args: ['zsh'], noEdit: true });
    expect([read(bench, '.zshrc'), read(bench, script)]).toEqual([undefined, ShellScript.of('zsh')]);
    expect(done.missing).toEqual(done.start?.lines);
    expect(command.view(done, plain)).toContain(`${bench.home}/.zshrc needs:\n\n    fpath=(`);
    await install(bench, { args: ['zsh'] }, yes);
    expect((await install(bench, { args: ['zsh'], noEdit: true })).missing).toEqual([]);
  });

  test('behavior: what somebody else wrote is replaced after asking', async () => {
    const bench = workbench();
    bench.write(`home/.config/fish/completions/ferry.fish`, 'complete -c ferry\n');
    await failure('usage.confirmation', () => install(bench, { args: ['fish'] }));
    expect(read(bench, '.config/fish/completions/ferry.fish')).toBe('complete -c ferry\n');
    expect((await install(bench, { args: ['fish'] }, yes)).changes).toMatchObject([{ kind: 'replace' }]);
  });

  test('behavior: --uninstall leaves things as they were', async () => {
    const bench = workbench();
    bench.write('home/.zshrc', 'mine\n');
    await install(bench, { args: ['zsh'] }, yes);
    const undone = await install(bench, { args: ['zsh'], uninstall: true }, yes);
    expect(undone.changes.map(({ kind }) => kind)).toEqual(['remove', 'edit']);
    expect([read(bench, '.zshrc'), read(bench, script)]).toEqual(['mine\n', undefined]);
    const again = await install(bench, { args: ['zsh'], uninstall: true });
    expect(command.view(again, plain)).toBe('Nothing to remove.');
  });
});
