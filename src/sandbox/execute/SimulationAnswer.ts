/** Builds the response of `POST /execute` for a call whose simulation fails: where it failed and why. */
import type { Abi, Hex } from 'viem';
import { toFunctionSelector } from 'viem/utils';
import type * as Execute from '../../core/api/Execute.js';
import type * as SimulationFailure from '../../core/api/schema/SimulationFailure.js';
import { type Address, isEqual } from '../../core/base/Address.js';
import * as abi from '../values/abi.js';
import * as CallTrace from '../values/CallTrace.js';
import type { Deployment } from '../values/deployment.js';
import * as Revert from './Revert.js';

export type Context = {
  deployment: Deployment;
  requestId: string;
  /** EIP-7702 delegates by account address in lower case. */
  delegations: ReadonlyMap<string, `0x${string}`>;
};

/** The error body. The call must have failed. */
export function from(frame: CallTrace.Frame, context: Context): Execute.SimulationError {
  const path = CallTrace.failingPath(frame);
  const frames = path.map((each) => toWire(each, context));
  const revert = revertOf(path, context);
  const { label: error, message } = revert;
  return {
    error,
    message,
    requestId: context.requestId,
    details: {
      topLevel: frames.at(0) ?? toWire(frame, context),
      innermost: frames.at(-1) ?? toWire(frame, context),
      path: frames,
      revert,
    },
  };
}

/** The revert reason of the innermost frame. */
export function revertOf(path: readonly CallTrace.Frame[], context: Context): Revert.Revert {
  const reverts = path.map((frame) => Revert.from(frame, contractOf(frame, context)?.abi));
  // A delegation that cannot be redeemed has a documented code, whatever caused it.
  const verdict = reverts.find(({ name }) => name === 'DelegationRedeemFailed');
  return verdict ?? reverts.at(-1) ?? Revert.from({});
}

function toWire(frame: CallTrace.Frame, context: Context): SimulationFailure.CallFrame {
  const contract = contractOf(frame, context);
  const name = contract && functionName(contract, frame.input);
  const selector = frame.input.length >= 10 ? frame.input.slice(0, 10) : undefined;
  const revert = frame.error === undefined ? undefined : Revert.from(frame, contract?.abi);
  const isInWords = revert?.type === 'errorString' || revert?.type === 'panic';
  return {
    type: frame.type,
    ...(frame.to && { address: frame.to.toLowerCase() }),
    ...(contract && { contract: contract.name }),
    ...(contract && name && { function: `${contract.name}.${name}` }),
    ...(selector && { selector }),
    ...(frame.error !== undefined && { error: frame.error }),
    ...(isInWords && { revertReason: revert.message }),
    ...(frame.gasUsed && { gasUsed: BigInt(frame.gasUsed).toString() }),
  };
}

/** A delegated account (EIP-7702) runs its delegate's code. */
function contractOf({ to }: CallTrace.Frame, { deployment, delegations }: Context): Contract | undefined {
  if (!to) return undefined;
  const address = delegations.get(to.toLowerCase()) ?? to;
  return contracts(deployment).find(([where]) => isEqual(where, address))?.[1];
}

type Contract = { name: string; abi: Abi };

/** The name of the called function, or undefined if the ABI has no such selector. */
function functionName({ abi: interface_ }: Contract, input: Hex): string | undefined {
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
