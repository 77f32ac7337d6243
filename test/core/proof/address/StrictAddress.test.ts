import { getContractAddress } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import type { Address } from '../../../../src/core/base/Address.js';
import type { Hex } from '../../../../src/core/base/Hex.js';
import * as ChainVm from '../../../../src/core/network/ChainVm.js';
import { network } from '../../../../src/core/network/mainnet.js';
import * as Network from '../../../../src/core/network/Network.js';
import { network as sandbox } from '../../../../src/core/network/sandbox.js';
import * as OrderId from '../../../../src/core/order/OrderId.js';
import * as StrictAddress from '../../../../src/core/proof/address/StrictAddress.js';
import { useChains } from '../../../support/chains.js';
import { connect } from '../../../support/nodeClients.js';
import { describePublished, read } from '../../../support/published.js';

const base = Network.chain(network, 'base');

const owner: StrictAddress.Owner = {
  orderId: '0xb6f17ce7bc21e018001a496987a1d148e70b7f9717886d3dc6d6fa7f37a763cd',
  depositor: '0x40ad8cf176672efe12a0d7ac50fa5da2b0b64e74',
};
const address = '0x0EdCeCa268d17A1725280227a7fAf8bF38A45AeB';

type Captured = {
  steps: readonly { depositAddress: Address }[];
  protocol: { v2: { orderData: { inputs: readonly { refunds: readonly { recipient: Address }[] }[] } } };
};

function ownerOf(file: string): { owner: StrictAddress.Owner; found: Address | undefined } {
  const { steps, protocol } = read(file) as Captured;
  const { orderData } = protocol.v2;
  const recomputed = OrderId.id(orderData, ChainVm.of(network.chains));
  const depositor = orderData.inputs[0]?.refunds[0]?.recipient;
  if (!recomputed.ok || !depositor) throw new Error(`${file} has no order`);
  return { owner: { orderId: recomputed.id, depositor }, found: steps[0]?.depositAddress };
}

function maker(): StrictAddress.Maker {
  const known = StrictAddress.makerOf(base.contracts);
  if (!known) throw new Error('Base has no factory');
  return known;
}

describe('of', () => {
  test('default', () => {
    expect(StrictAddress.of(maker(), owner)).toBe(address);
  });

  const last = (text: string): Hex => `0x${text.slice(2, -1)}${text.endsWith('0') ? '1' : '0'}`;

  test.each([
    ['factory', () => StrictAddress.of({ ...maker(), factory: last(maker().factory) }, owner)],
    ['implementation', () => StrictAddress.of({ ...maker(), implementation: last(maker().implementation) }, owner)],
    ['depositor', () => StrictAddress.of(maker(), { ...owner, depositor: last(owner.depositor) })],
    ['order', () => StrictAddress.of(maker(), { ...owner, orderId: last(owner.orderId) })],
  ])('behavior: another %s has another address', (_what, other) => {
    expect(other()).not.toBe(address);
  });
});

describePublished('the published deposit addresses', () => {
  test.each(['live/quote-deposit-address-native-1.json', 'live/quote-deposit-address-docs-2.json'])(
    'default: %s is strict',
    (file) => {
      const { owner: whose, found } = ownerOf(file);
      expect(StrictAddress.of(maker(), whose)).toBe(found);
    },
  );

  test.each(['live/quote-deposit-address-docs-1.json', 'quote-deposit-address.json'])(
    'behavior: %s is open, which nothing can show to be the order’s',
    (file) => {
      const { owner: whose, found } = ownerOf(file);
      expect(StrictAddress.of(maker(), whose).toLowerCase()).not.toBe(found?.toLowerCase());
    },
  );
});

describe('makerOf', () => {
  test('default', () => {
    const known = network.chains.filter(({ contracts }) => StrictAddress.makerOf(contracts));
    expect(known.map(({ name }) => name).sort()).toEqual(
      'arbitrum base bnb ethereum optimism polygon robinhood'.split(' '),
    );
  });

  test('behavior: an implementation is the first contract of its factory, for the depository that ferry knows', () => {
    for (const { contracts } of network.chains) {
      const known = StrictAddress.makerOf(contracts);
      if (!known) continue;
      expect(getContractAddress({ from: known.factory, nonce: 1n })).toBe(known.implementation);
      expect(contracts.depository).toBe(base.contracts.depository);
    }
  });

  test('behavior: a chain with one of both has none', () => {
    expect(StrictAddress.makerOf({ depositFactory: address })).toBeUndefined();
    expect(StrictAddress.makerOf({ depositImplementation: address })).toBeUndefined();
  });
});

describe('check', () => {
  const chains = useChains();
  const alpha = Network.chain(sandbox, 'alpha');
  const own = { orderId: `0x${'5a'.repeat(32)}`, depositor: `0x${'7b'.repeat(20)}` } as const;
  const other: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';

  /** The chain's real node. */
  function node() {
    const client = connect(chains.alpha);
    return {
      read: async (call: { to: Address; data: Hex }) => (await client.call(call)).data ?? '0x',
      code: async (address: Address) => (await client.getCode({ address })) ?? '0x',
    };
  }

  function addressOfOwn(): Address {
    const maker = StrictAddress.makerOf(alpha.contracts);
    if (!maker) throw new Error('alpha has no factory');
    return StrictAddress.of(maker, own);
  }

  const verdicts = async (...[found, whose, chain, at]: Parameters<typeof StrictAddress.check>) =>
    (await StrictAddress.check(found, whose, chain, at)).map(({ check, verdict }) => [check, verdict]);

  test('default: the chain’s own factory creates the address that ferry computes', async () => {
    expect(await StrictAddress.check(addressOfOwn(), own, alpha, node())).toEqual([
      expect.objectContaining({
        check: 'deposit-factory',
        verdict: 'verified',
        witnesses: ['the computed address', 'the node of alpha'],
      }),
    ]);
  });

  test.each<[string, Partial<Network.Contracts>, 'mismatch' | 'cannot verify']>([
    ['another depository', { depository: other }, 'mismatch'],
    ['another implementation', { depositImplementation: alpha.contracts.depository }, 'mismatch'],
    ['an implementation without code', { depositImplementation: other }, 'cannot verify'],
    ['a factory without code', { depositFactory: other }, 'cannot verify'],
  ])('error: %s', async (_what, wrong, verdict) => {
    const chain = { ...alpha, contracts: { ...alpha.contracts, ...wrong } };
    expect(await verdicts(addressOfOwn(), own, chain, node())).toEqual([['deposit-factory', verdict]]);
  });

  test('error: an address of another order or depositor', async () => {
    const orderId: Hex = `0x${'5b'.repeat(32)}`;
    expect(await verdicts(addressOfOwn(), { ...own, orderId }, alpha, node())).toEqual([
      ['deposit-factory', 'mismatch'],
    ]);
    expect(await verdicts(addressOfOwn(), { ...own, depositor: other }, alpha, node())).toEqual([
      ['deposit-factory', 'mismatch'],
    ]);
  });

  test('error: a node that does not answer shows nothing', async () => {
    const silent = { ...node(), read: () => Promise.reject(new Error('down')) };
    expect(await verdicts(addressOfOwn(), own, alpha, silent)).toEqual([['deposit-factory', 'cannot verify']]);
  });

  test('behavior: a chain without a known factory is not asked', async () => {
    expect(await StrictAddress.check(addressOfOwn(), own, { name: 'x', contracts: {} }, node())).toEqual([]);
  });
});
