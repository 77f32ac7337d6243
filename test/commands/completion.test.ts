import { describe, expect, test } from 'vitest';
import { shells } from '../../src/core/completion/ShellQuoting.js';
import * as ShellScript from '../../src/core/completion/ShellScript.js';
import { ferry } from '../support/ferry.js';

describe('run', () => {
  test.each(shells)('default: the script of %s on stdout', async (shell) => {
    const ended = await ferry(['completion', shell]);
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([0, ShellScript.of(shell), '']);
  });

  test('behavior: whatever the configuration is like, so that a start file can run it', async () => {
    const ended = await ferry(['completion', 'bash'], { env: { FERRY_NETWORK: 'no such network' } });
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([0, ShellScript.of('bash'), '']);
  });
});
