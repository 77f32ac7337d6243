/** Colour by chalk, decided for each stream on its own. */
import { plain, type Style } from '../core/render/Style.js';
import type { Output } from './host.js';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The style of a stream. The first that speaks decides: --color or --no-color, NO_COLOR, FORCE_COLOR or
 * CLICOLOR_FORCE, TERM=dumb, whether the stream is a terminal. An empty variable says nothing.
 */
export async function createStyle(output: Output, env: Env, wanted: boolean | undefined): Promise<Style> {
  const width = output.columns ?? plain.width;
  if (!isColored(output, env, wanted)) return { ...plain, width };
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  return {
    bold: chalk.bold,
    dim: chalk.dim,
    red: chalk.red,
    green: chalk.green,
    yellow: chalk.yellow,
    cyan: chalk.cyan,
    link: output.isTTY ? hyperlink : plain.link,
    width,
  };
}

/** Whether a stream is to be coloured. */
export function isColored({ isTTY }: Output, env: Env, wanted: boolean | undefined): boolean {
  if (wanted !== undefined) return wanted;
  if (env.NO_COLOR) return false;
  const forced = env.FORCE_COLOR || env.CLICOLOR_FORCE;
  if (forced) return forced !== '0' && forced !== 'false';
  return env.TERM !== 'dumb' && isTTY === true;
}

/** OSC 8. What could end the sequence early is left out of the URL. */
function hyperlink(text: string, url: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these would end the escape sequence
  return `\u001b]8;;${url.replace(/[\u0000-\u001f\u007f-\u009f]/g, '')}\u0007${text}\u001b]8;;\u0007`;
}
