import { expect, test } from 'vitest';
import * as TerminalText from '../../../src/core/text/TerminalText.js';

const esc = '\u001b';

test('escape: escapes whatever could move the cursor, hide or reverse text', () => {
  expect(TerminalText.escape(`a${esc}[31mb\rc\nd\u202eevil\u200b\u0085`)).toBe(
    'a\\x1b[31mb\\x0dc\\x0ad\\u{202e}evil\\u{200b}\\x85',
  );
});

test('attack: blanks lay out no line of their own', () => {
  expect(TerminalText.escape('Funds\u00a0\u2003\u3000\u2800delivered a b')).toBe(
    'Funds\\xa0\\u{2003}\\u{3000}\\u{2800}delivered a b',
  );
});

test('brief and bare: on one line, shortened and escaped; without colors and hyperlinks', () => {
  expect(TerminalText.brief(` a\n\t b${esc}[2J `)).toBe('a b\\x1b[2J');
  expect(TerminalText.brief('abcdef', 4)).toBe('abcd…');
  expect(TerminalText.bare(`${esc}[1mbold${esc}[22m ${esc}]8;;https://x.example\u0007link${esc}]8;;\u0007`)).toBe(
    'bold link',
  );
});

test.each([
  ['日本', 4],
  ['e\u0301', 1],
  [`${esc}[31mred${esc}[39m`, 3],
  ['🚢', 2],
  [`${esc}[1m日${esc}[22m本 ${esc}]8;;https://x.example\u0007✓${esc}]8;;\u0007`, 6],
  ['… → ─ │ ✓ ✗ • · — é ß', 21],
  ['₮ ± ① Ж ™ ❤ ☎', 13],
  ['ＵＳＤ', 6],
  ['ｶﾞ', 2],
  ['\u1112\u1161\u11ab', 2],
  ['नमस्ते', 4],
  ['நி', 2],
  ['กำ', 2],
  ['o\u0302\u0301', 1],
  ['👍🏽', 2],
  ['🇨🇭🇩🇪', 4],
  ['1\ufe0f\u20e3', 2],
  ['❤\ufe0f', 2],
  ['❤\ufe0e', 1],
  ['👩🏽\u200d🚀', 2],
  ['🏴\u{e0067}\u{e0062}\u{e007f}', 2],
])('width: %j', (text, expected) => {
  expect(TerminalText.width(text)).toBe(expected);
});

test('columns: behavior: a cell wider than most shifts only its own row', () => {
  const rows = [
    ['a', 'b'],
    ['longer', 'c'],
    ['abc', 'd'],
  ];
  expect(TerminalText.columns(rows, [], 4)).toBe('a    b\nlonger  c\nabc  d');
});

test('span', () => {
  const seconds = [0, 1, 1.2, 119, 120, 121, 7_199, 7_200, 172_800, 999_999_999];
  expect(seconds.map((each) => TerminalText.span(each))).toEqual([
    '0 seconds',
    '1 second',
    '2 seconds',
    '119 seconds',
    '2 minutes',
    '3 minutes',
    '120 minutes',
    '2 hours',
    '2 days',
    '11575 days',
  ]);
});

test.each([
  ['1000', '1,000'],
  ['1234567.8912345', '1,234,567.8912345'],
  ['-$12345.60', '-$12,345.60'],
  ['115792089237316195423570985008687907853', '115,792,089,237,316,195,423,570,985,008,687,907,853'],
  ['no price', 'no price'],
])('grouped: %s', (text, expected) => {
  expect(TerminalText.grouped(text)).toBe(expected);
});

test.each([
  ['Approve USDC', 'approve USDC'],
  ['A run', 'a run'],
  ['JSON', 'JSON'],
  ['', ''],
])('lowerFirst: %s', (text, lower) => {
  expect(TerminalText.lowerFirst(text)).toBe(lower);
});
