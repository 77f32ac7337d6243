/**
 * Every help, and the views, questions and errors of some commands, have the same words in color as without, in the same
 * order: help and results at the least width, which they fit, the rest at one of three, in rotation.
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
import { confirms, type Line, lines, mistakes, printed } from '../support/mannersCells.js';
import { type Desk, openDesk } from '../support/mannersDesk.js';
import type { Outcome } from '../support/mannersSpecimens.js';
import { draw, wording } from '../support/picture.js';
import { tooWide } from '../support/tooWide.js';

const widths = [60, 80, 140] as const;
const widthOf = (index: number): number => widths[index % widths.length] ?? 80;

type Look = { columns: number; env: Record<string, string> };

/**
 * The words, without those that two runs do not share: numbers, hashes, names of files, units of time, which of two
 * nodes is the first that does not answer, how many runs there are, and the states that a transfer is seen in.
 */
function wordsOf(text: string): string {
  // At the least width, the service's word for a state may stand on a line of its own.
  const lasting = text.replaceAll(/^\s*→ .*$(?:\n {2,}\([a-z]+\)$)?/gm, '');
  const words = lasting.replaceAll(/\S*[\d/]\S*/g, '').match(/\p{L}{2,}/gu) ?? [];
  return words.filter((word) => !['ms', 'alpha', 'beta', 'run', 'runs'].includes(word)).join(' ');
}

/** What is wrong with a text in color, whether it has any, and the text. */
async function inColor(columns: number, print: (look: Look) => Promise<string>) {
  const wrong: string[] = [];
  const text = await print({ columns, env: { NO_COLOR: '1' } });
  const colored = await print({ columns, env: { FORCE_COLOR: '1' } });
  const bare = TerminalText.bare(colored);
  if (text.includes('\u001b')) wrong.push(`${columns}: NO_COLOR is colored`);
  if (bare.includes('\u001b')) wrong.push(`${columns}: other sequences than of color`);
  if (/undefined|\[object|\bNaN\b/.test(bare)) wrong.push(`${columns}: ${bare.slice(0, 300)}`);
  if (wordsOf(bare) !== wordsOf(text)) wrong.push(`${columns}:\n${wordsOf(bare)}\n${wordsOf(text)}`);
  return { wrong, isColored: bare !== colored, text };
}

/** Commands whose views take less than a second each. */
const quick: readonly string[] = [
  ...['quote', 'execute', 'venue account', 'verify', 'status', 'runs list', 'runs show', 'requests list'],
  ...['requests show', 'fees explain', 'fees schedule', 'fees share', 'fees compare', 'fees balance', 'chains'],
  ...['tokens', 'contracts list', 'delegation show', 'allowance show', 'key list', 'key show', 'config list'],
  ...['config get', 'doctor', 'receipt', 'trace', 'smoke', 'completion', 'schema', 'balance', 'address list'],
];

/** Their results are for other programs, a single value or a sentence. */
const colorless: readonly string[] = ['config get', 'completion', 'schema'];

/** They move no money and ask no network: what they show is this machine's, of several networks, or a file's. */
const anywhere = /^(?:address|completion|config|key|schema|smoke|trace|fees (?:schedule|share))\b/;

describe('help and mistakes', () => {
  test('default: every command, topic and mistake; help fits a narrow terminal', async () => {
    const typed: string[][] = [[], ['--help'], ...topics.map(({ name }) => ['help', name])];
    for (const entry of table) {
      const all = mistakes(entry, await entry.load());
      typed.push([...entry.name.split(' '), '--help'], ...all.slice(0, 1));
    }
    const wrong: string[] = [];
    for (const [index, argv] of typed.entries()) {
      const isMistake = index > topics.length + 1 && !argv.includes('--help');
      const columns = isMistake ? widthOf(index) : 60;
      const found = await inColor(columns, async (look) => {
        const { stdout, stderr, code } = await ferry(argv, look);
        if (!isMistake) expect([argv, code]).toEqual([argv, 0]);
        return `${stdout}${stderr}`;
      });
      const wide = isMistake ? [] : tooWide(found.text, columns);
      wrong.push(...[...found.wrong, ...wide].map((each) => `${argv.join(' ')} at ${each}`));
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

  const shown = lines.filter(({ entry }) => quick.includes(entry.name));

  async function assertSame(line: Line, outcome: Outcome): Promise<string> {
    const { entry, index } = line;
    const print = (look: Look) => printed(desk, line, outcome, look);
    const columns = outcome === 'success' ? 60 : widthOf(index);
    const { wrong, isColored, text } = await inColor(columns, print);
    // A script for a shell, and a hash with its label.
    const wide = /^(?:completion|trace)$/.test(entry.name) ? [] : tooWide(text, columns);
    expect([...wrong, ...wide]).toEqual([]);
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

  // That an error has colour where it is due, the matrix of the manners sees of every command.
  const some = lines.filter(({ index }) => index % 9 === 0);

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
