import { describe, expect, test } from 'vitest';
import { finalityOf } from '../../../src/core/execution/TransactionSettlement.js';
import type { Receipt } from '../../../src/core/ports/Ports.js';

/** A receipt in block 10, of the transaction with nonce 7. */
const receipt = (...witnesses: readonly string[]) => ({ blockNumber: 10n, witnesses }) as Receipt;

/** How final a receipt is that one node alone shows, by its last block and by the one from which on the nonce is used. */
const alone = ({ tip = 12n, usedAt = 12n, isOwn = false } = {}) =>
  finalityOf(
    receipt('the node'),
    { owner: '0x01', nonce: 7 },
    {
      minedNonce: async (_, at = tip) => (at < usedAt ? 7 : 8),
      tip: async () => ({ number: tip, timestamp: 0n }),
      isOwn: async () => isOwn,
    },
  );

describe('finalityOf', () => {
  test('default: final if two nodes show it', async () => {
    const nobody = async () => Promise.reject(new Error('Nobody is asked.'));
    const origin = { minedNonce: nobody, tip: nobody };
    expect(await finalityOf(receipt('a', 'b'), { owner: '0x01', nonce: 7 }, origin)).toBe('final');
    expect(await finalityOf(receipt('a'), { owner: '0x01', nonce: 7 }, origin)).toBe('open');
  });

  test('behavior: two blocks later one node alone is one witness, and the sandbox’s own is believed', async () => {
    expect([await alone(), await alone({ isOwn: true })]).toEqual(['one witness', 'final']);
  });

  test('behavior: open until there are two blocks above it, and the nonce is used in the second', async () => {
    expect([await alone({ tip: 11n, usedAt: 11n }), await alone({ usedAt: 13n })]).toEqual(['open', 'open']);
  });
});
