import { expect, test } from 'vitest';
import * as ErrorSeverity from '../../../src/core/base/ErrorSeverity.js';

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
  expect(ErrorSeverity.worse(a, b)).toBe(expected);
});
