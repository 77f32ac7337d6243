import { expect, test } from 'vitest';
import * as JsonSize from '../../../src/core/text/JsonSize.js';

test.each([
  [1, true],
  [2, true],
  [3, false],
])('isOver: three objects and lists for a limit of %i', (most, expected) => {
  expect(JsonSize.isOver('[{}, {"a":1}]', most)).toBe(expected);
});
