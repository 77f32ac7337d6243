import { describe, expect, test } from 'vitest';
import * as FeeBreakdown from '../../../src/core/api/schema/FeeBreakdown.js';
import { platformComponent } from '../../../src/sandbox/values/ServiceWords.js';

describe('platformComponent', () => {
  test('default', () => {
    const component = { usd: '-0.010000' };
    const breakdown = { swap: component, execution: component, app: component, [platformComponent]: component };
    expect(FeeBreakdown.platform(breakdown)?.word).toBe(platformComponent);
  });
});
