import { describe, expect, test } from 'vitest';
import { flagName } from '../../../src/core/text/ShellCommand.js';

describe('flagName', () => {
  test('default', () => {
    expect(flagName('maxFeeUsd')).toBe('--max-fee-usd');
    expect(flagName('json')).toBe('--json');
  });
});
