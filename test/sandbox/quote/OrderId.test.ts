import { describe, expect, test } from 'vitest';
import type * as OrderData from '../../../src/core/api/schema/OrderData.js';
import * as OrderId from '../../../src/sandbox/quote/OrderId.js';

/** Random orders between EVM chains and the venue, with ids from an independent implementation. */
const vectors: readonly { name: string; orderData: OrderData.OrderData; orderId: string }[] = [
  {
    name: '01 lighter to arbitrum',
    orderData: {
      version: 'v1',
      solverChainId: 'base',
      solver: '0xd19960cf9d128c10b9cce41253eb214ebc2e64a0',
      salt: '0x206576b820f30fbf1933e00f63addabc5334ec10a1e3874740b6d7b1c8983f46',
      inputs: [
        {
          payment: {
            chainId: 'lighter',
            currency: '0',
            amount: '912969198079316778837121',
            weight: '1',
          },
          refunds: [],
        },
        {
          payment: {
            chainId: 'lighter',
            currency: '0',
            amount: '835078',
            weight: '1',
          },
          refunds: [
            {
              chainId: 'lighter',
              recipient: '509564',
              currency: '0',
              minimumAmount: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
              deadline: 1516052191,
              extraData: '0x1d05042caeec2c',
            },
            {
              chainId: 'arbitrum',
              recipient: '0x4336b39b95c5a2c93c7b54e8474b9b16e7fdd874',
              currency: '0x0000000000000000000000000000000000000000',
              minimumAmount: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
              deadline: 258863136,
              extraData: '0xe6c11b67ef7ec7',
            },
          ],
        },
      ],
      output: {
        chainId: 'arbitrum',
        payments: [
          {
            recipient: '0x460d8545a0a229129bdadd733d91b2011766bbfa',
            currency: '0x0000000000000000000000000000000000000000',
            minimumAmount: '603289',
            expectedAmount: '1',
          },
        ],
        calls: [],
        deadline: 854613453,
        extraData: '0x',
      },
      fees: [],
    },
    orderId: '0xd2f6f56181030e642a409b72b8f232bbc347696bfe2d956dee87aacd6f5bcdc9',
  },
  {
    name: '02 arbitrum to ethereum',
    orderData: {
      version: 'v1',
      solverChainId: 'base',
      solver: '0x81dd8a48169797e8da39e507bf41a060c96c1338',
      salt: '0x7c83df7a6741f0a89e7ea193bd4fd8be70b1e8ec76b9a91705c23723cc69dd64',
      inputs: [
        {
          payment: {
            chainId: 'arbitrum',
            currency: '0x0000000000000000000000000000000000000000',
            amount: '50125',
            weight: '1',
          },
          refunds: [],
        },
      ],
      output: {
        chainId: 'ethereum',
        payments: [
          {
            recipient: '0xc6cf8ae6ad506272a71f26abc00117d08b9d1a9b',
            currency: '0x0000000000000000000000000000000000000000',
            minimumAmount: '944855074306594723059327',
            expectedAmount: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
          },
        ],
        calls: [
          '0x4801550309976e18f4977b171acc25212a55ca36223ec9ab7faf3a6f60fe71f18a00721db7379fb513d669dc911bdf77738ddff92cbbe582488dfc7479d5c43f6ed832a95c5c26e1434324c99a6f17a6ce4ee8d7ba2cd68fea88fdbbe081ad13',
          '0x1b53f60b20cb437e56589beef75a670cea49376ca305ab3b58fc68b8a241f5a1be8c0e5665957501c926b9d7a6268c993e8a1d0210199bd4f710821c2c015fbd6a21424a16e00dccedac04eff08edf6e0f38ff5f4dbf79e2084a5cf5c1a71fca29727cd9b23040ac54f6d3e4366d4f613477f05fe9b4984a937b59a1542d835cc9ce061a24d85088c5991be3b7117bf2bd878b3f55cbe7307688811621bf67fb322603d6ff14ced3348149c56a1448af35cb0b2d72d41bf19d8108e66b2b45d58ca6909d49c45d40',
        ],
        deadline: 4294967295,
        extraData: '0x',
      },
      fees: [],
    },
    orderId: '0xfea9ec2df3f793ea91a8b8c9d83aa93125a5c7e7b46503ef0dee4592ae361234',
  },
  {
    name: '10 lighter to base',
    orderData: {
      version: 'v1',
      solverChainId: 'base',
      solver: '0x8eb68d8448f9c01caf27e134b2f131c6c5de63d7',
      salt: '0x2a911644bef9456c04ecab97bb053cb673b55c1a78d7086ccf615be4c6d7ad74',
      inputs: [
        {
          payment: {
            chainId: 'lighter',
            currency: '0',
            amount: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
            weight: '1',
          },
          refunds: [],
        },
        {
          payment: {
            chainId: 'lighter',
            currency: '0',
            amount: '0',
            weight: '1',
          },
          refunds: [],
        },
      ],
      output: {
        chainId: 'base',
        payments: [
          {
            recipient: '0x1724b22d010281b155f292e4b5af27ae4c202a90',
            currency: '0x50b5a9a0c4f2626f8ef8b67dbb6de010c5477495',
            minimumAmount: '1',
            expectedAmount: '934003356081696544945417',
          },
          {
            recipient: '0x50c847b11621523c94a6eab19159fdbbee6d80ab',
            currency: '0x0000000000000000000000000000000000000000',
            minimumAmount: '632225',
            expectedAmount: '1',
          },
          {
            recipient: '0xc36b114eea18c13994a2534af6b79885d4e7df3e',
            currency: '0xaa47c71052c1cba1be188d4c14ec41f1813178db',
            minimumAmount: '1',
            expectedAmount: '236406',
          },
        ],
        calls: [],
        deadline: 4294967295,
        extraData: '0x',
      },
      fees: [],
    },
    orderId: '0x385fe1120cc9c5703ba6d2a9de9710bf6e9509ed7250f33073131d3ee0ca2826',
  },
  {
    name: '11 lighter to arbitrum',
    orderData: {
      version: 'v1',
      solverChainId: 'base',
      solver: '0xf617b607fef0678e1e91c737c7100bd5d9ac1b59',
      salt: '0xd2c8088e3f96780cdb0e16352e306a096069aa3135601f27ad6b97563f4f14a9',
      inputs: [
        {
          payment: {
            chainId: 'lighter',
            currency: '0',
            amount: '597919',
            weight: '1',
          },
          refunds: [
            {
              chainId: 'lighter',
              recipient: '1',
              currency: '0',
              minimumAmount: '726670',
              deadline: 1121924155,
              extraData: '0x',
            },
          ],
        },
      ],
      output: {
        chainId: 'arbitrum',
        payments: [
          {
            recipient: '0x55ba531d0ceb792430b42fba4576aab35a4dba89',
            currency: '0x0000000000000000000000000000000000000000',
            minimumAmount: '1',
            expectedAmount: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
          },
        ],
        calls: [],
        deadline: 4294967295,
        extraData: '0x',
      },
      fees: [],
    },
    orderId: '0x59b496d90a3877279dea5236b3070ef623e016acc843994dfa2bd666f1479250',
  },
];

describe('from', () => {
  test.each(vectors)('behavior: $name', ({ orderData, orderId }) => {
    expect(OrderId.from(orderData)).toBe(orderId);
  });

  test('behavior: depends on every field', () => {
    const [vector] = vectors;
    if (!vector) throw new Error('no vectors');
    const { orderData, orderId } = vector;
    const [input] = orderData.inputs;
    if (!input) throw new Error('no inputs');
    const changed: readonly OrderData.OrderData[] = [
      { ...orderData, version: 'v2' },
      { ...orderData, solverChainId: 'alpha' },
      { ...orderData, inputs: [] },
      { ...orderData, inputs: [{ ...input, payment: { ...input.payment, weight: '2' } }] },
      { ...orderData, output: { ...orderData.output, deadline: orderData.output.deadline - 1 } },
      { ...orderData, output: { ...orderData.output, calls: [...orderData.output.calls, '0x'] } },
    ];
    const ids = changed.map(OrderId.from);
    expect(new Set([orderId, ...ids]).size).toBe(changed.length + 1);
  });
});
