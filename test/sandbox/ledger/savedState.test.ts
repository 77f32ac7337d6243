import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as savedState from '../../../src/sandbox/ledger/savedState.js';

let stateDir: string;

beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'ferry-state-'));
});

afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

const state: savedState.SavedState = {
  version: savedState.version,
  instance: 'abc',
  seed: 'abc',
  savedAt: 1,
  chains: { alpha: '0x01', beta: '0x02' },
  ledger: { entries: [] },
  venue: { entries: [] },
};

describe('write', () => {
  test('default', () => {
    savedState.write(stateDir, state);
    expect(savedState.read(stateDir)).toEqual(state);
    expect(statSync(savedState.stateFile(stateDir)).mode & 0o777).toBe(0o600);
    expect(statSync(join(stateDir, 'sandbox')).mode & 0o777).toBe(0o700);
  });

  test('behavior: replaces the previous state', () => {
    savedState.write(stateDir, state);
    savedState.write(stateDir, { ...state, savedAt: 2 });
    expect(savedState.read(stateDir)).toMatchObject({ savedAt: 2 });
    expect(readdirSync(join(stateDir, 'sandbox'))).toEqual(['state.json']);
  });

  test('error: not writable; the previous state remains', () => {
    savedState.write(stateDir, state);
    chmodSync(stateDir, 0o755);
    chmodSync(join(stateDir, 'sandbox'), 0o500);
    // To root every folder is open, so for a moment it is nobody.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(65534);
    try {
      expect(() => savedState.write(stateDir, { ...state, savedAt: 2 })).toThrow(
        expect.objectContaining({ code: 'config.unwritable', message: 'The state of the sandbox cannot be written.' }),
      );
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
    chmodSync(join(stateDir, 'sandbox'), 0o700);
    expect(readdirSync(join(stateDir, 'sandbox'))).toEqual(['state.json']);
    expect(savedState.read(stateDir)).toEqual(state);
  });
});

describe('read', () => {
  test('behavior: no saved state', () => {
    expect(savedState.read(stateDir)).toBeUndefined();
  });

  test('behavior: a truncated file', () => {
    savedState.write(stateDir, state);
    const path = savedState.stateFile(stateDir);
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, -20));
    expect(savedState.read(stateDir)).toBe('damaged');
  });

  test('behavior: something else', () => {
    savedState.write(stateDir, state);
    writeFileSync(savedState.stateFile(stateDir), '[]');
    expect(savedState.read(stateDir)).toBe('damaged');
  });

  test('behavior: saved by another version of ferry', () => {
    savedState.write(stateDir, { ...state, version: '0.0.1' });
    expect(savedState.read(stateDir)).toBe('of another version');
  });

  test('error: exists but cannot be read', () => {
    mkdirSync(savedState.stateFile(stateDir), { recursive: true });
    expect(() => savedState.read(stateDir)).toThrow(
      expect.objectContaining({ code: 'config.unwritable', next: 'ferry sandbox reset --yes' }),
    );
  });
});
