import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ferry } from '../../support/ferry.js';
import { stateDir } from '../../support/foreground.js';

describe('sandbox logs', () => {
  test('default: its last lines, and where the file is', async () => {
    const env = stateDir();
    const logs = (...more: string[]) => ferry(['sandbox', 'logs', ...more], { env });
    const { path, lines } = (await logs('--json')).json().data;
    expect(lines).toEqual([]);
    expect(await logs()).toMatchObject({ code: 0, stdout: '', stderr: `The log is empty: ${path}\n` });
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(path, 'one\ntwo\nthree \u001b[31m\n');
    expect((await logs('-n', '2', '--json')).json().data.lines).toEqual(['two', 'three \u001b[31m']);
    expect((await logs('--lines', '1')).stdout).not.toContain('\u001b');
  });

  test.each(['0', 'many', '-1', '1e3'])('error: %s lines', async (lines) => {
    const { code, json } = await ferry(['sandbox', 'logs', `--lines=${lines}`, '--json']);
    expect([code, json().error.code]).toEqual([2, 'usage.invalid']);
  });
});
