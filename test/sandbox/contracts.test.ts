import { isDeepStrictEqual } from 'node:util';
import type { AbiItem } from 'viem';
import { describe, expect, test } from 'vitest';
import * as Anvil from '../../src/sandbox/chain/anvil.js';
import * as abi from '../../src/sandbox/values/abi.js';
import { deployments } from '../../src/sandbox/values/deployment.js';
import { interfaces as compiledInterfaces } from '../build/compile.mjs';
import { deploy } from '../build/deploy.js';

const compiled = compiledInterfaces();

/** The ABI of each contract, as split in `abi.ts`. */
const interfaces: Record<string, readonly (readonly AbiItem[])[]> = {
  Token: [abi.token],
  UsdCoin: [abi.token, abi.usdCoin],
  Tether: [abi.tether],
  WETH9: [abi.weth],
  Pool: [abi.pool],
  PriceFeed: [abi.priceFeed],
  Depository: [abi.depository],
  DepositAddressFactory: [abi.depositFactory],
  Router: [abi.router],
  AggregationRouter: [abi.aggregationRouter],
  SwapExecutor: [abi.swapExecutor],
  UniversalRouter: [abi.universalRouter],
  Cheat: [abi.cheat],
  ApprovalProxy: [abi.approvalProxy],
  BatchExecutor: [abi.batchExecutor],
  Multicall3: [abi.multicall3],
  DelegationManager: [abi.delegationManager],
  Delegator: [abi.delegator],
  Forwarder: [abi.forwarder],
  Reverter: [abi.reverter],
};

describe('genesis', () => {
  test('default: it is what deploying and funding it all leaves', async () => {
    const path = Anvil.find({ searchPath: process.env.PATH });
    const [alpha, beta] = await Promise.all(
      Object.values(deployments).map(async (deployment) => {
        const anvil = await Anvil.start({ path, chainId: deployment.id, genesisTimestamp: 1_700_000_000 });
        return await deploy(anvil.rpcUrl, deployment).finally(() => anvil.stop());
      }),
    );
    const both = Object.entries(alpha ?? {}).filter(([address, its]) =>
      isDeepStrictEqual(its, beta?.[address as '0x']),
    );
    const own = (all = {}) =>
      Object.fromEntries(Object.entries(all).filter(([address]) => !both.some(([each]) => each === address)));
    const genesis = { both: Object.fromEntries(both), alpha: own(alpha), beta: own(beta) };
    const file = '../../src/sandbox/contracts/genesis.json';
    await expect(`${JSON.stringify(genesis, null, 2)}\n`).toMatchFileSnapshot(file);
  });
});

describe('abi', () => {
  test('default: every contract has its own', () => {
    expect(Object.keys(interfaces).sort()).toEqual(Object.keys(compiled).sort());
  });

  test.each(Object.entries(interfaces))('default: %s', (name, parts) => {
    const shapes = compiled[name]?.map(shape);
    for (const item of parts.flat()) expect(shapes, JSON.stringify(item)).toContainEqual(shape(item));
  });

  const whole = [
    'Pool',
    'Depository',
    'DepositAddressFactory',
    'Router',
    'ApprovalProxy',
    'BatchExecutor',
    'Multicall3',
    'DelegationManager',
  ];
  test.each([...whole, 'Delegator', 'Forwarder', 'AggregationRouter', 'SwapExecutor', 'UniversalRouter', 'Cheat'])(
    'behavior: the ABI of %s is complete',
    (name) => {
      // Inherited from libraries.
      const inherited =
        /^(EIP712DomainChanged|eip712Domain|SafeERC20\w+|InvalidShortString|StringTooLong|MathOverflowed.*)$/;
      const own = compiled[name]?.filter((item) => 'name' in item && !inherited.test(item.name)) ?? [];
      const listed = interfaces[name]?.flat().map(shape);
      for (const item of own) expect(listed, JSON.stringify(item)).toContainEqual(shape(item));
    },
  );
});

type Parameter = { type: string; indexed?: boolean; components?: readonly Parameter[] };

/** The parts of an ABI item that determine the encoding: everything except parameter names. */
function shape(item: AbiItem) {
  const parameters = (list: readonly Parameter[] | undefined): unknown =>
    list?.map(({ type, indexed, components }) => ({
      type,
      indexed: indexed ?? false,
      components: parameters(components),
    }));
  const { type, name, inputs, outputs, stateMutability } = item as {
    type: string;
    name?: string;
    inputs?: readonly Parameter[];
    outputs?: readonly Parameter[];
    stateMutability?: string;
  };
  return { type, name, inputs: parameters(inputs), outputs: parameters(outputs), stateMutability };
}
