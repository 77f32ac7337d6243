/** An animation beside a line, by ora, on any output that is a terminal. */
import ora from 'ora';
import type { Output } from './host.js';

export type Spinner = {
  /** Shows a line, animated and asked anew each time, in the place of the one before. */
  start(text: () => string): void;
  /** Takes it away. */
  stop(): void;
};

/** ora draws the frames. When is decided here: a spinner left running neither keeps the process nor hides the cursor. */
export function createSpinner(output: Output): Spinner {
  const spinner = ora({
    stream: terminal(output),
    // Colour is the style's business; ora would look at another stream's.
    color: false,
    hideCursor: false,
    isEnabled: true,
    // In raw mode Ctrl-C would be no signal.
    discardStdin: false,
  });
  let timer: NodeJS.Timeout | undefined;
  let said = (): string => '';
  const render = (): void => {
    spinner.text = said();
    spinner.render();
  };
  return {
    start(text) {
      said = text;
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
      // Some terminals say 0 before they know.
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
