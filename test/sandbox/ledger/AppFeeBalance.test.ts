import { describe, expect, test } from 'vitest';
import * as AppFeeBalance from '../../../src/sandbox/ledger/AppFeeBalance.js';
import type { EvmToken } from '../../../src/sandbox/values/Market.js';
import { add, deposited, filled, ledgerAt, refunded } from '../../support/entries.js';
import * as market from '../../support/market.js';

const token = market.alpha.tokens.find(({ symbol }) => symbol === 'USDC') as EvmToken;
const wallet = market.other;
const fees = { appFees: [{ recipient: wallet, fee: '100' }] };

function claim(change: Partial<AppFeeBalance.Claim> = {}): AppFeeBalance.Claim {
  const hash = `0x${'a'.repeat(64)}` as const;
  return { id: '0x1', wallet, recipient: wallet, chainId: 313371, amount: 400_000n, createdAtMs: 1, hash, ...change };
}

describe('of', () => {
  test('default: a share of what was delivered, in any case of the address', async () => {
    const ledger = ledgerAt(1_000);
    const entry = await add(ledger, { request: fees });
    const { requestId } = entry.order;
    const balance = () => AppFeeBalance.of(wallet.toLowerCase(), { entries: [...ledger.search()], claims: [], token });
    expect(balance()).toBe(0n);
    ledger.update(requestId, deposited(entry));
    expect(balance()).toBe(0n);
    ledger.update(requestId, filled(entry, 1n));
    // 1% of 100 USDC.
    expect(balance()).toBe(1_000_000n);
  });

  test('behavior: nothing of a refund, of another wallet, of a transfer without app fees', async () => {
    const ledger = ledgerAt(1_000);
    const back = await add(ledger, { request: fees });
    ledger.update(back.order.requestId, refunded(back, 1n));
    const other = await add(ledger, { request: { appFees: [{ recipient: market.solver, fee: '100' }] } });
    ledger.update(other.order.requestId, filled(other, 1n));
    const plain = await add(ledger);
    ledger.update(plain.order.requestId, filled(plain, 1n));
    expect(AppFeeBalance.of(wallet, { entries: [...ledger.search()], claims: [], token })).toBe(0n);
  });

  test('behavior: fees in another currency count by their value', async () => {
    const ledger = ledgerAt(1_000);
    const entry = await add(ledger, { from: 'alpha/eth', to: 'beta/eth', amount: 10n ** 18n, request: fees });
    ledger.update(entry.order.requestId, filled(entry, 1n));
    // 1% of one ETH at 2,500 dollars.
    expect(AppFeeBalance.of(wallet, { entries: [...ledger.search()], claims: [], token })).toBe(25_000_000n);
  });

  test('behavior: less the claims that were signed', async () => {
    const ledger = ledgerAt(1_000);
    const entry = await add(ledger, { request: fees });
    ledger.update(entry.order.requestId, filled(entry, 1n));
    const claims = [claim(), claim({ hash: undefined }), claim({ wallet: market.user })];
    expect(AppFeeBalance.of(wallet, { entries: [...ledger.search()], claims, token })).toBe(600_000n);
  });
});
