import { describe, expect, test } from 'vitest';
import * as Chains from '../../../src/core/api/catalog/Chains.js';
import * as ReportedContracts from '../../../src/core/network/ReportedContracts.js';
import { failure } from '../../support/workbench.js';

const one = '0xfbfbfDdd6e35dA57b7B0F9a2C10E34Be70B3A4E9';
const zero = '0x0000000000000000000000000000000000000000';

/** The contracts read from a response about one chain. */
function read(parts: object): ReportedContracts.ReportedContracts | undefined {
  return ReportedContracts.from(Chains.response.parse({ chains: [{ id: 7, name: 'seven', ...parts }] }), 7);
}

describe('from', () => {
  test('default: the newest of each', () => {
    const contracts = {
      erc20Router: '0x01',
      approvalProxy: '0x02',
      v3: { erc20Router: '0x03', approvalProxy: '0x04' },
    };
    const protocol = { v2: { chainId: 'seven', depository: one } };
    expect(read({ contracts, protocol })).toEqual({ depository: one, router: '0x03', approvalProxy: '0x04' });
    expect(read({ contracts: { ...contracts, v3: null } })).toEqual({ router: '0x01', approvalProxy: '0x02' });
  });

  test('behavior: omits absent, empty and zero addresses; nothing for a chain that is not listed', () => {
    const empty = { erc20Router: '', approvalProxy: null };
    for (const parts of [{}, { contracts: empty, protocol: { v2: { depository: zero } } }])
      expect(read(parts)).toEqual({});
    expect(ReportedContracts.from({ chains: [] }, 7)).toBeUndefined();
  });
});

test('address: checksummed, whatever its case; an invalid one is escaped', async () => {
  for (const said of [one.toLowerCase(), one, `0x${one.slice(2).toUpperCase()}`])
    expect(ReportedContracts.address({ router: said }, 'router')).toBe(one);
  expect(ReportedContracts.address({}, 'router')).toBeUndefined();
  const error = await failure('service.malformed', () => ReportedContracts.address({ router: '\u001b[2Jx' }, 'router'));
  expect(error.facts).toEqual([['reported', '\\x1b[2Jx']]);
});
