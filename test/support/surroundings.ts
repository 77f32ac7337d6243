/** What a command may find around itself: streams that are terminals or are not, and the variables that scripts and CI set. */
import type { Terminals } from './ferry.js';

export type Surrounding = {
  name: string;
  env: Readonly<Record<string, string>>;
  /** stdin is one too where nobody is asked whatever it is. */
  terminals: Terminals;
  /** On which streams there is to be colour: each is decided on its own. */
  colored: { stdout: boolean; stderr: boolean };
  /** What the service, the nodes and the venue refuse with here. */
  status: number;
};

const both = { stdout: true, stderr: true };
const neither = { stdout: false, stderr: false };

export const surroundings: readonly Surrounding[] = [
  { name: 'terminal', env: { TERM: 'xterm-256color' }, terminals: both, colored: both, status: 400 },
  { name: 'pipe', env: {}, terminals: neither, colored: neither, status: 401 },
  // A log that is watched: a result that goes into a file, and nobody to ask although stdin is a terminal.
  {
    name: 'CI=true',
    env: { CI: 'true', TERM: 'xterm' },
    terminals: { stdin: true, stdout: false, stderr: true },
    colored: { stdout: false, stderr: true },
    status: 429,
  },
  {
    name: 'NO_COLOR',
    env: { NO_COLOR: '1', TERM: 'xterm-256color' },
    terminals: both,
    colored: neither,
    status: 500,
  },
  { name: 'FORCE_COLOR', env: { FORCE_COLOR: '1' }, terminals: neither, colored: both, status: 503 },
];
