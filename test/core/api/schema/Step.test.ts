import { describe, expect, test } from 'vitest';
import * as QuoteV2 from '../../../../src/core/api/QuoteV2.js';
import * as Step from '../../../../src/core/api/schema/Step.js';
import { decode, problems } from '../../../support/problems.js';
import { describePublished, read as readPublished } from '../../../support/published.js';

const transaction = {
  from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  to: '0xfbfbfDdd6e35dA57b7B0F9a2C10E34Be70B3A4E9',
  data: '0x49290c1c',
  value: '1000',
  chainId: 313371,
  gas: '41312',
  maxFeePerGas: '1010000000',
  maxPriorityFeePerGas: '10000000',
};

const transfer = {
  action: {
    type: 'transfer',
    parameters: {
      toAccountIndex: 700001,
      assetIndex: 3,
      fromRouteType: 0,
      toRouteType: 0,
      amount: 40000000,
      usdcFee: 3000000,
      memo: `0x${'5a'.repeat(32)}`,
    },
  },
};

describe('evmTransaction', () => {
  test('behavior: gas as a number is read as a string', () => {
    expect(decode(Step.evmTransaction, { ...transaction, gas: 41312, maxFeePerGas: 7 })).toEqual({
      ...transaction,
      maxFeePerGas: '7',
    });
  });

  test.each([
    ['a negative value', { value: '-1' }, 'value: expected a string of digits'],
    ['half a byte of data', { data: '0x1' }, 'data: expected bytes (0x and pairs of hexadecimal digits)'],
    ['more data than a node takes', { data: `0x${'00'.repeat(131_073)}` }, 'data: expected at most 262146 characters'],
    ['a name for an address', { to: 'vitalik.eth' }, 'to: expected an address (0x and 40 hexadecimal digits)'],
    ['negative gas', { gas: -1 }, 'gas: expected at least 0'],
    ['gas that is no count', { gas: '1e6' }, 'gas: expected a string of digits'],
    ['an unknown field', { gasPrice: '1' }, 'gasPrice: unknown field'],
    ['an authorization', { authorizationList: [] }, 'authorizationList: unknown field'],
    ['no receiver', { to: undefined }, 'to: missing, expected a string'],
    ['no chain', { chainId: undefined }, 'chainId: missing, expected a number'],
  ])('error: %s', (_, change, problem) => {
    expect(problems(Step.evmTransaction, { ...transaction, ...change })).toEqual([problem]);
  });
});

describe('venueTransfer', () => {
  test('behavior: reports unknown fields', () => {
    const { action } = transfer;
    const odd = { action: { ...action, parameters: { ...action.parameters, expiry: 1 }, nonce: 1 }, from: '0x' };
    expect(problems(Step.venueTransfer, odd)).toEqual([
      'action.parameters.expiry: unknown field',
      'action.nonce: unknown field',
      'from: unknown field',
    ]);
  });

  test('error: an amount that a number cannot hold exactly', () => {
    const parameters = { ...transfer.action.parameters, amount: 2 ** 53 };
    expect(problems(Step.venueTransfer, { action: { type: 'transfer', parameters } })).toHaveLength(1);
  });
});

test('kindOf: any other kind is unknown', () => {
  expect(Step.kindOf({ kind: 'Transaction' })).toBe('unknown');
  expect(Step.kindOf({ kind: '' })).toBe('unknown');
});

describe('originOf', () => {
  test.each<[Step.Origin, unknown]>([
    ['evm', transaction],
    ['evm', { to: '0x', data: '0x' }],
    ['venue', transfer],
    ['venue', { action: { type: 'withdraw' } }],
    ['solana', { instructions: [{ keys: [], programId: 'p', data: '' }], addressLookupTableAddresses: [] }],
    ['bitcoin', { psbt: 'cHNidP8=' }],
    ['tron', { type: 'TriggerSmartContract', parameter: { owner_address: '41', contract_address: '41', data: '' } }],
    ['ton', { messages: [{ address: 'EQ', amount: '1' }] }],
    ['hyperliquid', { action: { type: 'sendAsset' }, nonce: 1, eip712Types: {}, eip712PrimaryType: 'T' }],
    ['hyperliquid', { action: { type: 'sendAsset' }, nonce: 1 }],
    ['unknown', { transactionBlob: '12000022' }],
    ['unknown', { to: '0x' }],
    ['unknown', {}],
    ['unknown', null],
    ['unknown', undefined],
  ])('behavior: %s', (origin, data) => {
    expect(Step.originOf(data)).toBe(origin);
  });

  test('behavior: a transaction with the marks of another origin is never read as an EVM transaction', () => {
    const strange = { ...transaction, action: transfer.action };
    expect(Step.originOf(strange)).not.toBe('evm');
    expect(problems(Step.evmTransaction, strange)).toEqual(['action: unknown field']);
  });
});

test.each<[string, unknown]>([
  ['eip191', { sign: { signatureKind: 'eip191', message: 'a' } }],
  ['eip712', { sign: { signatureKind: 'eip712' } }],
  ['unknown', { sign: { signatureKind: 'eip4337' } }],
  ['unknown', { sign: 'eip191' }],
  ['unknown', {}],
  ['unknown', undefined],
])('signatureKindOf: %s', (kind, data) => {
  expect(Step.signatureKindOf(data)).toBe(kind);
});

describePublished('published steps', () => {
  test.each(['quote-deposit-address.json', 'quote-sponsored.json', 'quote-venue-deposit.json'])(
    'default: %s',
    (name) => {
      const { steps } = decode(QuoteV2.response, readPublished(name));
      const data = steps.flatMap(({ items }) => items.map((item) => item.data));
      expect(data.length).toBeGreaterThan(0);
      expect(data.flatMap((one) => problems(Step.evmTransaction, one))).toEqual([]);
    },
  );

  test('behavior: the venue transfer', () => {
    const { steps } = decode(QuoteV2.response, readPublished('quote-venue-withdrawal.json'));
    expect(Step.originOf(steps[0]?.items[0]?.data)).toBe('venue');
    expect(problems(Step.venueTransfer, steps[0]?.items[0]?.data)).toEqual([]);
  });
});
