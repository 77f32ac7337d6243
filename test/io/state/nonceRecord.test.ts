import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as nonceRecord from '../../../src/io/state/nonceRecord.js';
import { temporaryFolder } from '../../support/ferry.js';

describe('read', () => {
  test('default: what was written', () => {
    const path = join(temporaryFolder(), 'nonces', 'a.json');
    expect(nonceRecord.read(path)).toEqual({});
    nonceRecord.write(path, { '': 7n, '0xabc': 2n });
    expect(nonceRecord.read(path)).toEqual({ '': 7n, '0xabc': 2n });
  });

  test.each(['', 'null', '[1]', '{"":-1}', '{"":"1e3"}', '{"":7}'])('behavior: knows nothing from %s', (text) => {
    const folder = temporaryFolder();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'a.json'), text);
    expect(Object.keys(nonceRecord.read(join(folder, 'a.json')))).toEqual([]);
  });
});
