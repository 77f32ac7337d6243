import { describe, expect, test } from 'vitest';
import * as Breakdown from '../../src/core/contract/Breakdown.js';
import { platformWord } from '../../src/sandbox/Words.js';

describe('platformWord', () => {
  test('default', () => {
    const component = { usd: '-0.010000' };
    const breakdown = { swap: component, execution: component, app: component, [platformWord]: component };
    expect(Breakdown.platform(breakdown)?.word).toBe(platformWord);
  });
});
