import { expect, test } from 'vitest';
import { nearest } from '../../../src/core/text/DidYouMean.js';

test.each([
  ['usdd', ['USDC', 'WETH'], 'USDC'],
  ['alhpa', ['alpha', 'beta'], 'alpha'],
  ['bta', ['alpha', 'beta'], 'beta'],
  ['zzzz', ['alpha', 'beta'], undefined],
  ['', ['eth'], undefined],
])('nearest: %j among %j', (text, candidates, expected) => {
  expect(nearest(text, candidates)).toBe(expected);
});
