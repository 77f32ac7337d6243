/** Color and hyperlinks, decided per stream. chalk is loaded only if there is color. */
import { plain, type Style } from '../../core/text/TerminalStyle.js';
import { grouped } from '../../core/text/TerminalText.js';
import * as TerminalTime from '../../core/text/TerminalTime.js';
import type { Output } from './host.js';

type Env = Readonly<Record<string, string | undefined>>;

/** What runs a package's command, by the manager. */
const runners: Readonly<Record<string, string>> = { npm: 'npx', pnpm: 'pnpm', yarn: 'yarn', bun: 'bunx' };

/** What the user asked for: the value of --color or --no-color, undefined if neither is given, and whether times are in UTC. */
export type Wanted = { color: boolean | undefined; utc: boolean; now(): number };

/**
 * Creates the style of a stream: numbers and times for a person if it is a terminal, else as in JSON. The first of
 * these that is set decides: --color or --no-color, NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, TERM=dumb, whether the
 * stream is a terminal. An empty variable counts as unset.
 */
export async function createStyle(output: Output, env: Env, { color, utc, now }: Wanted): Promise<Style> {
  // Some terminals report 0 before they know their width.
  const width = output.columns || plain.width;
  const lineWidth = output.columns ? width : plain.lineWidth;
  const number = output.isTTY === true ? grouped : plain.number;
  // By the zone of the machine, or that of TZ.
  const minutesEast = (ms: number): number => -new Date(ms).getTimezoneOffset();
  const times = output.isTTY === true && !utc ? TerminalTime.local(now, minutesEast) : TerminalTime.utc;
  const command = (line: string): string => typedBy(env, line);
  if (!isColored(output, env, color)) return { ...plain, ...times, command, number, width, lineWidth };
  const { Chalk } = await import('chalk');
  // The 16 colors that the user has chosen for the terminal: any other may be unreadable there.
  const { bold, dim, red, green, yellow, cyan } = new Chalk({ level: 1 });
  // chalk joins all its arguments, including the index and the array that `map` passes.
  const only = (color: (text: string) => string) => (text: string) => color(text);
  const link = output.isTTY === true && showsLinks(env) ? hyperlink : plain.link;
  return {
    ...times,
    bold: only(bold),
    dim: only(dim),
    red: only(red),
    green: only(green),
    yellow: only(yellow),
    cyan: only(cyan),
    command: (line) => cyan(command(line)),
    link,
    number,
    width,
    lineWidth,
  };
}

/** A command line of ferry's as the user can type it: a package manager runs a ferry that is in no folder of the PATH. */
export function typedBy(env: Env, line: string): string {
  const [manager = 'npm'] = env.npm_config_user_agent?.split('/') ?? [];
  const event = env.npm_lifecycle_event;
  // A script of another name may be started by any of them, from wherever ferry is.
  const isTyped = env.npm_command === 'exec' || event === 'ferry' || (manager !== 'npm' && event === undefined);
  return isTyped ? line.replace(/^ferry /, `${runners[manager] ?? 'npx'} ferry `) : line;
}

/** Whether to use color on a stream. Decided only here, because chalk and ora each have their own rules. */
export function isColored(output: Output, env: Env, wanted: boolean | undefined): boolean {
  if (wanted !== undefined) return wanted;
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return !isOff(env.FORCE_COLOR);
  if (env.CLICOLOR_FORCE && !isOff(env.CLICOLOR_FORCE)) return true;
  return env.TERM !== 'dumb' && output.isTTY === true;
}

function isOff(value: string): boolean {
  return value === '0' || value === 'false';
}

/** Terminals that are known to show hyperlinks. Others may show the raw sequence. */
function showsLinks(env: Env): boolean {
  if (env.TERM === 'dumb' || env.NO_HYPERLINKS) return false;
  if (env.FORCE_HYPERLINK && !isOff(env.FORCE_HYPERLINK)) return true;
  const programs = ['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'Tabby', 'rio'];
  if (programs.includes(env.TERM_PROGRAM ?? '')) return true;
  if (env.WT_SESSION || env.KONSOLE_VERSION || env.DOMTERM) return true;
  return /kitty|alacritty|foot/.test(env.TERM ?? '') || Number(env.VTE_VERSION ?? 0) >= 5000;
}

/** An OSC 8 hyperlink, for http and https only. The URL is normalized, so it cannot end the sequence early. */
function hyperlink(text: string, url: string): string {
  if (!URL.canParse(url)) return text;
  const { href, protocol } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return text;
  return `\u001b]8;;${href}\u0007${text}\u001b]8;;\u0007`;
}
