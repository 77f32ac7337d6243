import { describe, expect, test } from 'vitest';
import * as AppFeeClaims from '../../../src/core/api/AppFeeClaims.js';
import * as ClaimableFees from '../../../src/core/claims/ClaimableFees.js';
import * as Network from '../../../src/core/network/Network.js';
import { network } from '../../../src/core/network/sandbox.js';
import * as Currency from '../../../src/core/quote/Currency.js';
import { decode } from '../../support/problems.js';
import { failure } from '../../support/workbench.js';

const alpha = Network.chain(network, 'alpha');
const addressOf = (symbol: string): string => Network.token(alpha, symbol)?.address ?? '';
const balance = (address: string, amount: unknown, more = {}) => ({
  currency: { chainId: alpha.id, address, symbol: 'LIE', decimals: 2 },
  amount,
  ...more,
});
const from = (...balances: unknown[]) =>
  ClaimableFees.from(decode(AppFeeClaims.balances, { balances }) as AppFeeClaims.Balances, network);
const usdc = balance(addressOf('usdc'), '1500000', { amountUsd: 1.5 });
const dai = balance(addressOf('dai'), 7, { amountUsd: null });

describe('from', () => {
  test('default: symbol and decimals are the network’s own, amounts and dollars may be numbers', () => {
    expect(from(usdc, dai)).toMatchObject([
      { chain: 'alpha', currency: 'alpha/usdc', symbol: 'USDC', amount: '1500000', formatted: '1.5', usd: '1.500000' },
      { currency: 'alpha/dai', symbol: 'DAI', amount: '7', formatted: '0.000000000000000007', usd: null },
    ]);
  });

  test('behavior: a token and a chain that the network does not have', () => {
    const stranger = `0x${'5'.repeat(40)}`;
    expect(from(balance(stranger, '150'))).toMatchObject([{ currency: `alpha/${stranger}`, formatted: '1.5' }]);
    const far = { currency: { chainId: 8453, address: stranger }, amount: '3' };
    expect(from(far)).toMatchObject([{ chain: null, currency: null, symbol: 'unknown', formatted: null, amount: '3' }]);
    expect(ClaimableFees.inWords(from(far)[0] as ClaimableFees.Balance)).toBe('3 unknown on chain 8453');
  });
});

describe('choose', () => {
  const typed = (text: string) => Currency.parse(text, network);

  test('default: the only one, or the one that is named', () => {
    expect(ClaimableFees.choose(from(usdc, balance(addressOf('dai'), '0')), undefined, '0x')).toMatchObject({
      symbol: 'USDC',
    });
    expect(ClaimableFees.choose(from(usdc, dai), typed('alpha/dai'), '0x')).toMatchObject({ symbol: 'DAI' });
  });

  test('error: none, not that one, several', async () => {
    const choose = (balances: ClaimableFees.Balance[], text?: string) => () =>
      ClaimableFees.choose(balances, text === undefined ? undefined : typed(text), '0x');
    expect((await failure('submit.insufficient-balance', choose([]))).message).toMatch(/no app fees to claim/);
    const other = await failure('submit.insufficient-balance', choose(from(usdc), 'beta/usdc'));
    expect(other.facts).toContainEqual(['app fees', '1.5 USDC on alpha']);
    expect((await failure('usage.missing', choose(from(usdc, dai)))).next).toBe('ferry fees claim alpha/usdc');
  });
});

test('fromClaims: from claims with missing fields', () => {
  const received = { claims: [{ claimId: '1', status: 'pending', txHash: null }] };
  const claims = decode(AppFeeClaims.claims, received) as AppFeeClaims.Claims;
  expect(ClaimableFees.fromClaims(claims)).toEqual([
    { claimId: '1', status: 'pending', recipient: null, txHash: null, createdAt: null },
  ]);
});
