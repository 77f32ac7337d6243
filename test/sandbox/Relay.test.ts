import { describe, expect, test } from 'vitest';
import * as Relay from '../../src/sandbox/Relay.js';
import * as market from '../support/market.js';

const relay: Relay.Relay = {
  by: 'call',
  digest: '0x01',
  chainId: 313371,
  transaction: { to: market.user, data: '0x', value: 0n, gas: 21_000n, authorizations: [] },
  sent: undefined,
  state: 'queued',
  afterFill: undefined,
};

describe('isUnderWay', () => {
  test('default: from the queue on, also when it is done', () => {
    expect(Relay.isUnderWay(relay)).toBe(true);
    expect(Relay.isUnderWay({ ...relay, state: 'mined' })).toBe(true);
  });

  test('behavior: what reverted, or was never asked for, stands in nobody’s way', () => {
    expect(Relay.isUnderWay({ ...relay, state: 'reverted' })).toBe(false);
    expect(Relay.isUnderWay(undefined)).toBe(false);
  });
});
