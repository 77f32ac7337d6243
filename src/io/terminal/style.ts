/** Colour and hyperlinks, decided for each stream on its own. chalk is loaded only where there is colour. */
import { plain, type Style } from '../../core/text/TerminalStyle.js';
import type { Output } from './host.js';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The style of a stream. The first that speaks decides: --color or --no-color, NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE,
 * TERM=dumb, whether the stream is a terminal. An empty variable says nothing.
 *
 * @param wanted what --color or --no-color says; undefined where neither was typed
 */
export async function createStyle(output: Output, env: Env, wanted: boolean | undefined): Promise<Style> {
  // Some terminals say 0 before they know.
  const width = output.columns || plain.width;
  if (!isColored(output, env, wanted)) return { ...plain, width };
  const { Chalk } = await import('chalk');
  // The colours that a person has chosen for the terminal: every other one may be unreadable there.
  const { bold, dim, red, green, yellow, cyan } = new Chalk({ level: 1 });
  // chalk joins all its arguments, also the index and the array that `map` passes.
  const only = (color: (text: string) => string) => (text: string) => color(text);
  const link = output.isTTY === true && showsLinks(env) ? hyperlink : plain.link;
  return {
    bold: only(bold),
    dim: only(dim),
    red: only(red),
    green: only(green),
    yellow: only(yellow),
    cyan: only(cyan),
    link,
    width,
  };
}

/** Whether a stream is to be coloured. Decided here alone, since chalk and ora each go by rules of their own. */
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

/** OSC 8, for http and https only, in the form that the URL parser gives: nothing in it can end the sequence early. */
function hyperlink(text: string, url: string): string {
  if (!URL.canParse(url)) return text;
  const { href, protocol } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return text;
  return `\u001b]8;;${href}\u0007${text}\u001b]8;;\u0007`;
}
