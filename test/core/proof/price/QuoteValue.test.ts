import { describe, expect, test } from 'vitest';
import type * as Network from '../../../../src/core/network/Network.js';
import type * as Prices from '../../../../src/core/proof/price/Prices.js';
import * as QuoteValue from '../../../../src/core/proof/price/QuoteValue.js';
import { altered, network as bare, intent, quote } from '../../../support/quoted.js';

/** USDT has none, like a token that ferry does not know the worth of. */
const assets: Readonly<Record<string, string>> = { ETH: 'ETH', WETH: 'ETH', USDC: 'USD', DAI: 'USD', GULL: 'GULL' };

const priced = (token: Network.Token): Network.Token => ({ ...token, asset: assets[token.symbol] });

const network: Network.Network = {
  ...bare,
  chains: bare.chains.map((chain) => ({ ...chain, native: priced(chain.native), tokens: chain.tokens.map(priced) })),
};

const ether: Prices.Price = { answer: 250_000_000_000n, decimals: 8, source: 'the ETH/USD feed on alpha' };
const prices: Prices.Prices = new Map([['ETH', ether]]);

async function valued(amount: string, from: string, to: string): Promise<ReturnType<typeof QuoteValue.from>> {
  const asked = await quote(intent(amount, from, to));
  return QuoteValue.from(QuoteValue.sidesOf(asked, network), prices);
}

describe('from', () => {
  test('default: dollars against dollars, whatever their decimals', async () => {
    expect(await valued('100', 'alpha/usdc', 'beta/dai')).toMatchObject({
      input: 100_000_000n,
      isUsd: true,
      source: 'the amounts',
    });
  });

  test('behavior: the same asset needs no price, which only tells what it is worth', async () => {
    expect(await valued('1', 'alpha/eth', 'beta/weth')).toMatchObject({
      input: 10n ** 18n,
      isUsd: false,
      inputUsd: 2_500_000_000n,
      source: 'the amounts',
    });
    expect(await valued('1', 'alpha/gull', 'beta/gull')).toMatchObject({ isUsd: false, inputUsd: undefined });
  });

  test('behavior: a dollar needs no feed, the other side does', async () => {
    expect(await valued('1', 'alpha/eth', 'beta/usdc')).toMatchObject({
      input: 2_500_000_000n,
      isUsd: true,
      source: 'the ETH/USD feed on alpha',
    });
  });

  test('error: a token that ferry does not know, and a price that was not read', async () => {
    expect(await valued('10', 'alpha/usdt', 'beta/usdc')).toEqual({ why: 'ferry knows no price of USDT' });
    expect(await valued('10', 'alpha/gull', 'beta/usdc')).toEqual({ why: 'no price feed was read' });
  });

  test('error: a symbol proves nothing', async () => {
    const asked = await quote(intent('10', 'alpha/usdt', 'beta/usdc'));
    const posing = altered(asked, 'details.currencyIn.currency.symbol', 'USDC');
    expect(QuoteValue.from(QuoteValue.sidesOf(posing, network), prices)).toEqual({
      why: 'ferry knows no price of USDC',
    });
  });
});

test('needed: the assets of both sides but the dollar, unless they are the same', () => {
  const needed = (input: string, output: string) =>
    QuoteValue.needed({
      input: { amount: 1n, asset: input, decimals: 6 },
      output: { amount: 1n, asset: output, decimals: 6 },
    });
  expect(needed('ETH', 'USD')).toEqual(['ETH']);
  expect(needed('ETH', 'GULL')).toEqual(['ETH', 'GULL']);
  expect(needed('ETH', 'ETH')).toEqual([]);
  expect(QuoteValue.needed({ input: { why: 'unknown' }, output: { amount: 1n, asset: 'ETH', decimals: 18 } })).toEqual(
    [],
  );
});
