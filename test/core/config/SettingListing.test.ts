import { expect, test } from 'vitest';
import * as SettingListing from '../../../src/core/config/SettingListing.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';

test('formatList', () => {
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
