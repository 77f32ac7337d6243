import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type * as Comparison from '../../../src/core/compare/Comparison.js';
import * as SvgChart from '../../../src/core/compare/SvgChart.js';
import { comparison, drawn } from '../../support/comparisons.js';
import { all, type Element, parse } from '../../support/xml.js';

const picture = (made: Comparison.Comparison): Element => parse(SvgChart.format(made, 'sandbox'));
const texts = (svg: Element): string[] => all(svg, 'text').map(({ text }) => text);

type Box = { left: number; right: number; top: number; bottom: number };

function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** The box of a text, by its font size and anchor. */
function boxOf({ attributes, text }: Element): Box {
  const classes = (attributes.class ?? '').split(' ');
  const size = classes.includes('title') ? 21 : classes.includes('value') ? 12 : 13;
  // Narrower than the width that the layout assumes, which is an upper bound.
  const wide = [...text].length * size * 0.576;
  const x = Number(attributes.x);
  const y = Number(attributes.y);
  const left = classes.includes('middle') ? x - wide / 2 : classes.includes('end') ? x - wide : x;
  return { left, right: left + wide, top: y - size * 0.8, bottom: y + size * 0.2 };
}

function expectApart(svg: Element): void {
  const boxes = all(svg, 'text').map((each) => ({ box: boxOf(each), text: each.text }));
  const size = { right: Number(svg.attributes.width), bottom: Number(svg.attributes.height) };
  for (const [index, { box, text }] of boxes.entries()) {
    const over = boxes.slice(index + 1).filter((other) => overlaps(box, other.box));
    expect([text, over.map((other) => other.text)]).toEqual([text, []]);
    const isInside = box.left >= 0 && box.top >= 0 && box.right <= size.right && box.bottom <= size.bottom;
    expect([text, isInside]).toEqual([text, true]);
  }
}

describe('format', () => {
  test('default: axes with units, a legend, labels, a tooltip for each mark', async () => {
    const svg = picture(await comparison(['0.001', '0.1', '10'], 'alpha/eth', ['beta/usdc', 'beta/eth']));
    const words = texts(svg);
    for (const word of ['bps', '%', 'Amount in ETH (both axes logarithmic)', 'to beta/usdc', 'to beta/eth'])
      expect(words).toContain(word);
    expect(words).toContain(
      'Cost in basis points of the amount (100 bps = 1%), quoted on sandbox at 2030-01-02 03:04 UTC',
    );
    const tips = all(svg, 'title').map(({ text }) => text);
    expect(tips).toContainEqual(expect.stringMatching(/^0\.1 ETH to beta\/eth: [\d.]+ bps, \$[\d.]+$/));
    expect(all(svg, 'polyline')).toHaveLength(2);
    expectApart(svg);
  });

  test('behavior: the parts of the only destination are dashed lines', async () => {
    const svg = picture(await comparison(['0.001', '0.1', '10'], 'alpha/eth', ['beta/usdc']));
    expect(texts(svg)).toEqual(expect.arrayContaining(['to beta/usdc, total', 'Execution', 'Swap', 'Platform', 'Gas']));
    expect(all(svg, 'polyline').filter((each) => each.attributes.class?.startsWith('part'))).toHaveLength(4);
    expectApart(svg);
  });

  test('behavior: missing quotes are marked below the axis', () => {
    const svg = picture(drawn({ 'beta/usdc': { '1': 5, '10': 50, '100': null } }));
    expect(texts(svg)).toContain('no quote');
    expect(all(svg, 'title').map(({ text }) => text)).toContain('100 ETH to beta/usdc: no quote');
    expectApart(svg);
  });

  test.each([
    ['the smallest and the largest', { a: { '0.000000000000000001': 9999.9, '1000000000000000': 0.1 } }],
    ['the same costs', { a: { '1': 9, '2': 9 }, b: { '1': 9, '2': 9 }, c: { '1': 9, '2': 9 } }],
    [
      'amounts side by side',
      { a: Object.fromEntries(Array.from({ length: 60 }, (_, i) => [String(1000 + i), 5 + i])) },
    ],
    [
      'many destinations with long names',
      Object.fromEntries(
        Array.from({ length: 12 }, (_, i) => [`chain${i}/0x${'ab'.repeat(20)}`, { '1': i, '9': i * i }]),
      ),
    ],
  ])('behavior: nothing overlaps with %s', (_, costs) => {
    expectApart(picture(drawn(costs)));
  });

  test('behavior: nothing overlaps, whatever the costs are', () => {
    const amount = fc.integer({ min: -6, max: 6 }).map((power) => String(Number(`1e${power}`)));
    const cost = fc.option(fc.double({ min: -50, max: 9000, noNaN: true }), { nil: null });
    const costs = fc.dictionary(amount, cost, { minKeys: 1, maxKeys: 9 });
    fc.assert(
      fc.property(costs, costs, (a, b) => expectApart(picture(drawn({ 'beta/usdc': a, 'beta/eth': b })))),
      { numRuns: 60 },
    );
  });

  test.each([
    '</text><script>alert(1)</script>',
    '"&\'<>',
    '\u0000\u001b[2J\u202e',
    ']]>',
    '\ud800',
    '&lt;',
    'x'.repeat(500),
  ])('behavior: a symbol such as %j is only text', (symbol) => {
    const svg = picture(drawn({ '<b>/"x"': { '1': 5, '10': 50 } }, symbol));
    const names = new Set(
      ['svg', 'g', 'script', 'a', 'foreignObject', 'image', 'use']
        .flatMap((name) => all(svg, name))
        .map(({ name }) => name),
    );
    expect([...names]).toEqual(['svg']);
    expect(texts(svg).join('')).toContain('to <b>/"x"');
    expectApart(svg);
  });

  test('behavior: no scripts and no external resources', async () => {
    const source = SvgChart.format(await comparison(['1', '10'], 'alpha/eth', ['beta/usdc']), 'sandbox');
    expect(source).not.toMatch(/<script|\son\w+=|href|<image|<foreignObject|@import/i);
    expect(source.match(/https?:[^"]*/g)).toEqual(['http://www.w3.org/2000/svg']);
    expect(source.match(/url\([^)]*\)/g)?.every((each) => each === 'url(#plot)')).toBe(true);
  });
});

/** The contrast ratio of two colors by WCAG 2: from 1 to 21. */
function contrast(a: string, b: string): number {
  const luminance = (color: string): number => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5]
      .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

const [light = '', dark = ''] = SvgChart.sheet.split('@media (prefers-color-scheme:dark)');

test.each([
  ['light', light],
  ['dark', dark],
])('sheet: text and lines are readable on %s', (_, sheet) => {
  const color = (rule: RegExp): string[] => [...sheet.matchAll(rule)].map(([, found = '']) => found);
  const [paper = ''] = color(/\.paper\{fill:(#\w+)/g);
  for (const text of color(/\.(?:ink|soft)\{fill:(#\w+)/g)) expect(contrast(text, paper)).toBeGreaterThan(4.5);
  const lines = color(/\.[sp]\d\{color:(#\w+)/g);
  expect(lines).toHaveLength(SvgChart.seriesCount + SvgChart.partsCount);
  for (const line of lines) expect(contrast(line, paper)).toBeGreaterThan(4.5);
});
