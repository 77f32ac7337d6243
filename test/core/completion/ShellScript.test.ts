import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { shells } from '../../../src/core/completion/Shell.js';
import * as ShellScript from '../../../src/core/completion/ShellScript.js';
import { describeWith } from '../../support/terminal.js';

describe('of', () => {
  test.each(shells)('default: the committed script for %s is up to date', async (shell) => {
    await expect(ShellScript.of(shell)).toMatchFileSnapshot(`../../../completions/${ShellScript.fileNames[shell]}`);
  });

  test.each(shells)('behavior: the script for %s never evaluates text', (shell) => {
    expect(ShellScript.of(shell)).not.toMatch(/\beval\b|\bcompgen\b|\bsource\s+<|\(e\)|\bbind\b/);
  });
});

describe.each(shells)('%s', (shell) => {
  describeWith([shell], `the script of ${shell}`, () => {
    test('behavior: the shell can parse it', () => {
      const path = fileURLToPath(new URL(`../../../completions/${ShellScript.fileNames[shell]}`, import.meta.url));
      execFileSync(shell, ['-n', path], { stdio: ['ignore', 'ignore', 'inherit'] });
    });
  });
});
