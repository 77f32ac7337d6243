/** Progress on stderr: a spinner on a terminal, plain lines elsewhere. */
import * as TerminalLine from '../../core/text/TerminalLine.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import type { Output } from './host.js';

export type Progress = {
  /** Shows the current step. The previous line stays above it, unless it was transient. */
  say(text: string, how?: Saying): void;
  /** Shows a progress gauge, replaced by the next one and never kept; off a terminal, a line every half minute. */
  show(text: string): void;
  /** Stops the animation and keeps the last line. Required before any other output; `say` starts it again. */
  stop(): void;
};

export type Saying = {
  /** Whether the next line replaces it on a terminal. */
  passes?: boolean;
  /** Text after the line while it is the last one on a terminal, such as the elapsed time. */
  suffix?: () => string;
};

export type ProgressOptions = {
  silent: boolean;
  /** The environment TERM is read from: a dumb terminal cannot move its cursor. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Unix time in milliseconds. */
  now?: () => number;
};

/** Interval of gauge lines in a log. */
const heartbeatMs = 30_000;

/** Creates the progress of an output. The spinner is loaded for the first line. */
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

  /** In lines that the terminal has room for beside the spinner: what it breaks, it breaks within words. */
  const live = (): string => {
    const room = (output.columns || 80) - 2;
    const lines = TerminalLine.fit(current ?? '', room).split('\n');
    const after = suffix();
    const joined = `${lines.at(-1)}  ${after}`;
    if (after === '') return lines.join('\n');
    return (TerminalText.width(joined) > room ? [...lines, `  ${after}`] : lines.with(-1, joined)).join('\n');
  };
  const stop = (): void => {
    spinner?.stop();
    if (current !== undefined && !passes) line(current);
    current = undefined;
  };
  const start = (text: string): void => {
    current = text;
    if (spinner) spinner.start(live);
    // A spinner that fails to load is not an error: the lines still appear.
    else if (!isLoading) load().catch(() => {});
  };
  const load = async (): Promise<void> => {
    isLoading = true;
    spinner = await createSpinner(output);
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

type Spinner = {
  /** Shows an animated line in place of the previous one. The text is evaluated for every frame. */
  start(text: () => string): void;
  stop(): void;
};

/**
 * An animated line. ora only draws the frames. The timer is here, so that a running spinner neither blocks exit nor
 * hides the cursor.
 */
export async function createSpinner(output: Output): Promise<Spinner> {
  const { default: ora } = await import('ora');
  const spinner = ora({
    stream: terminal(output),
    // Color is up to the style; ora would check another stream.
    color: false,
    hideCursor: false,
    isEnabled: true,
    // In raw mode, Ctrl-C would not send a signal.
    discardStdin: false,
  });
  let timer: NodeJS.Timeout | undefined;
  let frame = (): string => '';
  const render = (): void => {
    spinner.text = frame();
    spinner.render();
  };
  return {
    start(text) {
      frame = text;
      render();
      timer ??= setInterval(render, spinner.interval).unref();
    },
    stop() {
      if (timer === undefined) return;
      clearInterval(timer);
      timer = undefined;
      spinner.clear();
    },
  };
}

/** The part of a terminal's stream that ora uses; a host's output only writes. */
function terminal(output: Output): NodeJS.WriteStream {
  const sequence = (end: string): unknown => output.write(`\u001b[${end}`);
  const stream = {
    isTTY: true,
    get columns() {
      // Some terminals report 0 before they know their width.
      return output.columns || 80;
    },
    write: (text: string) => {
      output.write(text);
      return true;
    },
    cursorTo: (column: number) => sequence(`${column + 1}G`),
    moveCursor: (_: number, rows: number) => (rows < 0 ? sequence(`${-rows}A`) : undefined),
    clearLine: () => sequence('2K'),
  };
  return stream as unknown as NodeJS.WriteStream;
}
