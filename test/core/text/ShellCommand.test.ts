import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import * as ShellQuoting from '../../../src/core/completion/ShellQuoting.js';
import { shells } from '../../../src/core/completion/ShellQuoting.js';
import * as ShellCommand from '../../../src/core/text/ShellCommand.js';
import { readSources } from '../../support/importGraph.js';

test.each([
  ['execute', ['100', 'alpha/usdc', 'beta/usdc'], {}, 'ferry execute 100 alpha/usdc beta/usdc'],
  ['venue deposit', ['1', 'alpha/eth'], { noWait: true, gasless: false }, 'ferry venue deposit 1 alpha/eth --no-wait'],
  ['execute', ['q.json'], { appFee: ['0x1:5', '0x2:6'] }, 'ferry execute q.json --app-fee 0x1:5 --app-fee 0x2:6'],
  ['execute', ["it's.json"], { keyFile: 'my key' }, `ferry execute 'it'\\''s.json' --key-file 'my key'`],
])('from: %s %j %j', (name, args, options, line) => {
  expect(ShellCommand.from(name, args, options)).toBe(line);
});

describe('line', () => {
  test('behavior: what a stranger wrote is one word of a shell', () => {
    const texts = ['0x1;touch /tmp/x', '$(id)', "'; id; '", 'a b', '', '~', '\n', '\u001b[2J', '\\', "\\'; id #"];
    for (const text of texts) {
      const typed = ShellCommand.line`printf '%s\\0' ${text} end`;
      expect(execFileSync('sh', ['-c', typed], { encoding: 'utf8' })).toBe(`${text}\0end\0`);
      for (const shell of shells)
        expect(ShellQuoting.textOf(ShellQuoting.read(ShellCommand.word(text), shell)), shell).toBe(text);
    }
  });

  test('behavior: every command to type next goes through it', () => {
    const raw = [...readSources()].flatMap(([path, text]) =>
      [...text.matchAll(/\b(?:next|fix)(?:: | = )[^;{}\n]*(?<!line)`(?:ferry|chmod|sudo|unset) [^`]*\$\{[^`]*`/g)].map(
        ([each]) => `${path}: ${each}`,
      ),
    );
    expect(raw.filter((each) => !/^cli\/program\.ts: .*--help/.test(each))).toEqual([]);
  });
});
