import { expect, test } from 'vitest';
import * as QuoteV2 from '../../../src/core/api/QuoteV2.js';
import * as Decode from '../../../src/core/api/schema/Decode.js';

const amount = { currency: { chainId: 8453, address: '0x00' }, amount: '5' };
const least = { steps: [], details: { sender: '0x01', recipient: '0x02', currencyIn: amount, currencyOut: amount } };

test('behavior: numbers become strings, and null stays null', () => {
  const currencyOut = { ...amount, amount: 5, amountUsd: 1.25, minimumAmount: null };
  const answer = { ...least, details: { ...least.details, currencyOut, totalImpact: null, rate: 2 } };
  const decoding = Decode.from(QuoteV2.response, answer);
  const details = {
    currencyOut: { amount: '5', amountUsd: '1.25', minimumAmount: null },
    totalImpact: null,
    rate: '2',
  };
  expect(decoding).toMatchObject({ ok: true, value: { details } });
});
const step = { id: 'deposit', kind: 'transaction', items: [{}] };
const currency = { ...amount.currency, decimals: 256 };
const order = (deadline: number) => ({
  protocol: { v2: { orderId: 'x', orderData: { output: { deadline } } } },
});
test.each([
  ['steps', { steps: Array(21).fill(step) }],
  ['requestId', { requestId: '0x1;touch ran' }],
  ['steps[0].requestId', { steps: [{ ...step, requestId: `0x${'1'.repeat(63)}` }] }],
  ['steps[0].items', { steps: [{ ...step, items: Array(21).fill({}) }] }],
  ['details.currencyIn.currency.decimals', { details: { ...least.details, currencyIn: { ...amount, currency } } }],
  [
    'details.currencyOut.amount',
    { details: { ...least.details, currencyOut: { ...amount, amount: '9'.repeat(101) } } },
  ],
  ['protocol.v2.orderData.output.deadline', order(8_640_000_000_001)],
  ['protocol.v2.orderData.output.deadline', order(9e15)],
])('error: %s beyond its bound', (path, own) => {
  const decoding = Decode.from(QuoteV2.response, { ...least, ...own });
  expect(decoding.ok ? [] : decoding.problems.map((problem) => Decode.formatPath(problem.path))).toContain(path);
});

test.each([
  ['details.sender', { sender: undefined }],
  ['details.currencyIn.amount', { currencyIn: { ...amount, amount: undefined } }],
  ['details.currencyOut.currency.address', { currencyOut: { ...amount, currency: { chainId: 1 } } }],
])('error: %s is required', (path, own) => {
  const decoding = Decode.from(QuoteV2.response, { ...least, details: { ...least.details, ...own } });
  expect(decoding.ok ? [] : decoding.problems.map((problem) => Decode.formatPath(problem.path))).toEqual([path]);
});
