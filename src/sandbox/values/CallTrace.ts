/** A call tree as reported by a node's `callTracer`. */
import type { Hex } from 'viem';
import type { Address } from '../../core/base/Address.js';

export type Frame = {
  /** `CALL`, `DELEGATECALL` and so on. */
  type: string;
  from: Address;
  to?: Address;
  input: Hex;
  output?: Hex;
  gasUsed?: Hex;
  value?: Hex;
  /** Failure reason as the node words it: `execution reverted`, `out of gas`. */
  error?: string;
  calls?: readonly Frame[];
  logs?: readonly Log[];
};

export type Log = { address: Address; topics: readonly Hex[]; data: Hex; index?: Hex };

/**
 * The chain of frames through which a failure propagated, from the outermost call to its origin; empty if the call
 * succeeds.
 */
export function failingPath(frame: Frame): readonly Frame[] {
  if (frame.error === undefined) return [];
  const calls = frame.calls ?? [];
  const failed = calls.findLast((call) => call.error !== undefined);
  // A failure that the caller caught is not the cause: the caller went on to other calls and reverted with other data.
  const isCause = failed && (failed === calls.at(-1) || propagates(frame, failed));
  return isCause ? [frame, ...failingPath(failed)] : [frame];
}

/** The logs of a call in emission order, without those that a revert discarded. */
export function logs(frame: Frame): readonly Log[] {
  if (frame.error !== undefined) return [];
  const all = [...(frame.logs ?? []), ...(frame.calls ?? []).flatMap(logs)];
  return all.toSorted((a, b) => Number(a.index ?? 0) - Number(b.index ?? 0));
}

/** Whether the caller reverted with the callee's return data, bare or wrapped. */
function propagates(caller: Frame, { output = '0x' }: Frame): boolean {
  return output.length > 2 && (caller.output ?? '0x').includes(output.slice(2));
}
