/** What is going on, told on stderr: a spinner on a terminal, plain lines elsewhere. */
import type { Output } from './host.js';
import type { Spinner } from './spinner.js';

export type Progress = {
  /** What is happening now. What was said before stays above it as a line, unless it was passing. */
  say(text: string, how?: Saying): void;
  /** How far it is. The next one takes its place and nothing stays of it; elsewhere it is a line every half minute. */
  show(text: string): void;
  /** Ends the animation and leaves the last line standing. Needed before anything else writes; `say` starts it again. */
  stop(): void;
};

export type Saying = {
  /** On a terminal the next one takes its place. */
  passes?: boolean;
  /** What stands behind it while it is the last line on a terminal, such as how long it has taken. */
  suffix?: () => string;
};

export type ProgressOptions = {
  /** Tells nothing. */
  silent: boolean;
  /** Where TERM is read: a dumb terminal cannot move its cursor. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Unix time in milliseconds. */
  now?: () => number;
};

/** How often a log that nobody watches hears that something still goes on. */
const heartbeatMs = 30_000;

/** Tells on an output. The spinner is loaded when there is first something to say. */
export function createProgress(output: Output, { silent, env = {}, now = Date.now }: ProgressOptions): Progress {
  if (silent) return { say: () => {}, show: () => {}, stop: () => {} };
  const line = (text: string): unknown => output.write(`${text}\n`);
  if (output.isTTY !== true || env.TERM === 'dumb')
    return { say: (text) => void line(text), show: heartbeat(line, now), stop: () => {} };

  let current: string | undefined;
  let passes = false;
  let suffix = (): string => '';
  let spinner: Spinner | undefined;
  let isLoading = false;

  const live = (): string => [current ?? '', suffix()].filter((part) => part !== '').join('  ');
  const stop = (): void => {
    spinner?.stop();
    if (current !== undefined && !passes) line(current);
    current = undefined;
  };
  const start = (text: string): void => {
    current = text;
    if (spinner) spinner.start(live);
    // Without a spinner the lines still appear, so that it cannot load is no failure.
    else if (!isLoading) load().catch(() => {});
  };
  const load = async (): Promise<void> => {
    isLoading = true;
    const { createSpinner } = await import('./spinner.js');
    spinner = createSpinner(output);
    if (current !== undefined) spinner.start(live);
  };

  return {
    say(text, how = {}) {
      stop();
      passes = how.passes ?? false;
      suffix = how.suffix ?? (() => '');
      start(text);
    },
    show(text) {
      if (!passes) stop();
      passes = true;
      suffix = () => '';
      start(text);
    },
    stop,
  };
}

function heartbeat(line: (text: string) => unknown, now: () => number): (text: string) => void {
  let last: number | undefined;
  return (text) => {
    last ??= now();
    if (now() - last < heartbeatMs) return;
    last = now();
    line(text);
  };
}
