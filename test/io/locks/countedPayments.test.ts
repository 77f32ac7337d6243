import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createCounted } from '../../../src/io/locks/countedPayments.js';
import { facts, failure } from '../../support/failures.js';
import { temporaryFolder } from '../../support/ferry.js';

describe('createCounted', () => {
  const at = (folder: string, place = 'chains') => createCounted(folder, async () => place);

  test('default: a payment is counted once at each place', async () => {
    const folder = join(temporaryFolder(), 'counted');
    expect(await at(folder).count('1.0xab.3', '0x01')).toBe(true);
    expect(await at(folder, 'another-instance').count('1.0xab.3', '0x02')).toBe(true);
  });

  test('behavior: of many at once, one has it', async () => {
    const counted = at(join(temporaryFolder(), 'counted'));
    const all = await Promise.all(Array.from({ length: 20 }, (_, owner) => counted.count('a', String(owner))));
    expect(all.filter(Boolean)).toHaveLength(1);
  });

  test('error: a folder that cannot be written to or read', async () => {
    const file = join(temporaryFolder(), 'counted');
    writeFileSync(file, '');
    for (const act of [at(file).count('a', 'b'), at(file).ownerOf('a')]) {
      const error = await failure(act);
      expect(error).toMatchObject({ code: 'config.unwritable', funds: 'unknown' });
      expect(facts(error)).toEqual({ folder: file, reason: 'part of the path is a file' });
    }
  });

  test('error: a folder that others can write to', async () => {
    const folder = join(temporaryFolder(), 'counted');
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    await expect(at(folder).count('a', 'b')).rejects.toMatchObject({ code: 'state.untrusted', funds: 'unknown' });
  });
});
