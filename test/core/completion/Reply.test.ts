import { describe, expect, test } from 'vitest';
import * as Line from '../../../src/core/completion/Line.js';
import * as Reply from '../../../src/core/completion/Reply.js';

const of = (...texts: string[]) => texts.map((text) => ({ text, about: `about ${text}` }));
const bash = (line: string) => Line.fromBash(`ferry ${line}`, ` \t\n"'><=;|&(:`);
const zsh = (typed: string) => Line.fromWords(['ferry', typed], 'zsh');

describe('format', () => {
  test('default: bash is given what fits, quoted, with no words about it', () => {
    const candidates = of('alpha/usdc', 'alpha/$(touch x)', 'beta/usdc');
    expect(Reply.format({ candidates, files: false }, bash('alpha/'), 'bash')).toBe(
      '\nalpha/usdc\nalpha/\\$\\(touch\\ x\\)\n',
    );
  });

  test('behavior: in any case', () => {
    expect(Reply.format({ candidates: of('alpha/usdc'), files: false }, bash('Alpha/US'), 'bash')).toBe(
      '\nalpha/usdc\n',
    );
  });

  test('default: zsh and fish are given all, as it is', () => {
    const candidates = of('alpha/$(touch x)', 'b');
    for (const shell of ['zsh', 'fish'] as const)
      expect(Reply.format({ candidates, files: false }, zsh('x'), shell)).toBe(
        '\nalpha/$(touch x)\tabout alpha/$(touch x)\nb\tabout b\n',
      );
  });

  test('behavior: what must be gone on with takes no space', () => {
    expect(Reply.format({ candidates: of('alpha/', 'beta'), files: false }, bash('a'), 'bash')).toBe('open\nalpha/\n');
    expect(Reply.format({ candidates: of('alpha/', 'beta'), files: false }, bash(''), 'bash')).toBe('\nalpha/\nbeta\n');
  });

  test('behavior: files beside candidates for zsh, in their place for the others', () => {
    const both = { candidates: of('0x01'), files: true };
    expect(Reply.format(both, zsh(''), 'zsh')).toMatch(/^files\n0x01/);
    expect(Reply.format(both, Line.fromWords(['ferry', ''], 'fish'), 'fish')).toMatch(/^\n0x01/);
    expect(Reply.format(both, bash('quo'), 'bash')).toBe('files\n');
  });
});
