import { describe, expect, test } from 'vitest';
import * as CommandCatalog from '../../../src/core/docs/CommandCatalog.js';

describe('flagName', () => {
  test('default', () => {
    expect(CommandCatalog.flagName('maxFeeUsd')).toBe('--max-fee-usd');
    expect(CommandCatalog.flagName('json')).toBe('--json');
  });
});
