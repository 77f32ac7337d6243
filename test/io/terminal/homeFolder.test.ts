import { homedir } from 'node:os';
import { describe, expect, test, vi } from 'vitest';
import { homeFolder } from '../../../src/io/terminal/homeFolder.js';

describe('homeFolder', () => {
  test('default', () => {
    expect(homeFolder()).toBe(homedir());
  });

  test.runIf(process.getuid?.() === 0)('error: a user whom the system does not know, and no HOME', () => {
    vi.stubEnv('HOME', undefined);
    // A number that no list of users has.
    process.seteuid?.(54_321);
    try {
      expect(homeFolder).toThrow('This user has no home folder');
      expect(homeFolder).toThrow(expect.objectContaining({ code: 'config.unreadable', exit: 2 }));
    } finally {
      process.seteuid?.(0);
      vi.unstubAllEnvs();
    }
  });
});
