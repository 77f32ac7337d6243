import { describe, expect, test } from 'vitest';
import * as Network from '../../../src/core/network/Network.js';
import * as OrderLegs from '../../../src/core/proof/OrderLegs.js';
import { altered, intent, network, quote } from '../../support/quoted.js';

describe('origin', () => {
  test('default: without a swap the order is paid in the input', async () => {
    const plain = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    expect(OrderLegs.origin(plain)).toEqual({ paid: plain.response.details.currencyIn, swap: undefined });
  });
  test('default: a swap of the route yields what the order is paid in', async () => {
    const plain = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    const yielded = { ...plain.response.details.currencyIn, amount: '7' };
    const currency = { ...yielded.currency, address: '0x0000000000000000000000000000000000000000' };
    const swapped = altered(plain, 'details.route.origin.outputCurrency', { ...yielded, currency });
    expect(OrderLegs.origin(swapped)).toMatchObject({ paid: { amount: '7' }, swap: { amount: '7' } });
    expect(OrderLegs.origin(altered(swapped, 'details.route', null)).swap).toBeUndefined();
  });
});

test('refundable: the output, and what the solver starts from', async () => {
  const swap = await quote(intent('100', 'alpha/usdc', 'beta/gull'));
  const addresses = OrderLegs.refundable(swap).map(({ currency }) => currency.address.toLowerCase());
  const beta = Network.chain(network, 'beta');
  const expected = ['gull', 'usdc'].map((symbol) => Network.token(beta, symbol)?.address.toLowerCase());
  expect(addresses).toEqual(expected);
  expect(OrderLegs.refundable(altered(swap, 'details.route', null))).toHaveLength(1);
});

test('isKnown: a currency of the table, or one that the user chose', async () => {
  const { response } = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
  const { details } = response;
  const alpha = Network.chain(network, 'alpha');
  const of = (address: string) => ({ ...details.currencyIn, currency: { ...details.currencyIn.currency, address } });
  expect(OrderLegs.isKnown(of(alpha.contracts.wrapped ?? ''), details, alpha)).toBe(true);
  expect(OrderLegs.isKnown(of(`0x${'66'.repeat(20)}`), details, alpha)).toBe(false);
  const chosen = { currencyIn: of(`0x${'66'.repeat(20)}`), currencyOut: details.currencyOut };
  expect(OrderLegs.isKnown(of(`0x${'66'.repeat(20)}`), chosen, alpha)).toBe(true);
});
