import { describe, expect, test } from 'vitest';
import { startsProcesses, testFiles } from './reach.js';

describe('startsProcesses', () => {
  test('default: every test of real processes does', () => {
    const files = testFiles().filter((path) => path.startsWith('test/process/'));
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((path) => !startsProcesses(path))).toEqual([]);
  });

  test.each([
    ['chains of its own', 'test/sandbox/contracts/Router.test.ts'],
    ['a sandbox in this process', 'test/scenarios/gasless.test.ts'],
    ['a sandbox that ferry starts', 'test/commands/sandbox.test.ts'],
    ['a build', 'test/index.test.ts'],
  ])('behavior: so does one with %s', (_, path) => {
    expect(startsProcesses(path)).toBe(true);
  });

  test('behavior: most files do not', () => {
    const files = testFiles();
    expect(files.filter(startsProcesses).length / files.length).toBeLessThan(0.5);
    expect(startsProcesses('test/support/reach.test.ts')).toBe(false);
  });
});
