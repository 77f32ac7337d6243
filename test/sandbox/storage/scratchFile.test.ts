import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as ScratchFile from '../../../src/sandbox/storage/scratchFile.js';
import { temporaryFolder } from '../../support/ferry.js';

describe('open', () => {
  test('default: keeps what is written, at any place, under no name', () => {
    const path = join(temporaryFolder(), 'index');
    const file = ScratchFile.open(path);
    expect(existsSync(path)).toBe(false);
    expect(file?.write(Uint8Array.of(3, 4), 2)).toBe(true);
    expect(file?.write(Uint8Array.of(1, 2), 0)).toBe(true);
    const bytes = new Uint8Array(4);
    file?.read(bytes, 0);
    expect([...bytes]).toEqual([1, 2, 3, 4]);
    expect(() => file?.read(bytes, 1)).toThrow('shorter than it was');
    file?.close();
  });

  test('behavior: none in a folder that cannot be written', () => {
    expect(ScratchFile.open(join(temporaryFolder(), 'nowhere', 'index'))).toBeUndefined();
  });

  test('behavior: a write that fails is said', () => {
    const file = ScratchFile.open(join(temporaryFolder(), 'index'));
    file?.close();
    expect(file?.write(Uint8Array.of(1), 0)).toBe(false);
  });
});
