import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { entries } from '../../../src/core/base/Errors.js';
import * as ExitCode from '../../../src/core/base/ExitCode.js';

describe('meanings', () => {
  test('behavior: every exit code that an error has', () => {
    const exits = [...new Set(entries().map(([, { exit }]) => exit))].sort((a, b) => a - b);
    expect([0, ...exits]).toEqual(Object.keys(ExitCode.meanings).map(Number));
  });

  test('behavior: the README says the same', () => {
    const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
    const rows = [...readme.matchAll(/^\| (\d+) +\| (.+?) +\|$/gm)].map(([, exit, meaning]) => [exit, meaning]);
    expect(rows).toEqual(Object.entries(ExitCode.meanings));
  });
});

describe('codes', () => {
  test('default: those that end with it, in the table’s order', () => {
    expect(ExitCode.codes(7).map(([code]) => code)).toEqual(['track.refunded']);
    expect(ExitCode.codes(0)).toEqual([]);
  });
});
