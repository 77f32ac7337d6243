import { describe, expect, test } from 'vitest';
import * as DepositAddresses from '../../../../src/core/api/foreign/DepositAddresses.js';
import { decode, problems } from '../../../support/problems.js';

const reindex = { chainId: 313371, depositAddress: `0x${'ab'.repeat(20)}` };

describe('query', () => {
  test('default', () => {
    expect(decode(DepositAddresses.query, { address: '0x1' })).toEqual({ address: '0x1' });
    expect(problems(DepositAddresses.query, { addresses: '0x1' })).toEqual(['addresses: unknown field']);
  });
});

describe('reindexRequest', () => {
  test('default', () => {
    expect(decode(DepositAddresses.reindexRequest, reindex)).toEqual(reindex);
    expect(problems(DepositAddresses.reindexRequest, { ...reindex, chainId: '1' })).toEqual([
      'chainId: expected a number',
    ]);
  });
});
