import { describe, expect, test } from 'vitest';
import { plain } from '../../src/core/render/Style.js';
import * as SettingRow from '../../src/core/SettingRow.js';

describe('from', () => {
  test('default', () => {
    const row = { key: 'account', value: undefined, source: { kind: 'default' } as const };
    expect(SettingRow.schema.parse(SettingRow.from(row))).toEqual({
      key: 'account',
      value: null,
      source: { kind: 'default' },
    });
  });
});

describe('formatList', () => {
  test('default', () => {
    const rows = [
      SettingRow.from({ key: 'network', value: 'testnet', source: { kind: 'env', name: 'FERRY_NETWORK' } }),
      SettingRow.from({ key: 'account', value: undefined, source: { kind: 'default' } }),
      SettingRow.from({ key: 'maxImpact', value: '3%', source: { kind: 'project', path: '/p/\u001b[2J.json' } }),
    ];
    expect(SettingRow.formatList(rows, plain)).toMatchInlineSnapshot(`
      "network    testnet  FERRY_NETWORK
      account    -        default
      maxImpact  3%       /p/\\x1b[2J.json"
    `);
  });
});
