import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { shells } from '../../../src/core/completion/ShellQuoting.js';
import * as ShellScript from '../../../src/core/completion/ShellScript.js';
import { describeWith } from '../../support/terminal.js';

/** The names by which shells find the scripts in their folders. */
const fileNames = { bash: 'ferry.bash', zsh: '_ferry', fish: 'ferry.fish' } as const;

describe('of', () => {
  test.each(shells)('default: the committed script for %s is up to date', async (shell) => {
    await expect(ShellScript.of(shell)).toMatchFileSnapshot(`../../../completions/${fileNames[shell]}`);
  });

  test.each(shells)('behavior: the script for %s never evaluates text', (shell) => {
    expect(ShellScript.of(shell)).not.toMatch(/\beval\b|\bcompgen\b|\bsource\s+<|\(e\)|\bbind\b/);
  });
});

describe.each(shells)('%s', (shell) => {
  describeWith([shell], `the script of ${shell}`, () => {
    test('behavior: the shell can parse it', () => {
      const path = fileURLToPath(new URL(`../../../completions/${fileNames[shell]}`, import.meta.url));
      execFileSync(shell, ['-n', path], { stdio: ['ignore', 'ignore', 'inherit'] });
    });
  });
});
