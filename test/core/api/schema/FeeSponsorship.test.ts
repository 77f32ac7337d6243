import { describe, expect, test } from 'vitest';
import * as FeeSponsorship from '../../../../src/core/api/schema/FeeSponsorship.js';
import { decode, problems } from '../../../support/problems.js';
import { read } from '../../../support/recorded.js';

const { feeSponsorship } = read('quote-sponsored') as { feeSponsorship: { quoted: FeeSponsorship.Phase } };

describe('schema', () => {
  test('default', () => {
    expect(decode(FeeSponsorship.schema, feeSponsorship)).toEqual(feeSponsorship);
  });

  test('behavior: a cap, a share and the sponsor’s payment', () => {
    const sponsorPayment = { amount: '7', address: '0x1', chainId: 1 };
    const actual = {
      ...feeSponsorship.quoted,
      maxSubsidizationAmount: '5000000',
      subsidizationBps: 50,
      sponsorPayment,
    };
    expect(decode(FeeSponsorship.schema, { ...feeSponsorship, actual }).actual).toEqual(actual);
  });

  test('behavior: a component of any name', () => {
    const { quoted } = feeSponsorship;
    const components = { ...quoted.components, anyword: quoted.components.swap };
    expect(problems(FeeSponsorship.schema, { quoted: { ...quoted, components } })).toEqual([]);
  });

  test('behavior: the components sum to the total', () => {
    const { components, sponsoredTotal } = feeSponsorship.quoted;
    const sum = Object.values(components).reduce((total, { sponsored }) => total + BigInt(sponsored.amount ?? 0), 0n);
    expect(String(sum)).toBe(sponsoredTotal.amount);
  });

  test('error: a component without its parts', () => {
    const components = { swap: { selected: true } };
    expect(problems(FeeSponsorship.schema, { quoted: { ...feeSponsorship.quoted, components } })).toEqual([
      'quoted.components.swap.total: missing, expected an object',
      'quoted.components.swap.sponsored: missing, expected an object',
      'quoted.components.swap.userPays: missing, expected an object',
    ]);
  });
});
