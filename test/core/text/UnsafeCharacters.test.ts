import { describe, expect, test } from 'vitest';
import * as UnsafeCharacters from '../../../src/core/text/UnsafeCharacters.js';

describe('pattern', () => {
  test('default: controls, bidi marks, zero-width characters, tags and separators', () => {
    const unsafe = '\u0000\u001b\u007f\u0085\u009f\u061c\u200b\u200f\u2028\u202e\u2060\u2069\ufeff\u{e0041}\u3164';
    expect(unsafe.replace(UnsafeCharacters.pattern, '')).toBe('');
  });

  test('behavior: no letter, sign, emoji or space', () => {
    const safe = ' aé日ע؟₮—…🚢❤️\u0301';
    expect(safe.replace(UnsafeCharacters.pattern, '')).toBe(safe);
  });
});
