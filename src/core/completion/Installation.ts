/** Where shells look for completion scripts, and the lines that their startup files need. */
import { BaseError } from '../base/Errors.js';
import { isShell, type Shell, shells } from './ShellQuoting.js';
import * as ShellScript from './ShellScript.js';

export type Installation = {
  shell: Shell;
  script: string;
  /** The startup file and the lines that load the script; undefined if the shell finds the script by itself. */
  start: { path: string; lines: readonly string[] } | undefined;
};

/** The port to the files of installations. Writing throws config.unwritable. */
export type Files = {
  /** The user's login shell. @throws usage.missing if ferry does not support it */
  shell(): Shell;
  installation(shell: Shell): Promise<Installation>;
  /** Undefined if the file does not exist. @throws config.unwritable if it cannot be read */
  read(path: string): Promise<string | undefined>;
  replace(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
};

export type Environment = {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  /** Whether bash loads bash-completion, which finds the script by itself. */
  hasBashCompletion: boolean;
};

/** The locations for a shell. A variable that is not an absolute path counts as unset. */
export function from(shell: Shell, { env, home, hasBashCompletion }: Environment): Installation {
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

/** Work in any position, even after the completion system has been initialized. */
function zshLines(folder: string): string[] {
  return [
    `fpath=(${quoted(folder)} $fpath)`,
    'if (( $+functions[compdef] )); then autoload -Uz _ferry && compdef _ferry ferry',
    'else autoload -Uz compinit && compinit',
    'fi',
  ];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The default shell. @throws usage.missing */
export function shellOf(env: Environment['env']): Shell {
  const name = env.SHELL?.split('/').at(-1);
  if (!isShell(name))
    throw new BaseError('usage.missing', 'ferry cannot tell which shell to install completion for.', {
      facts: env.SHELL ? [['SHELL', env.SHELL]] : [],
      hint: `Name one: ${shells.join(', ')}.`,
      next: 'ferry completion install bash',
    });
  return name;
}

export type Change = {
  path: string;
  /** `edit` keeps the rest of the file; `replace` overwrites a file that ferry did not write. */
  kind: 'write' | 'replace' | 'edit' | 'remove';
  /** The new text; undefined if the file is removed. */
  text: string | undefined;
};

/** The current texts of both files; undefined if a file does not exist. */
export type Texts = { script: string | undefined; start: string | undefined };

/** The changes that install the completion; empty if it is up to date. */
export function changes({ shell, script, start }: Installation, before: Texts): Change[] {
  const text = ShellScript.of(shell);
  const isForeign = before.script !== undefined && !ShellScript.isOwn(before.script);
  const edited = start && add(before.start ?? '', start.lines);
  return [
    ...(before.script === text ? [] : [{ path: script, kind: isForeign ? 'replace' : 'write', text } as const]),
    ...(start && edited !== before.start ? [{ path: start.path, kind: 'edit', text: edited } as const] : []),
  ];
}

/** The changes that uninstall the completion. A script that ferry did not write is kept. */
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

/** Adds the lines to a startup file: in their previous place, else at the end. */
function add(text: string, lines: readonly string[]): string {
  const block = `${[first, ...lines, last].join('\n')}\n`;
  const found = find(text);
  if (found) return text.slice(0, found.from) + block + text.slice(found.to);
  const ended = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return `${ended}${ended === '' ? '' : '\n'}${block}`;
}

/** Removes the lines from a startup file, with the empty line before them. */
function remove(text: string): string {
  const found = find(text);
  if (!found) return text;
  const before = text.slice(0, found.from);
  return (before.endsWith('\n\n') ? before.slice(0, -1) : before) + text.slice(found.to);
}

export function isIn(text: string): boolean {
  return find(text) !== undefined;
}

/** Finds whole lines from the first marker to the last. A first marker without a last one is ignored. */
function find(text: string): { from: number; to: number } | undefined {
  const match = new RegExp(`^${first}\n(?:(?!${first})[^\n]*\n)*?${last}(?:\n|$)`, 'm').exec(text);
  return match ? { from: match.index, to: match.index + match[0].length } : undefined;
}
