import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BaseError } from '../../../src/core/base/Errors.js';
import * as fileOwner from '../../../src/io/files/fileOwner.js';
import { temporaryFolder } from '../../support/ferry.js';
import { thrownBy } from '../../support/thrown.js';

const own = process.getuid?.() ?? 0;
const of = (uid: number, mode: number) => () =>
  fileOwner.assertOurs('/a file', { uid, mode, isDirectory: () => false });

describe('assertOurs', () => {
  test('default: one’s own, or root’s, that nobody else can write to', () => {
    for (const mode of [0o600, 0o700, 0o644, 0o755]) for (const uid of [own, 0]) expect(of(uid, mode)).not.toThrow();
  });

  test('error: another owner', () => {
    expect(thrownBy(BaseError, of(own + 1, 0o600))).toMatchObject({
      ...{ code: 'state.untrusted', next: `sudo chown -R ${own} '/a file'` },
    });
  });

  test.each([0o620, 0o602, 0o1777])('error: others may write, mode %o', (mode) => {
    expect(thrownBy(BaseError, of(own, mode))).toMatchObject({ code: 'state.untrusted', next: "chmod go-w '/a file'" });
  });
});

test('assertOursIfThere: error: a file that the group can write to', () => {
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, '');
  chmodSync(path, 0o660);
  expect(thrownBy(BaseError, () => fileOwner.assertOursIfThere(path, { funds: 'unknown' }))).toMatchObject({
    code: 'state.untrusted',
    funds: 'unknown',
    facts: [['mode', '0660']],
  });
});
