import { describe, expect, test } from 'vitest';
import { RefusalError } from '../../../src/sandbox/pricing/QuoteRefusal.js';
import { partiesOf } from '../../../src/sandbox/pricing/QuoteTerms.js';
import * as fixture from '../../support/market.js';

const { alpha, beta, venue, user, other } = fixture;

const bridge = { origin: alpha, destination: beta };
const deposit = { origin: alpha, destination: venue };
const withdrawal = { origin: venue, destination: beta };

type Asked = { user: string; recipient?: string; refundTo?: string };

function from(asked: Asked, chains: Parameters<typeof partiesOf>[1]) {
  return partiesOf({ ...fixture.request(1n, 'alpha/usdc', 'beta/usdc'), ...asked }, chains);
}

function refusal(asked: Asked, chains: Parameters<typeof partiesOf>[1]): unknown {
  try {
    from(asked, chains);
  } catch (error) {
    if (error instanceof RefusalError) return error.body;
    throw error;
  }
  return undefined;
}

describe('from', () => {
  test('default: the user is the recipient; no refund account', () => {
    expect(from({ user }, bridge)).toEqual({ user, recipient: user, refundTo: undefined });
  });

  test('behavior: to and from a venue account', () => {
    expect(from({ user, recipient: '106', refundTo: other }, deposit)).toEqual({
      user,
      recipient: '106',
      refundTo: other,
    });
    expect(from({ user: '100', recipient: user, refundTo: '106' }, withdrawal)).toEqual({
      user: '100',
      recipient: user,
      refundTo: '106',
    });
  });

  test.each<[name: string, asked: Asked, chains: Parameters<typeof partiesOf>[1], errorCode: string]>([
    ['an address on the venue', { user, recipient: user }, deposit, 'INVALID_ADDRESS'],
    ['digits with leading zeros', { user, recipient: '0100' }, deposit, 'INVALID_ADDRESS'],
    ['no recipient on the venue', { user }, deposit, 'INVALID_RECIPIENT'],
    ['a missing account', { user, recipient: '4711' }, deposit, 'INVALID_RECIPIENT'],
    ["the service's own account", { user, recipient: '7' }, deposit, 'INVALID_RECIPIENT'],
    ['a refund on a chain to an account', { user, recipient: '100', refundTo: '100' }, deposit, 'INVALID_ADDRESS'],
    ['an index on a chain', { user: '100', recipient: '100' }, withdrawal, 'INVALID_ADDRESS'],
    ['no recipient on the chain', { user: '100' }, withdrawal, 'INVALID_RECIPIENT'],
    ['an address as payer on the venue', { user, recipient: user }, withdrawal, 'INVALID_ADDRESS'],
    ['a missing account as payer', { user: '4711', recipient: user }, withdrawal, 'INVALID_ADDRESS'],
    [
      'a refund on the venue to an address',
      { user: '100', recipient: user, refundTo: user },
      withdrawal,
      'INVALID_ADDRESS',
    ],
    ['a currency', { user, recipient: fixture.token(beta, 'USDC').address }, bridge, 'INVALID_RECIPIENT'],
  ])('error: %s', (_, asked, chains, errorCode) => {
    expect(refusal(asked, chains)).toMatchObject({ errorCode });
  });
});
