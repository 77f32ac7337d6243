import { describe, expect, test } from 'vitest';
import * as GasCost from '../../../src/core/fees/GasCost.js';
import { network } from '../../../src/core/network/sandbox.js';
import * as Quote from '../../../src/core/quote/Quote.js';
import * as market from '../../support/market.js';
import * as recorded from '../../support/recorded.js';

const answer = async (...asked: Parameters<typeof market.request>): Promise<Quote.Answer> =>
  Quote.read((await market.quote(market.request(...asked))).response);

describe('ofAnswer', () => {
  test('behavior: the user pays for an approval before a permit', () => {
    const permit = Quote.read(recorded.read('quote-permit-permit2') as Quote.Answer['response']);
    expect(permit.items.map(({ kind }) => kind)).toEqual(['transaction', 'signature']);
    expect(GasCost.ofAnswer(permit, { isGasless: true })).toMatchObject([{ kind: 'origin-gas' }]);
    const alone = { ...permit, items: permit.items.filter(({ kind }) => kind === 'signature') };
    expect(GasCost.ofAnswer(alone, { isGasless: true })).toEqual([]);
  });
  test('behavior: the fee is known without the deprecated fields', async () => {
    const quoted = await answer(100_000_000n, 'lighter/usdc', 'alpha/usdc');
    const bare = { ...quoted, response: { ...quoted.response, fees: undefined } };
    expect(GasCost.ofAnswer(bare, { isGasless: undefined })).toMatchObject([{ amount: 3_000_000n, usd: -3_000_000n }]);
  });
});

describe('ofTransactions', () => {
  const paid = { chainId: 313371, fee: '1000', feeUsd: '0.0025' };
  test('behavior: none if the service paid, on the venue, or if not stated', () => {
    expect(GasCost.ofTransactions([paid], { isGasless: true, network })).toEqual([]);
    const others = [{ ...paid, chainId: 3586256 }, { ...paid, fee: '0' }, { chainId: 313371 }, { ...paid, fee: '?' }];
    expect(GasCost.ofTransactions(others, { isGasless: false, network })).toEqual([]);
  });
});
