import { describe, expect, test } from 'vitest';
import { entries } from '../../../src/core/base/Errors.js';
import * as ExitCode from '../../../src/core/base/ExitCode.js';
import * as ExitCodes from '../../../src/core/docs/ExitCodes.js';

describe('document', () => {
  const terms = ExitCodes.document().flatMap((section) =>
    section.flatMap((block) => (typeof block === 'object' && 'terms' in block ? block.terms : [])),
  );

  test('default: every exit code and every error code, once', () => {
    const names = terms.map(([name]) => name);
    expect(names.sort()).toEqual([...Object.keys(ExitCode.meanings), ...entries().map(([code]) => code)].sort());
  });
});
