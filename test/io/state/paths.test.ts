import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as paths from '../../../src/io/state/paths.js';
import { workbench } from '../../support/workbench.js';

describe('keys', () => {
  test('default', () => {
    const { host } = workbench();
    expect(paths.keys(host)).toBe(join(host.home, '.config/ferry/keys'));
    expect(paths.keys({ ...host, env: { FERRY_CONFIG_DIR: '/c' } })).toBe('/c/keys');
    expect(paths.keys({ ...host, env: { FERRY_CONFIG_DIR: '/c', FERRY_KEYSTORE_DIR: 'k' } })).toBe(join(host.cwd, 'k'));
  });
});

describe('pins', () => {
  test('default: beside the configuration', () => {
    const { host } = workbench();
    expect(paths.pins(host)).toBe(join(host.home, '.config/ferry/pins.json'));
    expect(paths.pins({ ...host, env: { FERRY_CONFIG_DIR: '/c' } })).toBe('/c/pins.json');
  });
});
