import { describe, expect, test } from 'vitest';
import { isShell } from '../../../src/core/completion/Shell.js';

describe('isShell', () => {
  test('default', () => {
    expect(['bash', 'zsh', 'fish', 'ksh', '', undefined].map(isShell)).toEqual([true, true, true, false, false, false]);
  });
});
