import { describe, expect, test } from 'vitest';
import * as SettingListing from '../../../src/core/config/SettingListing.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';

describe('from', () => {
  test('default', () => {
    const row = { key: 'account', value: undefined, source: { kind: 'default' } as const };
    expect(SettingListing.schema.parse(SettingListing.from(row))).toEqual({
      key: 'account',
      value: null,
      source: { kind: 'default' },
    });
  });
});

describe('formatList', () => {
  test('default', () => {
    const rows = [
      SettingListing.from({ key: 'network', value: 'testnet', source: { kind: 'env', name: 'FERRY_NETWORK' } }),
      SettingListing.from({ key: 'account', value: undefined, source: { kind: 'default' } }),
      SettingListing.from({ key: 'maxImpact', value: '3%', source: { kind: 'project', path: '/p/\u001b[2J.json' } }),
    ];
    expect(SettingListing.formatList(rows, plain)).toMatchInlineSnapshot(`
      "network    testnet  FERRY_NETWORK
      account    -        default
      maxImpact  3%       /p/\\x1b[2J.json"
    `);
  });
});
