/** What `ferry __complete` prints: a line that says how the candidates are to be taken, then one of them on each line. */
import type { Candidates } from './Candidates.js';
import type { Line } from './PartialCommand.js';
import type { Shell } from './Shell.js';

/**
 * The first line holds words: `files` where a file may stand there too, `open` where a candidate is to be gone on with,
 * so that no space follows it.
 */
export function format({ candidates, files }: Candidates, line: Line, shell: Shell): string {
  const fitting = candidates.filter(({ text }) => begins(text, line.typed));
  const how = [
    // bash and fish offer either: files where no candidate begins with what was typed.
    ...(files && (shell === 'zsh' || fitting.length === 0) ? ['files'] : []),
    ...(fitting.length > 0 && fitting.every(({ text }) => isOpen(text)) ? ['open'] : []),
  ].join(' ');
  // zsh and fish have rules of their own for what fits: some people like theirs fuzzy.
  const rows =
    shell === 'bash'
      ? fitting.flatMap(({ text }) => line.write(text) ?? [])
      : candidates.map(({ text, about }) => `${text}\t${about}`);
  return `${[how, ...rows].join('\n')}\n`;
}

/** Whether something must still follow: a chain its token, a group of settings one of them. */
function isOpen(text: string): boolean {
  return /[/.=]$/.test(text);
}

function begins(text: string, typed: string): boolean {
  return text.toLowerCase().startsWith(typed.toLowerCase());
}
