/** Environments of a command: which streams are terminals, and the variables that scripts and CI set. */
import type { Terminals } from './ferry.js';

export type Surrounding = {
  name: string;
  env: Readonly<Record<string, string>>;
  /** stdin is a terminal too if there are no prompts in any case. */
  terminals: Terminals;
  /** The streams with color; each is decided separately. */
  colored: { stdout: boolean; stderr: boolean };
};

const both = { stdout: true, stderr: true };
const neither = { stdout: false, stderr: false };

export const surroundings: readonly Surrounding[] = [
  { name: 'terminal', env: { TERM: 'xterm-256color' }, terminals: both, colored: both },
  { name: 'pipe', env: {}, terminals: neither, colored: neither },
  // A watched log: the result goes to a file, and there are no prompts although stdin is a terminal.
  {
    name: 'CI=true',
    env: { CI: 'true', TERM: 'xterm' },
    terminals: { stdin: true, stdout: false, stderr: true },
    colored: { stdout: false, stderr: true },
  },
  {
    name: 'NO_COLOR',
    env: { NO_COLOR: '1', TERM: 'xterm-256color' },
    terminals: both,
    colored: neither,
  },
  { name: 'FORCE_COLOR', env: { FORCE_COLOR: '1' }, terminals: neither, colored: both },
];
