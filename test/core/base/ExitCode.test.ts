import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { entries } from '../../../src/core/base/Errors.js';
import * as ExitCode from '../../../src/core/base/ExitCode.js';

describe('meanings', () => {
  test('behavior: covers every exit code of the error table', () => {
    const exits = [...new Set(entries().map(([, { exit }]) => exit))].sort((a, b) => a - b);
    expect([0, ...exits]).toEqual(Object.keys(ExitCode.meanings).map(Number));
  });

  test('behavior: matches the manual', () => {
    const page = readFileSync(new URL('../../../.github/docs/guide/automation.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| (\d+) +\| (.+?) +\|$/gm)].map(([, exit, meaning]) => [exit, meaning]);
    expect(rows).toEqual(Object.entries(ExitCode.meanings));
  });
});

test.each([
  [null, null, null],
  [null, 'service.timeout', 'service.timeout'],
  ['service.timeout', null, 'service.timeout'],
  ['service.timeout', 'submit.unknown', 'submit.unknown'],
  ['track.failed', 'submit.unknown', 'submit.unknown'],
  ['track.failed', 'track.unfinished', 'track.failed'],
  ['track.unfinished', 'track.refunded', 'track.unfinished'],
  ['internal.bug', 'submit.reverted', 'submit.reverted'],
  ['verify.mismatch', 'internal.bug', 'internal.bug'],
  ['service.timeout', 'service.refused', 'service.timeout'],
] as const)('worse: of %s and %s: %s', (a, b, expected) => {
  expect(ExitCode.worse(a, b)).toBe(expected);
});
