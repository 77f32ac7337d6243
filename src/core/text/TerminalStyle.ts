import { type Times, utc } from './TerminalTime.js';

/** Text styling, passed in as a value: `plain` changes nothing, and `io/terminal` provides the colored style. */
export type Style = Times & {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
  /** A command to type, called as this ferry was: `npx ferry` where that is the only way to it. */
  command(line: string): string;
  /** A terminal hyperlink if the stream supports them, else the text alone. */
  link(text: string, url: string): string;
  /** A decimal for reading: on a terminal with its thousands apart, elsewhere as it is. */
  number(text: string): string;
  /** Terminal width in columns; 80 if the stream is not a terminal. */
  width: number;
  /** The most columns of a line: without a terminal there is no limit, so that a row or a message is one line to search. */
  lineWidth: number;
};

const same = (text: string) => text;

/** The style that changes nothing. */
export const plain: Style = {
  ...utc,
  bold: same,
  dim: same,
  red: same,
  green: same,
  yellow: same,
  cyan: same,
  command: same,
  link: same,
  number: same,
  width: 80,
  lineWidth: Number.POSITIVE_INFINITY,
};
