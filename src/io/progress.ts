/** What is going on, told on stderr: a spinner on a terminal, plain lines elsewhere. */
import type { Output } from './host.js';
import type { Spinner } from './spinner.js';

export type Progress = {
  /** What is happening now. What was said before stays above it as a line. */
  say(text: string): void;
  /** Ends the animation and leaves the last line standing. Needed before anything else writes; `say` starts it again. */
  stop(): void;
};

export type ProgressOptions = {
  /** Tells nothing. */
  silent: boolean;
  /** Where TERM is read: a dumb terminal cannot move its cursor. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
};

/** Tells on an output. The spinner is loaded when there is first something to say. */
export function createProgress(output: Output, { silent, env = {} }: ProgressOptions): Progress {
  if (silent) return { say: () => {}, stop: () => {} };
  const line = (text: string): unknown => output.write(`${text}\n`);
  if (output.isTTY !== true || env.TERM === 'dumb') return { say: line, stop: () => {} };

  let current: string | undefined;
  let spinner: Spinner | undefined;
  let isLoading = false;

  const stop = (): void => {
    spinner?.stop();
    if (current !== undefined) line(current);
    current = undefined;
  };
  const load = async (): Promise<void> => {
    isLoading = true;
    const { createSpinner } = await import('./spinner.js');
    spinner = createSpinner(output);
    if (current !== undefined) spinner.start(current);
  };

  return {
    say(text) {
      stop();
      current = text;
      if (spinner) spinner.start(text);
      // Without a spinner the lines still appear, so that it cannot load is no failure.
      else if (!isLoading) load().catch(() => {});
    },
    stop,
  };
}
