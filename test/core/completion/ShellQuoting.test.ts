import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as ShellQuoting from '../../../src/core/completion/ShellQuoting.js';
import { anyText } from '../../support/anyText.js';
import { hostileNames } from '../../support/hostileNames.js';

describe('read', () => {
  const text = (line: string, shell: 'bash' | 'zsh' | 'fish' = 'bash') =>
    ShellQuoting.textOf(ShellQuoting.read(line, shell));

  test.each([
    ['plain', 'plain', ''],
    ['a\\ b', 'a b', ''],
    ['\\$\\(x\\)', '$(x)', ''],
    [`'a b`, 'a b', "'"],
    [`'a\\b'`, 'a\\b', ''],
    ['"a \\" b', 'a " b', '"'],
    ['"a\\n"', 'a\\n', ''],
    [`al"ph"a'/u'sdc`, 'alpha/usdc', ''],
    ['end\\', 'end', ''],
    ['$(touch x)`y`$HOME', '$(touch x)`y`$HOME', ''],
  ])('default: %s', (line, expected, open) => {
    const pieces = ShellQuoting.read(line, 'bash');
    expect([ShellQuoting.textOf(pieces), pieces.at(-1)?.open]).toEqual([expected, open]);
  });

  test('behavior: fish also escapes inside single quotes', () => {
    expect([text(`'it\\'s \\\\ \\n'`, 'fish'), text(`'a\\b'`, 'zsh')]).toEqual([`it's \\ \\n`, 'a\\b']);
  });
});

describe('forBash', () => {
  /** The words that a bash script, without history expansion, reads from quoted texts. */
  function inBash(words: readonly string[]): string[] {
    const script = words.map((word) => `printf '%s\\0' x${word}`).join('\n');
    const out = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8', env: { LC_ALL: 'C.UTF-8' } });
    return out
      .split('\0')
      .slice(0, -1)
      .map((each) => each.slice(1));
  }
  /** As bash inserts it: it adds a quote at either end unless there is one. */
  const within = (text: string, quote: ShellQuoting.Quote) => {
    const given = ShellQuoting.forBash(text, quote);
    return `${given.startsWith(quote) ? '' : quote}${given}${given.endsWith(quote) ? '' : quote}`;
  };
  const forms = (text: string) => [ShellQuoting.forBash(text, ''), within(text, "'"), within(text, '"')];

  test('behavior: bash reads back every hostile name and executes nothing', () => {
    expect(inBash(hostileNames.flatMap(forms))).toEqual(hostileNames.flatMap((name) => [name, name, name]));
  });

  test('behavior: bash and ferry read back any quoted text', () => {
    const anything = anyText({ minLength: 1 }).filter((text) => !/[\0\n\p{Cs}]/u.test(text));
    const special = fc.string({ unit: fc.constantFrom(...`$\`"'\\!(){}[]*?~#&|;<> ^=%ab`), minLength: 1 });
    const texts = fc.sample(fc.oneof(anything, special), { numRuns: 400, seed: 7 });
    expect(inBash(texts.flatMap(forms))).toEqual(texts.flatMap((text) => [text, text, text]));
    for (const text of texts)
      for (const form of forms(text)) expect(ShellQuoting.textOf(ShellQuoting.read(form, 'bash'))).toBe(text);
  });

  test('behavior: no history expansion, not even inside double quotes', () => {
    expect(ShellQuoting.forBash('a!b', '')).toBe('a\\!b');
    expect(ShellQuoting.forBash('a!b', '"')).toBe(`a"'!'"b`);
  });
});
