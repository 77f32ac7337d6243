import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ferry, temporaryFolder } from '../support/ferry.js';

describe('version', () => {
  test('default: the same, however it is asked for', async () => {
    const asked = [['version'], ['--version'], ['-V'], ['-v']];
    const printed = await Promise.all(asked.map(async (argv) => (await ferry(argv)).stdout));
    expect(printed[0]).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
    expect(new Set(printed).size).toBe(1);
  });

  test.each([[['version', '--json']], [['--version', '--json']], [['-v', '--json']], [['--json', '--version']]])(
    'behavior: %j',
    async (argv) => {
      const { code, json } = await ferry(argv);
      expect([code, json().data]).toEqual([
        0,
        { version: expect.any(String), node: process.versions.node, platform: process.platform },
      ]);
    },
  );
});

describe('formats', () => {
  test.each([['json'], ['yaml'], ['wide'], ['NAME']])('error: -o %s is no file', async (format) => {
    const home = temporaryFolder();
    const ended = await ferry(['quote', '1', 'alpha/usdc', 'beta/usdc', '-o', format, '--json'], { home });
    expect([ended.code, ended.json().error.code]).toEqual([2, 'usage.invalid']);
    expect(ended.json().error.hint).toContain('--json prints one JSON document');
    expect(existsSync(join(home, format))).toBe(false);
  });

  test.each(['chains -o yaml', 'chains --output json', 'tokens --format=json'])('error: %s', async (line) => {
    const { json } = await ferry([...line.split(' '), '--json']);
    expect(json().error).toMatchObject({
      ...{ code: 'usage.unknown-option', hint: '--json prints one JSON document, --fields some of it.' },
    });
  });
});
