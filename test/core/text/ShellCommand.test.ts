import { describe, expect, test } from 'vitest';
import * as ShellCommand from '../../../src/core/text/ShellCommand.js';

describe('from', () => {
  test.each([
    ['execute', ['100', 'alpha/usdc', 'beta/usdc'], {}, 'ferry execute 100 alpha/usdc beta/usdc'],
    [
      'venue deposit',
      ['1', 'alpha/eth'],
      { noWait: true, gasless: false },
      'ferry venue deposit 1 alpha/eth --no-wait',
    ],
    ['execute', ['q.json'], { appFee: ['0x1:5', '0x2:6'] }, 'ferry execute q.json --app-fee 0x1:5 --app-fee 0x2:6'],
    ['execute', ["it's.json"], { keyFile: 'my key' }, `ferry execute 'it'\\''s.json' --key-file 'my key'`],
  ])('default: %s %j %j', (name, args, options, line) => {
    expect(ShellCommand.from(name, args, options)).toBe(line);
  });
});

describe('word', () => {
  test.each([
    ['/home/ada/keys/main', '/home/ada/keys/main'],
    ['my key', "'my key'"],
    ['$(touch x)', "'$(touch x)'"],
  ])('default: %s', (text, word) => {
    expect(ShellCommand.word(text)).toBe(word);
  });
});
