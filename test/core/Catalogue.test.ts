import { describe, expect, test } from 'vitest';
import * as Catalogue from '../../src/core/Catalogue.js';

describe('flagName', () => {
  test('default', () => {
    expect(Catalogue.flagName('maxFeeUsd')).toBe('--max-fee-usd');
    expect(Catalogue.flagName('json')).toBe('--json');
  });
});
