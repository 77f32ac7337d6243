/** An animation beside a line on a terminal, by ora. */
import ora from 'ora';
import type { Output } from './host.js';

export type Spinner = {
  /** Shows a line, animated, in the place of the one before. */
  start(text: string): void;
  /** Takes it away. */
  stop(): void;
};

/** A spinner on a terminal. Standard input stays as it is: in raw mode Ctrl-C would be no signal. */
export function createSpinner(output: Output): Spinner {
  const spinner = ora({ stream: output as NodeJS.WriteStream, discardStdin: false, isEnabled: true });
  return {
    start: (text) => {
      spinner.start(text);
    },
    stop: () => {
      spinner.stop();
    },
  };
}
