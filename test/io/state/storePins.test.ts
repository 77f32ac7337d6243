import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as storePins from '../../../src/io/state/storePins.js';
import { temporaryFolder } from '../../support/ferry.js';

describe('the stores that a machine knows', () => {
  test('default: by their addresses, the last word counts, and a torn line is passed over', () => {
    const folder = temporaryFolder();
    const place = { env: { FERRY_STATE_DIR: folder }, cwd: folder, home: folder };
    expect(storePins.find(place, 'postgres://a/b')).toBeUndefined();
    storePins.add(place, 'postgres://a/b', 'one');
    storePins.add(place, 'postgres://a/c', 'two');
    expect([storePins.find(place, 'postgres://a/b'), storePins.find(place, 'postgres://a/c')]).toEqual(['one', 'two']);
    appendFileSync(join(folder, 'worker', 'stores'), 'postgres://a/b');
    storePins.add(place, 'postgres://a/b', 'three');
    expect(storePins.find(place, 'postgres://a/b')).toBe('three');
  });
});
