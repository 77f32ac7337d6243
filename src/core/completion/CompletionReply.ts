/** The output of `ferry __complete`: a line of directives for the shell, then one candidate per line. */
import type { Candidates } from './Candidates.js';
import type { Line } from './PartialCommand.js';
import type { Shell } from './Shell.js';

/**
 * Formats the reply. Directives are `files` if files are also valid, and `open` if no space may follow the candidate.
 */
export function format({ candidates, files }: Candidates, line: Line, shell: Shell): string {
  const fitting = candidates.filter(({ text }) => text.toLowerCase().startsWith(line.typed.toLowerCase()));
  const how = [
    // bash and fish offer either one: files only if no candidate matches.
    ...(files && (shell === 'zsh' || fitting.length === 0) ? ['files'] : []),
    ...(fitting.length > 0 && fitting.every(({ text }) => isOpen(text)) ? ['open'] : []),
  ].join(' ');
  // zsh and fish have their own matching rules, which users may configure to be fuzzy.
  const rows =
    shell === 'bash'
      ? fitting.flatMap(({ text }) => line.write(text) ?? [])
      : candidates.map(({ text, about }) => `${text}\t${about}`);
  return `${[how, ...rows].join('\n')}\n`;
}

/** Whether more must follow: a token after a chain, a key after a settings group. */
function isOpen(text: string): boolean {
  return /[/.=]$/.test(text);
}
