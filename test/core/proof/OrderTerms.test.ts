import { expect, test } from 'vitest';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { market } from '../../support/market.js';
import { altered, intent, prove, quote } from '../../support/quoted.js';

const other = accounts.dev7.address;
const order = 'protocol.v2.orderData';
const payment = 'protocol.v2.paymentDetails';

test.each([
  ['order-fees', `${order}.fees`, [{ recipientChainId: 'alpha', recipient: other, currency: other, amount: '1' }]],
  ['order-input-currency', `${order}.inputs.0.payment.currency`, other],
  ['payment-currency', `${payment}.currency`, other],
  ['payment-depository', `${payment}.depository`, other],
])('check: %s is refused by its own name, whatever else is wrong then', async (check, path, value) => {
  const honest = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
  const verdictOf = async (of: typeof honest) => (await prove(of)).find((each) => each.check === check)?.verdict;
  expect([await verdictOf(honest), await verdictOf(altered(honest, path, value))]).toEqual(['verified', 'mismatch']);
});

test.each([
  ['its fill', `${order}.output.deadline`],
  ['its refund', `${order}.inputs.0.refunds.0.deadline`],
])('check: attack: an order whose deadline for %s passes before a deposit is mined and answered', async (_, path) => {
  const honest = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
  const inSeconds = async (seconds: number) => {
    const findings = await prove(altered(honest, path, Math.floor(market.nowMs / 1000) + seconds));
    return findings.find(({ check }) => check === 'order-deadline')?.verdict;
  };
  expect([await inSeconds(10), await inSeconds(3_600), await inSeconds(3_602)]).toEqual([
    'mismatch',
    'mismatch',
    'verified',
  ]);
});

test('check: attack: a permit that outlives what obliges anybody to fill or refund its order', async () => {
  const honest = await quote(intent('100', 'alpha/usdc', 'beta/usdc', { permit: true }));
  const inSeconds = async (path: string, seconds: number) => {
    const findings = await prove(altered(honest, path, Math.floor(market.nowMs / 1000) + seconds));
    return findings.find(({ check }) => check === 'signature-deadline')?.verdict;
  };
  // The sandbox's permits are valid for ten minutes.
  for (const path of [`${order}.output.deadline`, `${order}.inputs.0.refunds.0.deadline`])
    expect([await inSeconds(path, 3_700), await inSeconds(path, 4_300)]).toEqual(['mismatch', 'verified']);
});
