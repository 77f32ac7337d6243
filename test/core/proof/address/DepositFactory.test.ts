import { describe, expect, test } from 'vitest';
import type { Address } from '../../../../src/core/base/Address.js';
import type { Hex } from '../../../../src/core/base/Hex.js';
import * as Network from '../../../../src/core/network/Network.js';
import { network } from '../../../../src/core/network/sandbox.js';
import * as DepositFactory from '../../../../src/core/proof/address/DepositFactory.js';
import * as StrictAddress from '../../../../src/core/proof/address/StrictAddress.js';
import { useChains } from '../../../support/chains.js';
import { connect } from '../../../support/nodeClients.js';

const chains = useChains();
const alpha = Network.chain(network, 'alpha');
const owner = { orderId: `0x${'5a'.repeat(32)}`, depositor: `0x${'7b'.repeat(20)}` } as const;
const other: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';

/** The chain's real node. */
function node() {
  const client = connect(chains.current.alpha);
  return {
    read: async (call: { to: Address; data: Hex }) => (await client.call(call)).data ?? '0x',
    code: async (address: Address) => (await client.getCode({ address })) ?? '0x',
  };
}

function address(): Address {
  const maker = StrictAddress.makerOf(alpha.contracts);
  if (!maker) throw new Error('alpha has no factory');
  return StrictAddress.of(maker, owner);
}

const verdicts = async (...[found, whose, chain, at]: Parameters<typeof DepositFactory.check>) =>
  (await DepositFactory.check(found, whose, chain, at)).map(({ check, verdict }) => [check, verdict]);

describe('check', () => {
  test('default: the chain’s own factory creates the address that ferry computes', async () => {
    expect(await DepositFactory.check(address(), owner, alpha, node())).toEqual([
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
    expect(await verdicts(address(), owner, chain, node())).toEqual([['deposit-factory', verdict]]);
  });

  test('error: an address of another order or depositor', async () => {
    const orderId: Hex = `0x${'5b'.repeat(32)}`;
    expect(await verdicts(address(), { ...owner, orderId }, alpha, node())).toEqual([['deposit-factory', 'mismatch']]);
    expect(await verdicts(address(), { ...owner, depositor: other }, alpha, node())).toEqual([
      ['deposit-factory', 'mismatch'],
    ]);
  });

  test('error: a node that does not answer shows nothing', async () => {
    const silent = { ...node(), read: () => Promise.reject(new Error('down')) };
    expect(await verdicts(address(), owner, alpha, silent)).toEqual([['deposit-factory', 'cannot verify']]);
  });

  test('behavior: a chain without a known factory is not asked', async () => {
    expect(await DepositFactory.check(address(), owner, { name: 'x', contracts: {} }, node())).toEqual([]);
  });
});
