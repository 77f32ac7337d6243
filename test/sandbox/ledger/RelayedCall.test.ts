import { describe, expect, test } from 'vitest';
import * as RelayedCall from '../../../src/sandbox/ledger/RelayedCall.js';
import * as market from '../../support/market.js';

const relay: RelayedCall.Relay = {
  by: 'call',
  digest: '0x01',
  chainId: 313371,
  transaction: { to: market.user, data: '0x', value: 0n, gas: 21_000n, authorizations: [] },
  sent: undefined,
  state: 'queued',
  afterFill: undefined,
};

const sponsored = { chargedUsd: 1_500n, valueUsd: 1_000n, paysGas: true };

describe('dueUsd', () => {
  test('default: gas, the flat fee and the value', () => {
    expect(RelayedCall.dueUsd(sponsored, { isSuccess: true, gasUsd: 300n, flatUsd: 20_000n })).toBe(21_300n);
    expect(RelayedCall.dueUsd({ ...sponsored, paysGas: false }, { isSuccess: true, gasUsd: 300n, flatUsd: 0n })).toBe(
      1_000n,
    );
  });

  test('behavior: only the gas if reverted', () => {
    expect(RelayedCall.dueUsd(sponsored, { isSuccess: false, gasUsd: 300n, flatUsd: 20_000n })).toBe(300n);
  });
});

describe('sponsoredGasUsd', () => {
  test('default: the charge without the value', () => {
    expect(RelayedCall.sponsoredGasUsd({ ...relay, state: 'mined', sponsored })).toBe(500n);
    expect(
      RelayedCall.sponsoredGasUsd({ ...relay, state: 'reverted', sponsored: { ...sponsored, chargedUsd: 300n } }),
    ).toBe(300n);
  });

  test('behavior: 0 if the quote includes the gas, or without a sponsor', () => {
    expect(RelayedCall.sponsoredGasUsd({ ...relay, state: 'mined', sponsored: { ...sponsored, paysGas: false } })).toBe(
      0n,
    );
    expect(RelayedCall.sponsoredGasUsd(relay)).toBe(0n);
    expect(RelayedCall.sponsoredGasUsd(undefined)).toBe(0n);
  });
});
