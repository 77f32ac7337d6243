import { describe, expect, test } from 'vitest';
import * as CompletionReply from '../../../src/core/completion/CompletionReply.js';
import * as PartialCommand from '../../../src/core/completion/PartialCommand.js';

const of = (...texts: string[]) => texts.map((text) => ({ text, about: `about ${text}` }));
const bash = (line: string) => PartialCommand.fromBash(`ferry ${line}`, ` \t\n"'><=;|&(:`);
const zsh = (typed: string) => PartialCommand.fromWords(['ferry', typed], 'zsh');

describe('format', () => {
  test('default: bash gets matching candidates, quoted, without descriptions', () => {
    const candidates = of('alpha/usdc', 'alpha/$(touch x)', 'beta/usdc');
    expect(CompletionReply.format({ candidates, files: false }, bash('alpha/'), 'bash')).toBe(
      '\nalpha/usdc\nalpha/\\$\\(touch\\ x\\)\n',
    );
  });

  test('behavior: no space after an incomplete candidate', () => {
    expect(CompletionReply.format({ candidates: of('alpha/', 'beta'), files: false }, bash('a'), 'bash')).toBe(
      'open\nalpha/\n',
    );
    expect(CompletionReply.format({ candidates: of('alpha/', 'beta'), files: false }, bash(''), 'bash')).toBe(
      '\nalpha/\nbeta\n',
    );
  });

  test('behavior: files next to candidates for zsh, instead of them for the others', () => {
    const both = { candidates: of('0x01'), files: true };
    expect(CompletionReply.format(both, zsh(''), 'zsh')).toMatch(/^files\n0x01/);
    expect(CompletionReply.format(both, PartialCommand.fromWords(['ferry', ''], 'fish'), 'fish')).toMatch(/^\n0x01/);
    expect(CompletionReply.format(both, bash('quo'), 'bash')).toBe('files\n');
  });
});
