import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as stateFolder from '../../../src/sandbox/service/stateFolder.js';

let stateDir: string;

beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'ferry-state-'));
});

afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

const identity: stateFolder.Identity = {
  version: stateFolder.version,
  instance: 'abc',
  seed: 'seed',
  isStopped: false,
};

describe('begin', () => {
  test('default: private, and nothing of what was there', () => {
    stateFolder.begin(stateDir, identity);
    writeFileSync(stateFolder.logFile(stateDir, 'ledger'), 'old');
    stateFolder.begin(stateDir, { ...identity, instance: 'def' });
    expect(stateFolder.read(stateDir)).toEqual({ ...identity, instance: 'def' });
    expect(statSync(stateFolder.folderOf(stateDir)).mode & 0o777).toBe(0o700);
    expect(existsSync(stateFolder.logFile(stateDir, 'ledger'))).toBe(false);
  });
});

describe('write', () => {
  test('behavior: a removed folder is not created again', () => {
    stateFolder.begin(stateDir, identity);
    rmSync(join(stateDir, 'sandbox'), { recursive: true });
    expect(() => stateFolder.write(stateDir, identity)).toThrow('cannot be written');
    expect(existsSync(join(stateDir, 'sandbox'))).toBe(false);
  });

  test('behavior: keeps room for the last words, which a failure gives back', () => {
    stateFolder.begin(stateDir, identity);
    const reserve = join(stateFolder.folderOf(stateDir), 'reserve');
    expect(statSync(reserve).size).toBe(65_536);
    stateFolder.releaseReserve(stateDir);
    expect(existsSync(reserve)).toBe(false);
    stateFolder.write(stateDir, identity);
    expect(existsSync(reserve)).toBe(true);
  });
});

describe('read', () => {
  test('behavior: nothing there', () => {
    expect(stateFolder.read(stateDir)).toBeUndefined();
  });

  test.each([
    ['{', 'is damaged', null],
    ['[]', 'is damaged', null],
    ['{"version":"other","instance":"a","seed":"a"}', 'was saved by another version of ferry', 'a'],
  ])('behavior: %s', (text, why, instance) => {
    stateFolder.begin(stateDir, identity);
    writeFileSync(stateFolder.identityFile(stateDir), text);
    const found = stateFolder.read(stateDir);
    expect(found).toMatchObject({ why, instance });
    expect(found && stateFolder.isLost(found)).toBe(true);
  });

  test('behavior: a folder without it', () => {
    mkdirSync(stateFolder.folderOf(stateDir), { recursive: true });
    expect(stateFolder.read(stateDir)).toMatchObject({ why: 'is incomplete', instance: null });
  });

  test('error: exists but cannot be read', () => {
    mkdirSync(stateFolder.identityFile(stateDir), { recursive: true });
    expect(() => stateFolder.read(stateDir)).toThrow(
      expect.objectContaining({ code: 'config.unwritable', next: 'ferry sandbox reset --yes' }),
    );
  });
});
