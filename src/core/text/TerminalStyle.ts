/** Text styling, passed in as a value: `plain` changes nothing, and `io/terminal` provides the colored style. */
export type Style = {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
  /** A terminal hyperlink if the stream supports them, else the text alone. */
  link(text: string, url: string): string;
  /** Terminal width in columns; 80 if the stream is not a terminal. */
  width: number;
};

const same = (text: string) => text;

/** The style that changes nothing. */
export const plain: Style = {
  bold: same,
  dim: same,
  red: same,
  green: same,
  yellow: same,
  cyan: same,
  link: same,
  width: 80,
};
