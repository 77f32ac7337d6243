/** An animated line on a terminal, drawn with ora. */
import ora from 'ora';
import type { Output } from './host.js';

export type Spinner = {
  /** Shows an animated line in place of the previous one. The text is evaluated for every frame. */
  start(text: () => string): void;
  /** Clears the line. */
  stop(): void;
};

/** ora only draws the frames. The timer is here, so that a running spinner neither blocks exit nor hides the cursor. */
export function createSpinner(output: Output): Spinner {
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
