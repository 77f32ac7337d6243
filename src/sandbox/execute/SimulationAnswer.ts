/** Builds the response of `POST /execute` for a call whose simulation fails: where it failed and why. */
import type * as Execute from '../../core/api/Execute.js';
import type * as SimulationFailure from '../../core/api/schema/SimulationFailure.js';
import * as CallTrace from '../values/CallTrace.js';
import type { Contract } from '../values/ContractInterfaces.js';
import * as ContractInterfaces from '../values/ContractInterfaces.js';
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
  const name = contract && ContractInterfaces.functionName(contract, frame.input);
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
  return ContractInterfaces.at(deployment, delegations.get(to.toLowerCase()) ?? to);
}
