import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import * as Installation from '../../../src/core/completion/Installation.js';
import * as ShellScript from '../../../src/core/completion/ShellScript.js';

const home = '/home/ada';
const bare = { env: {}, home, hasBashCompletion: false };

describe('from', () => {
  test('default: in the directories where each shell looks', () => {
    const { script, start } = Installation.from('zsh', bare);
    expect([script, start?.path]).toEqual(['/home/ada/.local/share/zsh/site-functions/_ferry', '/home/ada/.zshrc']);
    expect(Installation.from('fish', bare)).toEqual({
      shell: 'fish',
      script: '/home/ada/.config/fish/completions/ferry.fish',
      start: undefined,
    });
    expect(Installation.from('bash', bare)).toMatchObject({
      script: '/home/ada/.local/share/bash-completion/completions/ferry',
      start: { path: '/home/ada/.bashrc' },
    });
  });

  test('behavior: respects environment variables', () => {
    const env = {
      XDG_DATA_HOME: '/data',
      XDG_CONFIG_HOME: '/config',
      ZDOTDIR: '/zsh',
      BASH_COMPLETION_USER_DIR: '/bc',
    };
    const at = (shell: 'bash' | 'zsh' | 'fish') => Installation.from(shell, { ...bare, env });
    expect([at('zsh').script, at('zsh').start?.path, at('fish').script, at('bash').script]).toEqual([
      '/data/zsh/site-functions/_ferry',
      '/zsh/.zshrc',
      '/config/fish/completions/ferry.fish',
      '/bc/completions/ferry',
    ]);
  });

  test('behavior: any path is a single word to the shell', () => {
    const { start } = Installation.from('bash', { ...bare, env: { XDG_DATA_HOME: `/it's $(touch ran)` } });
    const line = (start?.lines[0] ?? '').replace(/^if \[ -r (.*) \]; then \. .*$/s, "printf '%s' $1");
    expect(execFileSync('bash', ['-c', line], { encoding: 'utf8' })).toBe(
      `/it's $(touch ran)/bash-completion/completions/ferry`,
    );
  });
});

describe('changes', () => {
  const zsh = Installation.from('zsh', bare);
  const own = ShellScript.of('zsh');
  const start = (text: string | undefined, script: string | undefined = own) =>
    Installation.changes(zsh, { script, start: text }).find(({ kind }) => kind === 'edit')?.text;

  test('default: both files if neither exists', () => {
    expect(Installation.changes(zsh, { script: undefined, start: undefined })).toEqual([
      { path: zsh.script, kind: 'write', text: own },
      { path: zsh.start?.path, kind: 'edit', text: expect.stringMatching(/^# >>> ferry/) },
    ]);
  });

  test('behavior: rewrites an older script of ferry, replaces a foreign one', () => {
    const kinds = (script: string) =>
      Installation.changes(zsh, { script, start: start(undefined) }).map(({ kind }) => kind);
    expect([kinds(`${own}#`), kinds('#compdef ferry')]).toEqual([['write'], ['replace']]);
  });

  test('behavior: is idempotent', () => {
    for (const text of [undefined, '', 'a', 'a\n', 'a\n\n', '\n']) {
      const after = start(text);
      expect(after).toMatch(/\n$/);
      expect(after?.startsWith(text ?? '')).toBe(true);
      expect(start(after)).toBeUndefined();
    }
  });

  test('behavior: updates the lines of an older ferry in place; an unclosed marker loses no lines', () => {
    const after = start('before\n')?.replace('compinit', 'old') ?? '';
    expect(start(`${after}behind\n`)).toBe(`${start('before\n')}behind\n`);
    const text = '# >>> ferry completion >>>\nmine\n';
    expect(start(text)).toMatch(/^# >>> ferry completion >>>\nmine\n\n# >>> ferry/);
  });
});

describe('undoing', () => {
  const zsh = Installation.from('zsh', bare);

  test.each(['', 'a\n', 'a\n\n', 'a\nb\n'])('default: restores %j', (text) => {
    const [, edit] = Installation.changes(zsh, { script: undefined, start: text });
    const [removal, undone] = Installation.undoing(zsh, { script: ShellScript.of('zsh'), start: edit?.text });
    expect([removal, undone?.text]).toEqual([{ path: zsh.script, kind: 'remove', text: undefined }, text]);
  });
});
