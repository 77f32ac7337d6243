import { expect, test } from 'vitest';
import * as ContractListing from '../../../src/core/network/ContractListing.js';
import type { KnownContract } from '../../../src/core/network/TrustedContracts.js';

const one = '0x1111111111111111111111111111111111111111';
const two = '0x2222222222222222222222222222222222222222';
const at = Date.UTC(2026, 0, 31);
const known: KnownContract[] = [
  { contract: 'approvalProxy', address: one, source: 'accepted', at, instead: two },
  { contract: 'depository', address: one, source: 'shipped', at: undefined, instead: undefined },
  { contract: 'wrapped', address: one, source: 'shipped', at: undefined, instead: undefined },
];

test('default: in the order of the contracts', () => {
  const rows = ContractListing.from(known, undefined);
  expect(rows.map(({ contract }) => contract)).toEqual(['depository', 'approvalProxy', 'wrapped']);
  const accepted = { address: one, source: 'accepted', at: '2026-01-31T00:00:00.000Z', instead: two };
  expect(rows[1]).toMatchObject({ ...accepted, live: null, differs: null });
});

test('behavior: next to the addresses that the service reports', () => {
  const rows = ContractListing.from(known, { depository: one, approvalProxy: two, router: 'soon\n' });
  expect(rows.map(({ contract, live, differs }) => [contract, live, differs])).toEqual([
    ['depository', one, false],
    ['router', 'soon\\x0a', true],
    ['approvalProxy', two, true],
    ['wrapped', null, null],
  ]);
});
