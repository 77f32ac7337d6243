import { describe, expect, test } from 'vitest';

describe('a unit test', () => {
  test.fails('error: fails if it tries to start a process, whatever becomes of the error', () => {
    // Not imported: this file would not be a unit test.
    const { spawnSync } = process.getBuiltinModule('node:child_process');
    expect(() => spawnSync('true')).toThrow('A unit test starts no process.');
  });
});
