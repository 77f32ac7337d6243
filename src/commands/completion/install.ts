import * as z from 'zod/mini';
import { define } from '../../core/command/Command.js';
import * as Installation from '../../core/completion/Installation.js';
import * as ShellQuoting from '../../core/completion/ShellQuoting.js';
import { type Shell, shells } from '../../core/completion/ShellQuoting.js';
import * as TerminalText from '../../core/text/TerminalText.js';

const change = z.object({
  path: z.string(),
  kind: z.enum(['write', 'replace', 'edit', 'remove']),
});

export const command = define({
  description:
    'Installs the completion script where your shell looks for it, in your home directory. If the shell must be configured to load it, ferry asks before adding lines to the shell’s startup file, between two markers, and changes nothing else there.',
  args: [
    {
      name: 'shell',
      description: 'the shell (default: your login shell)',
      optional: true,
      choices: shells,
    },
  ],
  options: {
    dryRun: { description: 'show what would be written, and stop' },
    noEdit: { description: 'do not edit the startup file; print the lines it needs' },
    uninstall: { description: 'remove the script and the added lines' },
  },
  examples: [
    ['ferry completion install', 'for your login shell'],
    ['ferry completion install zsh --dry-run', 'show what would change'],
    ['ferry completion install zsh --no-edit', 'without editing .zshrc'],
    ['ferry completion install bash --uninstall', 'remove it again'],
  ],
  output: z.object({
    shell: z.enum(shells),
    /** The path of the script. */
    script: z.string(),
    /**
     * The startup file that must load the script, and the lines it needs; null if the shell finds the script itself.
     */
    start: z.nullable(z.object({ path: z.string(), lines: z.array(z.string()) })),
    /** The changes made, or with `--dry-run` those that would be; empty if nothing had to change. */
    changes: z.array(change),
    /** Whether the changes were made. */
    done: z.boolean(),
    uninstalled: z.boolean(),
    /** Lines left for the user to add, because of `--no-edit`. */
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
      ...(lines.length > 0 ? lines : [uninstalled ? 'Nothing to remove.' : 'Already installed.']),
      ...(edited && !uninstalled && start && !done ? quoted(start.lines) : []),
      ...(missing.length > 0 && start ? [`${TerminalText.escape(start.path)} needs:`, ...quoted(missing)] : []),
      ...(done && changes.length > 0 && !uninstalled ? [next(shell, script, style.cyan)] : []),
    ].join('\n');
  },
});

const did = { write: 'Wrote', replace: 'Replaced', edit: 'Changed', remove: 'Removed' } as const;
const would = { write: 'Would write', replace: 'Would replace', edit: 'Would change', remove: 'Would remove' } as const;

/** The question to ask before a change; undefined for a file that ferry wrote itself. */
function questionOf(
  { kind, path }: Installation.Change,
  count: number,
  { uninstall }: { uninstall: boolean },
): string | undefined {
  if (kind === 'replace') return `Replace ${TerminalText.escape(path)}, which ferry did not write?`;
  if (kind !== 'edit') return undefined;
  return uninstall
    ? `Remove ferry's lines from ${TerminalText.escape(path)}?`
    : `Add ${count} ${count === 1 ? 'line' : 'lines'} to ${TerminalText.escape(path)}?`;
}

function quoted(lines: readonly string[]): string[] {
  return ['', ...lines.map((line) => `    ${TerminalText.escape(line)}`), ''];
}

function next(shell: Shell, script: string, cyan: (text: string) => string): string {
  if (shell === 'fish') return 'Completion is active in fish now.';
  const reload = shell === 'bash' ? `source ${ShellQuoting.forBash(TerminalText.escape(script), '')}` : 'exec zsh';
  return `Open a new terminal, or run ${cyan(reload)} in this one.`;
}
