/** A page as a real browser shows it: its text, the colors of its pixels, and what the browser said about it. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { inflateSync } from 'node:zlib';

const run = promisify(execFile);

/** The browser; undefined if it is not installed. */
export const browser: string | undefined = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'chromium'))
  .find((path) => existsSync(path));

export type Seen = {
  /** The document after scripts, if there were any that ran. */
  document: string;
  /** How many pixels have each color, as `rrggbb`. */
  colors: ReadonlyMap<string, number>;
  /** What the browser's console says: scripts and styles that were refused too. */
  console: readonly string[];
};

/** Opens a page in a window. */
export async function open(url: string, { isDark = false, width = 1000 } = {}): Promise<Seen> {
  if (!browser) throw new Error('Chromium is not installed.');
  const folder = mkdtempSync(join(tmpdir(), 'ferry-browser-'));
  const shown = join(folder, 'page.png');
  // As root, it has no sandbox of its own. The pages are from this machine.
  const options = [
    ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--enable-logging=stderr'],
    ...[`--user-data-dir=${join(folder, 'profile')}`, `--window-size=${width},800`],
    ...(isDark ? ['--blink-settings=preferredColorScheme=0'] : []),
  ];
  const how = { env: { PATH: process.env.PATH, HOME: folder }, maxBuffer: 1 << 24, timeout: 30_000 };
  try {
    const { stdout, stderr } = await run(browser, [...options, '--dump-dom', url], how);
    await run(browser, [...options, `--screenshot=${shown}`, url], how);
    const console = stderr.split('\n').filter((line) => line.includes(':CONSOLE'));
    return { document: stdout, colors: colorsOf(readFileSync(shown)), console };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The colors of a PNG of three bytes a pixel, not interlaced, as the browser writes it. */
function colorsOf(png: Buffer): ReadonlyMap<string, number> {
  const parts: Buffer[] = [];
  let width = 0;
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const kind = png.toString('latin1', at + 4, at + 8);
    const part = png.subarray(at + 8, at + 8 + length);
    if (kind === 'IHDR') {
      width = part.readUInt32BE(0);
      const format = [part[8], part[9], part[12]].join(' ');
      if (format !== '8 2 0') throw new Error(`a PNG of another format: ${format}`);
    }
    if (kind === 'IDAT') parts.push(part);
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * 3;
  const colors = new Map<string, number>();
  let above: Buffer = Buffer.alloc(stride);
  for (let start = 0; start < raw.length; start += stride + 1) {
    const row = Buffer.from(raw.subarray(start + 1, start + 1 + stride));
    for (let x = 0; x < stride; x++) {
      const [left, up, corner] = [row[x - 3] ?? 0, above[x] ?? 0, x < 3 ? 0 : (above[x - 3] ?? 0)];
      row[x] = ((row[x] ?? 0) + predicted(raw[start] ?? 0, left, up, corner)) & 255;
    }
    above = row;
    for (let x = 0; x < stride; x += 3) {
      const color = row.toString('hex', x, x + 3);
      colors.set(color, (colors.get(color) ?? 0) + 1);
    }
  }
  return colors;
}

/** The filters of the PNG specification, section 9. */
function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((each) => Math.abs(guess - each)) as [number, number, number];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
