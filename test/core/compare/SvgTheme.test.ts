import { expect, test } from 'vitest';
import * as SvgTheme from '../../../src/core/compare/SvgTheme.js';

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

const [light = '', dark = ''] = SvgTheme.sheet.split('@media (prefers-color-scheme:dark)');

test.each([
  ['light', light],
  ['dark', dark],
])('sheet: text and lines are readable on %s', (_, sheet) => {
  const color = (rule: RegExp): string[] => [...sheet.matchAll(rule)].map(([, found = '']) => found);
  const [paper = ''] = color(/\.paper\{fill:(#\w+)/g);
  for (const text of color(/\.(?:ink|soft)\{fill:(#\w+)/g)) expect(contrast(text, paper)).toBeGreaterThan(4.5);
  const lines = color(/\.[sp]\d\{color:(#\w+)/g);
  expect(lines).toHaveLength(SvgTheme.seriesCount + SvgTheme.partsCount);
  for (const line of lines) expect(contrast(line, paper)).toBeGreaterThan(4.5);
});
