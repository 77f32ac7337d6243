/** Draws a terminal screen as a self-contained SVG without scripts or external references. */

import { element, type Node } from '../../src/core/checks/Xml.js';
import * as TerminalText from '../../src/core/text/TerminalText.js';

/** A character with its combining marks, which takes zero, one or two columns. */
type Cell = { text: string; look: string };

/** Cells drawn as one text, starting at a column. */
type Stretch = Cell & { column: number; columns: number };

const cell = { width: 8.4, height: 20 };
const margin = 20;

/** The styles of a dark terminal, and of a light one where the reader's pages are light. */
const sheet = [
  'text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;fill:#e3e9ef}',
  '.paper{fill:#12171d;stroke:#3a4550}',
  '.bold{font-weight:700}',
  '.dim{opacity:.65}',
  '.underlined{text-decoration:underline}',
  '.black{fill:#667380}',
  '.red{fill:#ff8396}',
  '.green{fill:#51d3a3}',
  '.yellow{fill:#e5c07b}',
  '.blue{fill:#6db3ff}',
  '.magenta{fill:#cf9dff}',
  '.cyan{fill:#4fd5e1}',
  '.white{fill:#ffffff}',
  '@media(prefers-color-scheme:light){',
  'text{fill:#1f2328}',
  '.paper{fill:#ffffff;stroke:#d0d7de}',
  '.black{fill:#57606a}',
  '.red{fill:#b3142b}',
  '.green{fill:#116b45}',
  '.yellow{fill:#7d5200}',
  '.blue{fill:#0a58b5}',
  '.magenta{fill:#7a2fb8}',
  '.cyan{fill:#0b6673}',
  '.white{fill:#1f2328}',
  '}',
].join('');

const colours = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

/**
 * Draws a screen with color escape sequences, as printed by `tmux capture-pane -e`. Long lines continue in the next
 * row; hyperlinks are dropped.
 *
 * @throws Error for content that a picture cannot show as the terminal does
 */
export function draw(screen: string, columns: number, title: string): string {
  const rows = rowsOf(screen.trimEnd(), columns);
  const size = { width: columns * cell.width + 2 * margin, height: rows.length * cell.height + 2 * margin };
  const texts = rows.flatMap((row, index) =>
    stretches(row).map(({ column, columns: taken, look, text }) =>
      element(
        'text',
        {
          x: margin + column * cell.width,
          y: margin + index * cell.height + 15,
          // Keeps the columns aligned in any font.
          textLength: taken * cell.width,
          lengthAdjust: 'spacingAndGlyphs',
          ...(look === '' ? {} : { class: look }),
        },
        text,
      ),
    ),
  );
  const frame = { x: 0.5, y: 0.5, width: size.width - 1, height: size.height - 1, rx: 8, class: 'paper' };
  const content = [
    element('title', { id: 'title' }, title),
    element('style', {}, sheet),
    element('rect', frame),
    ...texts,
  ];
  const root = {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: `0 0 ${Math.round(size.width * 100) / 100} ${size.height}`,
    ...size,
    role: 'img',
    'aria-labelledby': 'title',
  };
  // One line per text, for readable diffs.
  return `${element(
    'svg',
    root,
    content.map((node) => `\n${node}` as Node),
  ).replace(/<\/svg>$/, '\n</svg>')}\n`;
}

/** The text of a picture without numbers, hashes and how long ago it was, which is the same for two runs of one program. */
export function wording(svg: string): string[] {
  const rows = new Map<string, string[]>();
  for (const [, y = '', text = ''] of svg.matchAll(/<text x="[\d.]+" y="([\d.]+)"[^>]*>([^<]*)/g))
    rows.set(y, [...(rows.get(y) ?? []), text]);
  return [...rows.values()].map((texts) =>
    texts
      .join(' ')
      .replace(/0x[0-9a-f]+(?: ?… ?[0-9a-f]+)?/gi, '#')
      .replace(/\d+(?:[.,:-]\w+)*/g, '0')
      .replace(/, (now|0 \w+ ago)$/, ', now'),
  );
}

/** The start or the end of a hyperlink, and a style sequence, as regular expressions. */
const link = '\\u001b\\]8;[^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)';
const looks = '\\u001b\\[([0-9;]*)m';

function rowsOf(screen: string, columns: number): Cell[][] {
  let set = new Set<string>();
  const rows: Cell[][] = [[]];
  let taken = 0;
  const sequence = new RegExp(`${link}|${looks}|[\\s\\S]`, 'gu');
  for (const [token, codes] of screen.matchAll(sequence)) {
    if (codes !== undefined) set = codes.split(';').reduce((before, code) => looked(before, Number(code)), set);
    else if (token === '\n') {
      rows.push([]);
      taken = 0;
    } else if (!token.startsWith('\u001b]')) {
      if (/\p{Cc}/u.test(token)) throw new Error(`no picture of ${JSON.stringify(token)}`);
      const wide = TerminalText.width(token);
      if (taken + wide > columns) {
        rows.push([]);
        taken = 0;
      }
      taken += wide;
      const row = rows.at(-1);
      const last = row?.at(-1);
      if (wide === 0 && last) last.text += token;
      else row?.push({ text: token, look: [...set].sort().join(' ') });
    }
  }
  return rows;
}

/** The text style after a code of `ESC [ … m`. */
function looked(before: ReadonlySet<string>, code: number): Set<string> {
  const colour = code >= 90 ? colours[code - 90] : colours[code - 30];
  if (code === 0) return new Set();
  if (code === 1) return new Set([...before, 'bold']);
  if (code === 2) return new Set([...before, 'dim']);
  if (code === 4) return new Set([...before, 'underlined']);
  const without = (names: readonly string[]) => [...before].filter((name) => !names.includes(name));
  if (code === 22) return new Set(without(['bold', 'dim']));
  if (code === 24) return new Set(without(['underlined']));
  if (code === 49) return new Set(before);
  if (code === 39) return new Set(without(colours));
  if (colour) return new Set([...without(colours), colour]);
  throw new Error(`no picture of the code ${code}`);
}

/**
 * Groups adjacent cells of a row with the same style. Characters that may come from another font, with another width,
 * are placed separately.
 */
function stretches(row: readonly Cell[]): Stretch[] {
  const found: Stretch[] = [];
  let column = 0;
  let blanks = Number.POSITIVE_INFINITY;
  for (const { text, look } of row) {
    const columns = TerminalText.width(text);
    const last = found.at(-1);
    const isPlain = /^[!-~]$/.test(text);
    if (text === ' ') blanks++;
    else if (last && isPlain && blanks < 2 && last.look === look && /[!-~]$/.test(last.text)) {
      last.text += ' '.repeat(blanks) + text;
      last.columns += blanks + columns;
      blanks = 0;
    } else {
      found.push({ text, look, column, columns });
      blanks = 0;
    }
    column += columns;
  }
  return found;
}
