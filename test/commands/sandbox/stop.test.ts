import { describe, expect, test } from 'vitest';
import { command, output } from '../../../src/commands/sandbox/stop.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import { ferry } from '../../support/ferry.js';
import { stateDir } from '../../support/foreground.js';

// That it ends a running one is shown with real processes, in process/sandbox.

describe('run', () => {
  test('behavior: none is running', async () => {
    const { code, json } = await ferry(['sandbox', 'stop', '--json'], { env: stateDir() });
    expect(code).toBe(0);
    expect(output.parse(json().data)).toEqual({ stopped: false, instance: null, wasKilled: false });
  });
});

describe('view', () => {
  test('default', () => {
    expect(command.view({ stopped: true, instance: 'c044f8070dc31fc0', wasKilled: false }, plain)).toBe(
      'Stopped the sandbox c044f8070dc31fc0; its state is kept.',
    );
  });

  test('behavior: it had to be killed', () => {
    const text = command.view({ stopped: true, instance: 'c044f8070dc31fc0', wasKilled: true }, plain);
    expect(text).toContain('Killed the sandbox c044f8070dc31fc0');
    expect(text).not.toContain('its state is kept');
  });

  test('behavior: none was running', () => {
    expect(command.view({ stopped: false, instance: null, wasKilled: false }, plain)).toBe('No sandbox is running.');
  });
});
