import { describe, expect, test } from 'vitest';
import * as Seal from '../../../src/core/base/Seal.js';
import { seal, sealOf } from '../../support/journals.js';

describe('judge', () => {
  const made = Seal.from(seal, 'ferry.run', 'a text');

  test('default: own as made', () => {
    expect(Seal.judge(made, seal, 'ferry.run', 'a text')).toBe('own');
  });

  test('behavior: of another secret, without one, or no seal, it is another’s', () => {
    expect(Seal.judge(made, sealOf('another'), 'ferry.run', 'a text')).toBe('other');
    expect(Seal.judge(made, undefined, 'ferry.run', 'a text')).toBe('other');
    for (const found of [undefined, null, '', 7, 'anything'])
      expect(Seal.judge(found, seal, 'ferry.run', 'x')).toBe('other');
  });

  test('error: another text or purpose, or a seal that was cut', () => {
    expect(Seal.judge(made, seal, 'ferry.run', 'a texT')).toBe('altered');
    expect(Seal.judge(made, seal, 'ferry.quote', 'a text')).toBe('altered');
    for (const found of [made.slice(0, -1), `${made}0`, `${seal.id}.`])
      expect(Seal.judge(found, seal, 'ferry.run', 'a text')).toBe('altered');
  });
});
