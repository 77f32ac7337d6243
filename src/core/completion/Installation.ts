/** Where a shell looks for the completion of a program, and what its start file must say for that. */
import { BaseError } from '../base/Errors.js';
import { isShell, type Shell, shells } from './Shell.js';
import * as ShellScript from './ShellScript.js';

export type Installation = {
  shell: Shell;
  /** Where the script goes. */
  script: string;
  /** The file that has to name it, with the lines; undefined where the shell finds it by itself. */
  start: { path: string; lines: readonly string[] } | undefined;
};

/** The files of installations, as commands use them. Writing throws config.unwritable. */
export type Files = {
  /** The shell that the user logs in with. @throws usage.missing where it is none that ferry knows */
  shell(): Shell;
  installation(shell: Shell): Promise<Installation>;
  /** Undefined where there is no such file. @throws config.unwritable where it cannot be read */
  read(path: string): Promise<string | undefined>;
  replace(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
};

/** What an installation depends on. */
export type Surroundings = {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  /** Whether bash loads bash-completion, which looks into the folder by itself. */
  hasBashCompletion: boolean;
};

/** Where it goes for a shell. A variable that holds no absolute path counts as unset. */
export function from(shell: Shell, { env, home, hasBashCompletion }: Surroundings): Installation {
  const folder = (variable: string, usual: string): string => (env[variable]?.startsWith('/') ? env[variable] : usual);
  const shared = folder('XDG_DATA_HOME', `${home}/.local/share`);
  if (shell === 'fish') {
    const configured = folder('XDG_CONFIG_HOME', `${home}/.config`);
    return { shell, script: `${configured}/fish/completions/ferry.fish`, start: undefined };
  }
  if (shell === 'zsh') {
    const functions = `${shared}/zsh/site-functions`;
    const path = `${folder('ZDOTDIR', home)}/.zshrc`;
    return { shell, script: `${functions}/_ferry`, start: { path, lines: zshLines(functions) } };
  }
  const script = `${folder('BASH_COMPLETION_USER_DIR', `${shared}/bash-completion`)}/completions/ferry`;
  const path = quoted(script);
  const start = { path: `${home}/.bashrc`, lines: [`if [ -r ${path} ]; then . ${path}; fi`] };
  return { shell, script, start: hasBashCompletion ? undefined : start };
}

/** Right wherever they stand: the completion system may have been started before them. */
function zshLines(folder: string): string[] {
  return [
    `fpath=(${quoted(folder)} $fpath)`,
    'if (( $+functions[compdef] )); then autoload -Uz _ferry && compdef _ferry ferry',
    'else autoload -Uz compinit && compinit',
    'fi',
  ];
}

/** A word for bash and zsh. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The shell that is meant where none is named. @throws usage.missing */
export function shellOf(env: Surroundings['env']): Shell {
  const name = env.SHELL?.split('/').at(-1);
  if (!isShell(name)) throw new NoShellError(env.SHELL);
  return name;
}

/** What is to be done with one file. */
export type Change = {
  path: string;
  /** `edit` keeps all that the file says besides; `replace` throws away what ferry did not write. */
  kind: 'write' | 'replace' | 'edit' | 'remove';
  /** What it says afterwards; undefined where it is removed. */
  text: string | undefined;
};

/** The texts of the two files before; undefined where there is none. */
export type Texts = { script: string | undefined; start: string | undefined };

/** What installing takes. Nothing where everything is in its place. */
export function changes({ shell, script, start }: Installation, before: Texts): Change[] {
  const text = ShellScript.of(shell);
  const isForeign = before.script !== undefined && !ShellScript.isOwn(before.script);
  const edited = start && add(before.start ?? '', start.lines);
  return [
    ...(before.script === text ? [] : [{ path: script, kind: isForeign ? 'replace' : 'write', text } as const]),
    ...(start && edited !== before.start ? [{ path: start.path, kind: 'edit', text: edited } as const] : []),
  ];
}

/** What taking it away takes. A script that ferry did not write stays. */
export function undoing({ script, start }: Installation, before: Texts): Change[] {
  const text = remove(before.start ?? '');
  return [
    ...(before.script !== undefined && ShellScript.isOwn(before.script)
      ? [{ path: script, kind: 'remove', text: undefined } as const]
      : []),
    ...(start && before.start !== undefined && text !== before.start
      ? [{ path: start.path, kind: 'edit', text } as const]
      : []),
  ];
}

const first = '# >>> ferry completion >>>';
const last = '# <<< ferry completion <<<';

/** A start file's text with the lines in it: in the place where they stood before, else at its end. */
function add(text: string, lines: readonly string[]): string {
  const block = `${[first, ...lines, last].join('\n')}\n`;
  const found = find(text);
  if (found) return text.slice(0, found.from) + block + text.slice(found.to);
  const ended = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return `${ended}${ended === '' ? '' : '\n'}${block}`;
}

/** A start file's text without them, and without the empty line that came with them. */
function remove(text: string): string {
  const found = find(text);
  if (!found) return text;
  const before = text.slice(0, found.from);
  return (before.endsWith('\n\n') ? before.slice(0, -1) : before) + text.slice(found.to);
}

/** Whole lines from the first mark to the last. A first mark whose last one is missing is left as it is. */
function find(text: string): { from: number; to: number } | undefined {
  const match = new RegExp(`^${first}\n(?:(?!${first})[^\n]*\n)*?${last}(?:\n|$)`, 'm').exec(text);
  return match ? { from: match.index, to: match.index + match[0].length } : undefined;
}

export class NoShellError extends BaseError {
  override name = 'NoShellError';
  constructor(found: string | undefined) {
    super('usage.missing', 'Which shell is to be completed for?', {
      facts: found ? [['SHELL', found]] : [],
      hint: `Name it: ${shells.join(', ')}.`,
      next: 'ferry completion install bash',
    });
  }
}
