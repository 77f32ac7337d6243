/** How text is decorated, as a value. `plain` is the identity; io makes the coloured one. */
export type Style = {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
  /** A terminal hyperlink where the stream can show one, else the text. */
  link(text: string, url: string): string;
  /** Columns of the terminal; 80 where there is none. */
  width: number;
};

const same = (text: string) => text;

/** No decoration. */
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
