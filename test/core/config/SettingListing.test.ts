import { expect, test } from 'vitest';
import type * as Config from '../../../src/core/config/Config.js';
import * as SettingListing from '../../../src/core/config/SettingListing.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';

test('formatList', () => {
  const rows: Config.Row[] = [
    { key: 'network', value: 'testnet', source: { kind: 'env', name: 'FERRY_NETWORK' } },
    { key: 'account', value: null, source: { kind: 'default' } },
    { key: 'maxImpact', value: '3%', source: { kind: 'project', path: '/p/\u001b[2J.json' } },
  ];
  expect(SettingListing.formatList(rows, plain)).toMatchInlineSnapshot(`
      "network    testnet  FERRY_NETWORK
      account    -        default
      maxImpact  3%       /p/\\x1b[2J.json"
    `);
});
