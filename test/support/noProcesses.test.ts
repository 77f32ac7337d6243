import { describe, test } from 'vitest';

describe('a unit test', () => {
  test.fails('error: fails if it tries to start a process, whatever becomes of the error', () => {
    // Not imported: this file would not be a unit test.
    const { spawnSync } = process.getBuiltinModule('node:child_process');
    // Nothing else here may fail: a process that starts would be no failure.
    try {
      spawnSync('true');
    } catch {}
  });
});
