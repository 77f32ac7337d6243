import { describe, expect, test } from 'vitest';
import type { VenueAccount } from '../../../src/core/accounts/VenueAccount.js';
import * as Plan from '../../../src/core/execution/Plan.js';
import * as WithdrawalChecks from '../../../src/core/withdrawal/WithdrawalChecks.js';
import * as quoted from '../../support/quoted.js';
import { signed, transfer } from '../../support/venue.js';
import { failure } from '../../support/workbench.js';

const owner = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const account: VenueAccount = { index: 100, wallet: owner, isMaster: true, isActive: true, assets: [] };

describe('planOf', () => {
  test('error: what is paid on a chain', async () => {
    const bridge = await quoted.verify(await quoted.quote(quoted.intent('100', 'alpha/usdc', 'beta/usdc')));
    await failure('quote.unsupported-step', () => WithdrawalChecks.planOf(Plan.from(bridge)));
  });
});

describe('assertValidity', () => {
  test.each([undefined, 1, 540_000, 600_000])('default: %s', (validForMs) => {
    expect(() => WithdrawalChecks.assertValidity(validForMs)).not.toThrow();
  });

  test.each([
    [600_001, '600001ms'],
    [660_000, '11m'],
    [3_600_000, '1h'],
  ])('error: %i', async (validForMs, given) => {
    const error = await failure('usage.invalid', () => WithdrawalChecks.assertValidity(validForMs));
    expect(error.message).toContain('--valid-for is longer than the venue allows');
    expect(error.facts).toEqual([
      ['given', given],
      ['at most', '10m'],
    ]);
  });
});

describe('assertOwner', () => {
  test('default: whatever the case', () => {
    expect(() => WithdrawalChecks.assertOwner(account, owner.toLowerCase() as typeof owner)).not.toThrow();
  });

  test('error: another wallet', async () => {
    const wallet = `0x${'12'.repeat(20)}` as const;
    const error = await failure('auth.venue-owner', () => WithdrawalChecks.assertOwner(account, wallet));
    expect(error.facts).toEqual([
      ['owner', owner],
      ['signing', wallet],
    ]);
    expect(error.exit).toBe(4);
  });
});

test('isFeeLarge: above a twentieth of the amount', () => {
  const fees = [0n, 250_000n, 250_001n, 3_000_000n];
  expect(fees.map((usdcFee) => WithdrawalChecks.isFeeLarge({ ...transfer, usdcFee }))).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

test('feeInWords', () => {
  expect(WithdrawalChecks.feeInWords(transfer)).toBe('The venue charges 3 USDC on top, 60% of the amount.');
  expect(WithdrawalChecks.feeInWords({ ...transfer, usdcFee: 1n })).toBe(
    'The venue charges 0.000001 USDC on top, 0% of the amount.',
  );
  expect(WithdrawalChecks.feeInWords({ ...transfer, amount: 0n })).toBe('The venue charges 3 USDC on top.');
});

describe('assertFeeAsked', () => {
  test('default', () => {
    const warnings: string[] = [];
    WithdrawalChecks.assertFeeAsked(transfer, 3_000_000n, (text) => warnings.push(text));
    expect(warnings).toEqual([]);
    WithdrawalChecks.assertFeeAsked(transfer, undefined, (text) => warnings.push(text));
    expect(warnings).toEqual([expect.stringContaining('did not return its current transfer fee')]);
  });

  test.each([2_999_999n, 3_000_001n, 0n])('error: %d instead of 3000000', async (asked) => {
    const error = await failure('verify.mismatch', () => WithdrawalChecks.assertFeeAsked(transfer, asked, () => {}));
    expect(error).toMatchObject({
      exit: 5,
      facts: [
        ['quoted', '3 USDC'],
        ['asked', expect.stringContaining('USDC')],
      ],
    });
  });
});

test('toSigned', async () => {
  const own = await signed({}, { nonce: 7n, expiredAtMs: 1_795_187_183_228 });
  expect(WithdrawalChecks.toSigned(own)).toEqual({
    txInfo: own.txInfo,
    txHash: own.txHash,
    publicKey: own.publicKey,
    signingChainId: 313373,
    accountIndex: 101,
    apiKeyIndex: 4,
    nonce: '7',
    expiresAt: 1_795_187_183_228,
  });
});
