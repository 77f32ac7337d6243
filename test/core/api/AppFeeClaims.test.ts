import { describe, expect, test } from 'vitest';
import * as AppFeeClaims from '../../../src/core/api/AppFeeClaims.js';
import * as SignatureItem from '../../../src/core/api/schema/SignatureItem.js';
import { decode, problems, withUnknownFields } from '../../support/problems.js';
import { describePublished, read } from '../../support/published.js';

const currency = {
  currency: { chainId: 313371, address: '0x1', symbol: 'USDC', name: 'USD Coin', decimals: 6 },
  amount: '116235557',
  amountFormatted: '116.235557',
  amountUsd: '116.235557',
  minimumAmount: '116235557',
};
const claim = {
  claimId: '0x1',
  wallet: '0x2',
  recipient: '0x3',
  currency,
  txHash: null,
  status: 'pending',
  createdAt: '2026-10-01T00:00:00.000Z',
};

describe('balances', () => {
  test('default', () => {
    const balances = { balances: [currency], totalBalanceUsd: 116.2 };
    expect(decode(AppFeeClaims.balances, withUnknownFields(balances))).toEqual(withUnknownFields(balances));
    expect(problems(AppFeeClaims.balances, {})).toEqual(['balances: missing, expected an array']);
  });
});

describe('claims', () => {
  test('default', () => {
    expect(decode(AppFeeClaims.claims, { claims: [claim] })).toEqual({ claims: [claim] });
    expect(problems(AppFeeClaims.claims, { claims: [{ ...claim, currency: '5' }] })).toHaveLength(1);
    expect(problems(AppFeeClaims.claimsQuery, { limit: 0 })).toHaveLength(1);
  });
});

describe('claimRequest', () => {
  test('default', () => {
    const request = { chainId: 1, currency: '0x1', recipient: '0x2' };
    expect(problems(AppFeeClaims.claimRequest, request)).toEqual([]);
    expect(problems(AppFeeClaims.claimRequest, { ...request, amount: '1.5' })).toHaveLength(1);
    expect(problems(AppFeeClaims.claimRequest, { chainId: 1, currency: '0x1' })).toEqual([
      'recipient: missing, expected a string',
    ]);
  });
});

describePublished('the published claim', () => {
  test('default: one message to sign, whose signature is posted', () => {
    const published = read('live/app-fees-claim-1.json');
    const { steps } = decode(AppFeeClaims.claimResponse, published);
    expect(steps).toEqual((published as AppFeeClaims.ClaimResponse).steps);
    expect(SignatureItem.schema.safeParse(steps[0]?.items[0]?.data).success).toBe(true);
  });
});
