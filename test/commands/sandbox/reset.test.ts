import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { command, output } from '../../../src/commands/sandbox/reset.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import { ferry } from '../../support/ferry.js';
import { stateDir } from '../../support/foreground.js';

// That it ends a running one is shown with real processes, in process/sandbox.

function kept(): { env: { FERRY_STATE_DIR: string }; state: string } {
  const env = stateDir();
  const folder = join(env.FERRY_STATE_DIR, 'sandbox');
  mkdirSync(folder, { recursive: true });
  const state = join(folder, 'state.json');
  writeFileSync(state, '{}');
  writeFileSync(join(folder, 'log'), 'text');
  return { env, state };
}

describe('run', () => {
  test('default', async () => {
    const { env } = kept();
    const { code, json } = await ferry(['sandbox', 'reset', '--yes', '--json'], { env });
    expect(code).toBe(0);
    expect(output.parse(json().data)).toEqual({ reset: true, stopped: null });
    expect(existsSync(join(env.FERRY_STATE_DIR, 'sandbox'))).toBe(false);
  });

  test('error: nobody confirms', async () => {
    const { env, state } = kept();
    const { code, json } = await ferry(['sandbox', 'reset', '--json'], { env });
    expect(code).toBe(2);
    expect(json().error).toMatchObject({
      code: 'usage.confirmation',
      facts: { question: 'Delete the chains and requests of the sandbox?' },
    });
    expect(existsSync(state)).toBe(true);
  });
});

describe('view', () => {
  test('default', () => {
    expect(command.view({ reset: true, stopped: null }, plain)).toBe(
      'The sandbox is empty: the next start creates a new instance.',
    );
  });

  test('behavior: one was running', () => {
    expect(command.view({ reset: true, stopped: 'c044f8070dc31fc0' }, plain)).toBe(
      'Stopped the sandbox c044f8070dc31fc0 and deleted its state: the next start creates a new instance.',
    );
  });
});
