import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/core/command/Context.js';
import * as QuoteDocument from '../../src/core/quote/QuoteDocument.js';
import { readQuoteFile } from '../../src/transfer/quoteFile.js';
import * as market from '../support/market.js';
import { intent, network, quote } from '../support/quoted.js';

describe('readQuoteFile: a token that is not well known, in a file that anybody may have made', () => {
  const address = '0x6666666666666666666666666666666666666666';

  /** The findings about a file whose input is such a token, of which its contract says that it has 18 decimals. */
  async function verdictOf(decimals: number): Promise<unknown> {
    const honest = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    const token = { address, symbol: 'FOO', name: 'Foo', decimals };
    const posing = { ...honest, intent: { ...honest.intent, origin: { ...honest.intent.origin, token } } };
    const file = { network: network.name, data: QuoteDocument.from(posing, []) };
    const context = {
      network,
      files: { read: async () => JSON.stringify(file) },
      seal: async () => undefined,
      clock: { now: () => market.market.nowMs },
      sender: async () => market.user,
      chain: async () => ({ token: async () => ({ symbol: 'FOO', name: 'Foo', decimals: 18 }) }),
    };
    const { findings } = await readQuoteFile('quote.json', context as unknown as Context);
    return findings.find(({ check }) => check === 'input-currency');
  }

  test('attack: it says how many decimals the token has, and so how much a person is asked to pay', async () => {
    expect(await verdictOf(6)).toMatchObject({
      verdict: 'mismatch',
      expected: 'FOO with 18 decimals',
      found: 'FOO with 6 decimals',
    });
  });

  test('default: what the contract says too is right', async () => {
    expect(await verdictOf(18)).toMatchObject({ verdict: 'verified' });
  });
});
