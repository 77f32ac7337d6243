import { describe, expect, test } from 'vitest';
import * as RequestQuery from '../../../src/core/history/RequestQuery.js';
import { network } from '../../../src/core/network/sandbox.js';

const nowMs = Date.parse('2026-09-21T14:00:00.500Z');
const user = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

function from(typed: RequestQuery.Typed, known = network): RequestQuery.RequestQuery {
  return RequestQuery.from(typed, { network: known, user: undefined, nowMs });
}

const seconds = (iso: string): number => Date.parse(iso) / 1000;

describe('from', () => {
  test('behavior: chains, types and currencies as the service names them', () => {
    const typed = {
      status: 'failure',
      type: 'same-chain-swap',
      origin: 'alpha',
      destination: '313372',
      currencyIn: 'alpha/usdc',
      currencyOut: `beta/0x${'1'.repeat(40)}`,
      recipient: user.toLowerCase(),
      minUsd: '$1.5',
      maxUsd: '200',
    };
    expect(from(typed)).toEqual({
      status: 'failure',
      requestType: 'Same-chain Swap',
      originChainId: 313371,
      destinationChainId: 313372,
      currencyInChainId: 313371,
      currencyInAddress: '0xa27bC320252d51EEAA24BCCF6cc003979E485860',
      currencyOutChainId: 313372,
      currencyOutAddress: '0x1111111111111111111111111111111111111111',
      recipient: user,
      amountUsdMin: '1.5',
      amountUsdMax: '200',
    });
    expect(from({ type: 'crosschain-swap' }).requestType).toBe('Crosschain Swap');
    expect(from({ type: 'bridge' }).requestType).toBe('Bridge');
  });

  test.each([
    ['2026-09-01', '2026-09-01T00:00:00Z'],
    ['2026-09-01T12:30', '2026-09-01T12:30:00Z'],
    ['2026-09-01 12:30:15', '2026-09-01T12:30:15Z'],
    ['2026-09-01T12:30:00+02:00', '2026-09-01T10:30:00Z'],
    ['1790000000', '2026-09-21T14:13:20Z'],
    ['90m', '2026-09-21T12:30:00Z'],
    ['12h', '2026-09-21T02:00:00Z'],
    ['7d', '2026-09-14T14:00:00Z'],
    ['2w', '2026-09-07T14:00:00Z'],
  ])('behavior: since %s is %s', (since, iso) => {
    expect(from({ since }).startTimestamp).toBe(seconds(iso));
  });

  test('behavior: fractions of a second are rounded outward', () => {
    const time = '2026-09-01T12:30:00.500Z';
    expect(from({ since: time }).startTimestamp).toBe(seconds('2026-09-01T12:30:00Z'));
    expect(from({ until: time }).endTimestamp).toBe(seconds('2026-09-01T12:30:01Z'));
  });

  test('behavior: only a referrer filter sends the API key', () => {
    expect(from({ referrer: 'shop' })).toEqual({ referrer: 'shop', apiKey: 'sandbox-key' });
    expect(from({ referrer: 'shop' }, { ...network, apiKey: undefined })).toEqual({ referrer: 'shop' });
  });

  test.each<[RequestQuery.Typed, string, RegExp]>([
    [{ origin: 'alpa' }, 'request.unknown-chain', /alpa/],
    [{ currencyIn: 'usdc' }, 'request.invalid-currency', /usdc/],
    [{ currencyIn: 'alpha/nope' }, 'request.unknown-token', /nope/],
    [{ minUsd: '-1' }, 'usage.invalid', /--min-usd cannot be "-1"/],
    [{ since: '2026-06-31' }, 'usage.invalid', /--since/],
    [{ until: '7y\u001b[2J' }, 'usage.invalid', /7y\\x1b/],
    [{ filters: '{"status":"failure"}' }, 'usage.invalid', /--filters/],
    [{ filters: '[{' }, 'usage.invalid', /--filters/],
    [{ sort: 'usd', since: '7d' }, 'usage.invalid', /--sort usd/],
  ])('error: %j', (typed, code, words) => {
    expect(() => from(typed)).toThrow(expect.objectContaining({ code, message: expect.stringMatching(words) }));
  });
});

test('party: EVM addresses are validated, others are passed on unchanged', () => {
  expect(RequestQuery.party(user, 'user')).toBe(user);
  expect(RequestQuery.party('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM', 'user')).toMatch(/^9Wz/);
  expect(RequestQuery.party('100', 'user')).toBe('100');
  expect(() => RequestQuery.party('nope', 'user')).toThrow('nope');
  expect(() => RequestQuery.party('0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266', 'user')).toThrow('checksum');
});

describe('toV2', () => {
  test('default: filters that the deprecated records support', () => {
    const query = from({ status: 'refund', origin: 'alpha', since: '7d', sort: 'updated', referrer: 'shop' });
    expect(RequestQuery.toV2({ ...query, limit: 7, continuation: 'c', depositTxHash: '0x01' })).toEqual({
      query: {
        limit: 7,
        continuation: 'c',
        status: 'refund',
        originChainId: 313371,
        startTimestamp: query.startTimestamp,
        sortBy: 'updatedAt',
        referrer: 'shop',
        hash: '0x01',
      },
    });
  });

  test('behavior: the flags of filters that they do not support', () => {
    const typed = { type: 'bridge', currencyIn: 'alpha/usdc', minUsd: '1', filters: '[{}]', sort: 'usd' };
    expect(RequestQuery.toV2(from(typed))).toEqual({
      lacking: ['--type', '--currency-in', '--min-usd', '--filters', '--sort usd'],
    });
  });
});
