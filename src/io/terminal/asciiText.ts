/** ASCII in place of what a terminal cannot show whose locale has no UTF-8, a character for a character. */
import { Writable } from 'node:stream';
import type { Output } from './host.js';

/** The text in ASCII, as wide as before: a table stays aligned, and a prompt knows where its cursor is. */
export function from(text: string): string {
  return text.replace(notAscii, (character) => known[character] ?? frame(character) ?? '?');
}

/** The same output, in ASCII if it is a terminal. A file or a pipe has no locale. */
export function output(of: Output): Output {
  if (of.isTTY !== true) return of;
  return Object.create(of, { write: { value: (text: string) => of.write(from(text)) } }) as Output;
}

/** The same for the stream on which questions are asked. */
export function stream(of: NodeJS.WritableStream): NodeJS.WritableStream {
  const write = (text: string, _: unknown, done: () => void): void => {
    of.write(from(text));
    done();
  };
  const shown = new Writable({ write, decodeStrings: false });
  // A question ends its output when it is answered. Like standard error, it is still there for the next one.
  shown.end = () => shown;
  const sized = (name: 'columns' | 'rows') => ({ get: () => (of as Partial<NodeJS.WriteStream>)[name] });
  return Object.defineProperties(shown, { columns: sized('columns'), rows: sized('rows'), isTTY: { value: true } });
}

const notAscii = /[^\0-\x7f]/gu;

const known: Readonly<Record<string, string>> = {
  ...{ '’': "'", '‘': "'", '“': '"', '”': '"', '…': '.', '·': '-', '•': '*', '–': '-', '—': '-', '−': '-', '×': 'x' },
  ...{ '→': '>', '↳': '>', '❯': '>', '↑': '^', '↓': 'v', '↻': '*', '↩': '<', '≠': '!', '≤': '<', '≥': '>' },
  ...{ '✓': '+', '✔': '+', '✗': 'x', '✖': 'x', '●': '*', '○': 'o', '◆': '*', '◇': 'o', '²': '2', '³': '3' },
  ...{ '─': '-', '━': '=', '│': '|', '└': '`', '├': '|', '┬': '+', '┤': '|', '┴': '+', '█': '#', '░': '.', '▒': ':' },
  ...{ '‖': '|', '▲': '^', '△': '^', '■': '#', '□': 'o', '\u00a0': ' ' },
};

/** The frames of a spinner, which are patterns of Braille. */
function frame(character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0;
  return code >= 0x2800 && code <= 0x28ff ? '|/-\\'[code % 4] : undefined;
}
