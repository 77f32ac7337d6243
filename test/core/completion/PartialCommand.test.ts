import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as PartialCommand from '../../../src/core/completion/PartialCommand.js';
import * as ShellQuoting from '../../../src/core/completion/ShellQuoting.js';

/** The default of bash. */
const breaks = ` \t\n"'><=;|&(:`;

describe('fromBash', () => {
  test.each([
    ['ferry ', [], '', 'quote'],
    ['ferry quo', [], 'quo', 'quote'],
    ['ferry  quote   1 al', ['quote', '1'], 'al', 'alpha/'],
    ['ferry quote 1\talpha/us', ['quote', '1'], 'alpha/us', 'alpha/usdc'],
    ['ferry quote --network=te', ['quote'], '--network=te', 'testnet', '--network=testnet'],
    ['ferry quote 0x1:b', ['quote'], '0x1:b', 'b/c', '0x1:b/c'],
    [`ferry quote 'alpha/u`, ['quote'], 'alpha/u', `alpha/u'\\''x`, `alpha/u'x`],
    ['ferry quote "alpha/u', ['quote'], 'alpha/u', 'alpha/u\\$x', 'alpha/u$x'],
    [`ferry quote al'pha/u`, ['quote'], 'alpha/u', 'pha/usdc', 'alpha/usdc'],
    [`ferry quote "al"pha/u`, ['quote'], 'alpha/u', 'alpha/usdc', 'alpha/usdc'],
    ['ferry quote a\\ b\\ c', ['quote'], 'a b c', 'a\\ b\\ c\\ d', 'a b c d'],
    ['ferry quote a\\:b', ['quote'], 'a:b', 'a:b/c', 'a:b/c'],
    ['ferry $(touch x) al', ['$(touch', 'x)'], 'al', 'alpha/'],
  ])('default: %s', (line, words, typed, written, candidate = written) => {
    const read = PartialCommand.fromBash(line, breaks);
    expect([read.words, read.typed, read.write(candidate)]).toEqual([words, typed, written]);
  });

  test('behavior: text before a break character cannot be changed', () => {
    expect(PartialCommand.fromBash('ferry quote --network=te', breaks).write('testnet')).toBeUndefined();
  });

  test('behavior: keeps the open quote', () => {
    const word = fc.string({ unit: fc.constantFrom(...`$\`"'\\!(){}[] *?~#&|;<>^=:%ab`), minLength: 1 });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), (words) => {
        const line = `ferry ${words.map((each) => ShellQuoting.forBash(each, '')).join(' ')}`;
        const read = PartialCommand.fromBash(line, breaks);
        expect([...read.words, read.typed]).toEqual(words);
      }),
    );
  });
});

test('fromWords: as zsh passes them, as typed; fish includes variable assignments before the command', () => {
  const { words, typed, write } = PartialCommand.fromWords(['ferry', 'quote', '\\$\\(x\\)', `'al`], 'zsh');
  expect([words, typed, write('$(x)')]).toEqual([['quote', '$(x)'], 'al', '$(x)']);
  const fish = PartialCommand.fromWords(['A=1', 'B=', 'ferry', 'quote', ''], 'fish');
  expect([fish.words, fish.typed]).toEqual([['quote'], '']);
});
