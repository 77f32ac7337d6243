import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as places from '../../src/io/places.js';
import { workbench } from '../support/workbench.js';

describe('keys', () => {
  test('default', () => {
    const { host } = workbench();
    expect(places.keys(host)).toBe(join(host.home, '.config/ferry/keys'));
    expect(places.keys({ ...host, env: { FERRY_CONFIG_DIR: '/c' } })).toBe('/c/keys');
    expect(places.keys({ ...host, env: { FERRY_CONFIG_DIR: '/c', FERRY_KEYSTORE_DIR: 'k' } })).toBe(
      join(host.cwd, 'k'),
    );
  });
});

describe('pins', () => {
  test('default: beside the configuration', () => {
    const { host } = workbench();
    expect(places.pins(host)).toBe(join(host.home, '.config/ferry/pins.json'));
    expect(places.pins({ ...host, env: { FERRY_CONFIG_DIR: '/c' } })).toBe('/c/pins.json');
  });
});
