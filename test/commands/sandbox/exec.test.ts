import { describe, expect, test } from 'vitest';
import { ferry } from '../../support/ferry.js';
import { foreground, stateDir } from '../../support/foreground.js';

describe('run', () => {
  test('default', async () => {
    const { env } = await foreground();
    const script =
      'test "$FERRY_NETWORK" = sandbox && test -n "$ALPHA_RPC_URL" && test "$ETH_RPC_URL" = "$ALPHA_RPC_URL"';
    const { code, stdout } = await ferry(['sandbox', 'exec', '--', 'sh', '-c', script], { env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  });

  test('behavior: ends with the exit code of the command, whose options are its own', async () => {
    const { env } = await foreground();
    const { code } = await ferry(['sandbox', 'exec', '--', 'sh', '-c', 'exit 42', '--json'], { env });
    expect(code).toBe(42);
  });

  test('error: no such command', async () => {
    const { env } = await foreground();
    const { code, json } = await ferry(['sandbox', 'exec', '--json', '--', 'no-such-command-here'], { env });
    expect(code).toBe(2);
    expect(json().error).toMatchObject({
      code: 'usage.invalid',
      message: 'Cannot run the command "no-such-command-here".',
      facts: { reason: 'not found' },
    });
  });

  test('error: no command', async () => {
    const { code, json } = await ferry(['sandbox', 'exec', '--json'], { env: stateDir() });
    expect(code).toBe(2);
    expect(json().error.code).toBe('usage.missing');
  });
});
