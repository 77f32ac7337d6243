/**
 * Every help, view, question and error has the same words in color as without, in the same order. Each at one of three
 * widths, in rotation, and the views of commands that change little; COLORS=all runs every command at every width.
 *
 * The manual's pictures of views are drawn anew by
 * PICTURES=1 npx vitest run --config test/vitest.config.ts test/scenarios/colors.test.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { table } from '../../src/cli/commandTable.js';
import { topics } from '../../src/core/docs/HelpTopic.js';
import * as TerminalText from '../../src/core/text/TerminalText.js';
import { ferry } from '../support/ferry.js';
import { confirms, type Line, lines, mistakes, printed, quick } from '../support/mannersCells.js';
import { type Desk, openDesk } from '../support/mannersDesk.js';
import type { Outcome } from '../support/mannersSpecimens.js';
import { draw, wording } from '../support/picture.js';

const isWhole = process.env.COLORS === 'all';
const widths = [60, 80, 140] as const;

type Look = { columns: number; env: Record<string, string> };

/** The widths of the line at an index. */
function widthsOf(index: number): readonly number[] {
  return isWhole ? widths : widths.slice(index % widths.length).slice(0, 1);
}

/**
 * The words, without those that two runs do not share: numbers, hashes, names of files, units of time, which of two
 * nodes is the first that does not answer, how many runs there are, and the states that a transfer is seen in.
 */
function wordsOf(text: string): string {
  const lasting = text.replaceAll(/^\s*→ .*$/gm, '');
  const words = lasting.replaceAll(/\S*[\d/]\S*/g, '').match(/\p{L}{2,}/gu) ?? [];
  return words.filter((word) => !['ms', 'alpha', 'beta', 'run', 'runs'].includes(word)).join(' ');
}

/** What is wrong with a text in color, whether it has any, and the text. */
async function inColor(index: number, print: (look: Look) => Promise<string>) {
  const wrong: string[] = [];
  let isColored = false;
  let text = '';
  for (const columns of widthsOf(index)) {
    const plain = await print({ columns, env: { NO_COLOR: '1' } });
    const colored = await print({ columns, env: { FORCE_COLOR: '1' } });
    const bare = TerminalText.bare(colored);
    text = plain;
    isColored ||= bare !== colored;
    if (plain.includes('\u001b')) wrong.push(`${columns}: NO_COLOR is colored`);
    if (bare.includes('\u001b')) wrong.push(`${columns}: other sequences than of color`);
    if (/undefined|\[object|\bNaN\b/.test(bare)) wrong.push(`${columns}: ${bare.slice(0, 300)}`);
    if (wordsOf(bare) !== wordsOf(plain)) wrong.push(`${columns}:\n${wordsOf(bare)}\n${wordsOf(plain)}`);
  }
  return { wrong, isColored, text };
}

/** Their results are for other programs, a single value or a sentence. */
const colorless: readonly string[] = [
  ...['config get', 'completion', 'schema', 'runs prune', 'contracts accept', 'sandbox stop', 'sandbox reset'],
  ...['sandbox exec', 'sandbox logs', 'open', 'version', 'config path'],
];

/** They move no money and ask no network: what they show is this machine's, of several networks, or a file's. */
const anywhere =
  /^(?:address|batch|completion|config|contracts accept|demo|key|open|runs (?:cancel|prune|close)|sandbox|schema|smoke|store|trace|version|worker|fees (?:schedule|share))\b/;

describe('help and mistakes', () => {
  test('default: every command, topic and mistake', async () => {
    const typed: string[][] = [[], ...topics.map(({ name }) => ['help', name])];
    for (const entry of table) {
      const all = mistakes(entry, await entry.load());
      typed.push([...entry.name.split(' '), '--help'], ...(isWhole ? all : all.slice(0, 1)));
    }
    const wrong: string[] = [];
    for (const [index, argv] of typed.entries()) {
      const isMistake = index > topics.length && !argv.includes('--help');
      const found = await inColor(index, async (look) => {
        const { stdout, stderr } = await ferry(argv, look);
        return `${stdout}${stderr}`;
      });
      wrong.push(...found.wrong.map((each) => `${argv.join(' ')} at ${each}`));
      if (isMistake && !found.isColored) wrong.push(`${argv.join(' ')}: no color`);
    }
    expect(wrong).toEqual([]);
  }, 300_000);
});

describe('views, questions and errors', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk();
  }, 120_000);
  afterAll(() => desk?.stop());

  const shown = lines.filter(({ entry }) => isWhole || quick.includes(entry.name));

  async function assertSame(line: Line, outcome: Outcome): Promise<string> {
    const { entry, index } = line;
    const print = (look: Look) => printed(desk, line, outcome, look);
    // A first time, after which the sandbox in the background is as it will be.
    if (entry.name.startsWith('sandbox ')) await print({ columns: 80, env: {} });
    const { wrong, isColored, text } = await inColor(index, print);
    expect(wrong).toEqual([]);
    if (!colorless.includes(entry.name)) expect(isColored).toBe(true);
    return text;
  }

  test.each(shown)(
    'default: ferry $title, and the network stands in its view',
    async (line) => {
      const text = await assertSame(line, 'success');
      if (!anywhere.test(line.entry.name))
        expect(text).toMatch(
          /\bNetwork +(?:sandbox$|mainnet, real money$)|^Run +Started [()A-Za-z]+ +State +Funds +Network|on sandbox\.$/m,
        );
    },
    120_000,
  );

  const some = lines.filter(({ index }) => isWhole || index % 3 === 0);

  test.each(some)(
    'error: nobody answers ferry $title, nor its question',
    async (line) => {
      if (shown.includes(line)) await assertSame(line, 'network');
      if (await confirms(desk, line)) await assertSame(line, 'unanswered');
    },
    120_000,
  );

  const pictured = ['verify', 'fees explain', 'fees compare', 'runs list', 'venue account', 'tokens'];

  test.each(pictured)('behavior: the picture of ferry %s shows what it prints', async (name) => {
    const [line] = lines.filter(({ entry }) => entry.name === name);
    if (!line) throw new Error(`There is no specimen of ${name}.`);
    const look = { columns: 100, env: { FORCE_COLOR: '1' } };
    const screen = await printed(desk, line, 'success', look);
    const drawn = draw(screen.replaceAll(/(?<![\w:/])\/\S*\//g, '~/'), look.columns, `ferry ${name}`);
    const file = `view-${name.replace(' ', '-')}.svg`;
    const path = fileURLToPath(new URL(`../../.github/${file}`, import.meta.url));
    if (process.env.PICTURES) writeFileSync(path, drawn);
    // Of a run of its own, with numbers and hashes of its own.
    const shows = (svg: string): string => wordsOf(wording(svg).join(' '));
    expect(shows(drawn)).toEqual(shows(readFileSync(path, 'utf8')));
  });
});
