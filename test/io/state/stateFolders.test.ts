import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as stateFolders from '../../../src/io/state/stateFolders.js';
import { temporaryFolder } from '../../support/ferry.js';

function place(stateDir: string): Parameters<typeof stateFolders.assertOurs>[0] {
  return { env: { FERRY_STATE_DIR: stateDir }, cwd: '/', home: '/' };
}

const untrusted = expect.objectContaining({ code: 'state.untrusted' });

describe('assertOurs', () => {
  test('default: a folder that is missing, or private', () => {
    const stateDir = temporaryFolder();
    expect(() => stateFolders.assertOurs(place(stateDir))).not.toThrow();
    expect(() => stateFolders.assertOurs(place(join(stateDir, 'missing')))).not.toThrow();
  });

  test('behavior: an empty folder that others can write to is closed', () => {
    const stateDir = temporaryFolder();
    chmodSync(stateDir, 0o775);
    stateFolders.assertOurs(place(stateDir));
    expect(statSync(stateDir).mode & 0o777).toBe(0o700);
  });

  test.each(['runs', 'locks', 'nonces', 'runs/index', 'runs/index/open'])(
    'error: others can write to it, or to %s in it',
    (name) => {
      const stateDir = temporaryFolder();
      const folder = join(stateDir, name);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'planted'), '');
      chmodSync(stateDir, 0o777);
      expect(() => stateFolders.assertOurs(place(stateDir))).toThrow(untrusted);
      chmodSync(stateDir, 0o700);
      expect(() => stateFolders.assertOurs(place(stateDir))).not.toThrow();
      chmodSync(folder, 0o770);
      expect(() => stateFolders.assertOurs(place(stateDir))).toThrow(untrusted);
    },
  );
});
