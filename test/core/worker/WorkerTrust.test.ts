import { describe, expect, test } from 'vitest';
import * as Network from '../../../src/core/network/Network.js';
import { network } from '../../../src/core/network/sandbox.js';
import * as WorkerTrust from '../../../src/core/worker/WorkerTrust.js';

const chain = Network.chain(network, 'alpha');
const user = '0x0000000000000000000000000000000000000001';
const trust = { submitters: [], recipients: undefined, maxLine: { dai: '5' }, maxDay: undefined };

/** A line that pays three units of a token. */
function judge(symbol: string, decimals: number): void {
  const token = { symbol, decimals, address: '0x0000000000000000000000000000000000000002' };
  const paid = { origin: { chain, token }, user, recipient: user, refundTo: user, appFees: [], calls: [] };
  WorkerTrust.assertWithin(trust, paid as unknown as WorkerTrust.Paid, 3n * 10n ** BigInt(decimals), 0n);
}

describe('caps', () => {
  test('default: an amount by symbol, in the units of the token', () => {
    expect(() => judge('DAI', 18)).not.toThrow();
  });

  test.each(['USDC', 'constructor', '__proto__'])('error: none is set for a token called %s', (symbol) => {
    expect(() => judge(symbol, 6)).toThrow(
      expect.objectContaining({ code: 'batch.capped', message: expect.stringContaining(`no amount of ${symbol}`) }),
    );
  });
});
