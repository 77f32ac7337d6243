/** Maps an address to the sandbox contract deployed there, with its ABI, for decoding traces. */
import type { Abi, Hex } from 'viem';
import { toFunctionSelector } from 'viem/utils';
import { type Address, isEqual } from '../../core/base/Address.js';
import * as abi from './abi.js';
import type { Deployment } from './deployment.js';

export type Contract = { name: string; abi: Abi };

/** The ABIs of all sandbox contracts combined, for errors that bubble up from nested calls. */
export const combined: Abi = Object.values(abi).flat() as Abi;

/** The sandbox contract at an address, if there is one. */
export function at(deployment: Deployment, address: Address): Contract | undefined {
  const known = contracts(deployment).find(([where]) => isEqual(where, address));
  return known?.[1];
}

/** The name of the called function, or undefined if the ABI has no such selector. */
export function functionName({ abi: interface_ }: Contract, input: Hex): string | undefined {
  const selector = input.slice(0, 10).toLowerCase();
  if (selector.length < 10) return undefined;
  const found = interface_.find((item) => item.type === 'function' && toFunctionSelector(item) === selector);
  return found && 'name' in found ? found.name : undefined;
}

function contracts(deployment: Deployment): readonly (readonly [Address, Contract])[] {
  const { USDC, USDT, WETH, DAI, GULL, KELP } = deployment.tokens;
  const token = { name: 'Token', abi: abi.token };
  return [
    [deployment.depository, { name: 'Depository', abi: abi.depository }],
    [deployment.router, { name: 'Router', abi: abi.router }],
    [deployment.approvalProxy, { name: 'ApprovalProxy', abi: abi.approvalProxy }],
    [deployment.batchExecutor, { name: 'BatchExecutor', abi: abi.batchExecutor }],
    [deployment.multicall3, { name: 'Multicall3', abi: abi.multicall3 }],
    [deployment.aggregator, { name: 'AggregationRouter', abi: abi.aggregationRouter }],
    [deployment.swapExecutor, { name: 'SwapExecutor', abi: abi.swapExecutor }],
    [deployment.universalRouter, { name: 'UniversalRouter', abi: abi.universalRouter }],
    [deployment.depositFactory, { name: 'DepositAddressFactory', abi: abi.depositFactory }],
    [deployment.cheat, { name: 'Cheat', abi: abi.cheat }],
    [deployment.delegationManager, { name: 'DelegationManager', abi: abi.delegationManager }],
    [deployment.delegator, { name: 'Delegator', abi: abi.delegator }],
    [deployment.forwarder, { name: 'Forwarder', abi: abi.forwarder }],
    [deployment.reverter, { name: 'Reverter', abi: abi.reverter }],
    [USDC.address, { name: 'UsdCoin', abi: [...abi.token, ...abi.usdCoin] }],
    [USDT.address, { name: 'Tether', abi: abi.tether }],
    [WETH.address, { name: 'WETH9', abi: [...abi.token, ...abi.weth] }],
    [DAI.address, token],
    [GULL.address, token],
    [KELP.address, token],
    ...deployment.pools.map(({ address }) => [address, { name: 'Pool', abi: abi.pool }] as const),
  ];
}
