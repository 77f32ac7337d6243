import { expect, test } from 'vitest';
import * as RequestSide from '../../../src/core/history/RequestSide.js';
import { network } from '../../../src/core/network/sandbox.js';

const usdc = { chainId: 313371, address: '0xa27bc320252d51eeaa24bccf6cc003979e485860', symbol: 'USDC', decimals: 6 };

test('behavior: an unknown token with a well-known symbol is named by its address', () => {
  const address = `0x${'1'.repeat(40)}`;
  const side = RequestSide.from({ currency: { ...usdc, address }, amountFormatted: '7.0' }, {}, network);
  expect(side).toMatchObject({ currency: `alpha/${address}`, symbol: 'USDC', formatted: '7.0', amount: null });
});

test('behavior: missing values come from the fallback', () => {
  const { chainId, address } = usdc;
  const side = RequestSide.from(undefined, { chainId, address, amount: '2000000' }, network);
  expect(side).toMatchObject({ currency: 'alpha/usdc', amount: '2000000', formatted: '2', symbol: null });
  expect(Object.values(RequestSide.from(null, {}, network)).every((value) => value === null)).toBe(true);
});
