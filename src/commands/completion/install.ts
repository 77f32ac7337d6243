import * as z from 'zod/mini';
import { define } from '../../core/command/Command.js';
import * as Installation from '../../core/completion/Installation.js';
import { type Shell, shells } from '../../core/completion/Shell.js';
import * as ShellQuoting from '../../core/completion/ShellQuoting.js';
import * as TerminalText from '../../core/text/TerminalText.js';

const change = z.object({
  path: z.string(),
  kind: z.enum(['write', 'replace', 'edit', 'remove']),
});

export const command = define({
  description:
    'Puts the script where the shell looks for it, in your own folders. Where the shell has to be told of it, ferry asks before it adds lines to the shell’s start file, between two marks, and changes nothing else there.',
  args: [
    {
      name: 'shell',
      description: 'the shell (default: the one that you log in with)',
      optional: true,
      choices: shells,
    },
  ],
  options: {
    dryRun: { type: 'boolean', description: 'show what would be written, and stop' },
    noEdit: { type: 'boolean', description: 'leave the start file alone, and show the lines that it needs' },
    uninstall: { type: 'boolean', description: 'take the script and the lines away again' },
  },
  examples: [
    ['ferry completion install', 'for the shell that you log in with'],
    ['ferry completion install zsh --dry-run', 'what it would do'],
    ['ferry completion install zsh --no-edit', 'without touching .zshrc'],
    ['ferry completion install bash --uninstall', 'undo it'],
  ],
  output: z.object({
    shell: z.enum(shells),
    /** Where the script goes. */
    script: z.string(),
    /** The file that has to name it, with the lines that it needs; null where the shell finds the script by itself. */
    start: z.nullable(z.object({ path: z.string(), lines: z.array(z.string()) })),
    /** What was done, or would be; nothing where everything was in its place. */
    changes: z.array(change),
    /** Whether it was done. */
    done: z.boolean(),
    uninstalled: z.boolean(),
    /** Lines that are left to the user. */
    missing: z.array(z.string()),
  }),
  async run({ args: [typed], dryRun, noEdit, uninstall }, { completionFiles, confirm }) {
    const shell = (typed as Shell | undefined) ?? completionFiles.shell();
    const installation = await completionFiles.installation(shell);
    const { script, start } = installation;
    const before = {
      script: await completionFiles.read(script),
      start: start && (await completionFiles.read(start.path)),
    };
    const wanted = (uninstall ? Installation.undoing : Installation.changes)(installation, before);
    const changes = wanted.filter(({ kind }) => !(noEdit && kind === 'edit'));
    if (!dryRun) {
      for (const each of changes) {
        const question = questionOf(each, start?.lines.length ?? 0, { uninstall: uninstall === true });
        if (question) await confirm(question);
      }
      for (const { path, text } of changes)
        await (text === undefined ? completionFiles.remove(path) : completionFiles.replace(path, text));
    }
    return {
      shell,
      script,
      start: start ? { path: start.path, lines: [...start.lines] } : null,
      changes: changes.map(({ path, kind }) => ({ path, kind })),
      done: !dryRun,
      uninstalled: uninstall === true,
      missing: noEdit && !uninstall && wanted.length > changes.length ? [...(start?.lines ?? [])] : [],
    };
  },
  view({ shell, script, start, changes, done, uninstalled, missing }, style) {
    const lines = changes.map(({ path, kind }) =>
      done
        ? `${style.green('✓')} ${did[kind]} ${TerminalText.escape(path)}`
        : `${would[kind]} ${TerminalText.escape(path)}`,
    );
    const edited = changes.some(({ kind }) => kind === 'edit');
    return [
      ...(lines.length > 0 ? lines : [uninstalled ? 'There is nothing to take away.' : 'Everything is in its place.']),
      ...(edited && !uninstalled && start && !done ? quoted(start.lines) : []),
      ...(missing.length > 0 && start ? [`${TerminalText.escape(start.path)} needs:`, ...quoted(missing)] : []),
      ...(done && changes.length > 0 && !uninstalled ? [next(shell, script, style.cyan)] : []),
    ].join('\n');
  },
});

const did = { write: 'Wrote', replace: 'Replaced', edit: 'Changed', remove: 'Removed' } as const;
const would = { write: 'Would write', replace: 'Would replace', edit: 'Would change', remove: 'Would remove' } as const;

/** Nothing is asked for a file of ferry's own. */
function questionOf(
  { kind, path }: Installation.Change,
  count: number,
  { uninstall }: { uninstall: boolean },
): string | undefined {
  if (kind === 'replace') return `Replace ${TerminalText.escape(path)}, which ferry did not write?`;
  if (kind !== 'edit') return undefined;
  return uninstall
    ? `Take ferry's lines out of ${TerminalText.escape(path)}?`
    : `Add ${count} ${count === 1 ? 'line' : 'lines'} to ${TerminalText.escape(path)}?`;
}

function quoted(lines: readonly string[]): string[] {
  return ['', ...lines.map((line) => `    ${TerminalText.escape(line)}`), ''];
}

function next(shell: Shell, script: string, cyan: (text: string) => string): string {
  if (shell === 'fish') return 'fish completes it from now on.';
  const here = shell === 'bash' ? `source ${ShellQuoting.forBash(TerminalText.escape(script), '')}` : 'exec zsh';
  return `Open another terminal, or type ${cyan(here)} here.`;
}
