/** What a call did or would do, as a node's `callTracer` tells it. */
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
  /** Why it failed, in the node's words: `execution reverted`, `out of gas`. */
  error?: string;
  calls?: readonly Frame[];
  logs?: readonly Log[];
};

export type Log = { address: Address; topics: readonly Hex[]; data: Hex; index?: Hex };

/**
 * The frames that failed one because of the other, from the outermost to the one where it began; empty where the call
 * succeeds.
 */
export function failingPath(frame: Frame): readonly Frame[] {
  if (frame.error === undefined) return [];
  const calls = frame.calls ?? [];
  const failed = calls.findLast((call) => call.error !== undefined);
  // A failure that the caller swallowed is not the cause: then it went on calling, and its own words are others.
  const isCause = failed && (failed === calls.at(-1) || passesOn(frame, failed));
  return isCause ? [frame, ...failingPath(failed)] : [frame];
}

/** What the call logged, in order; nothing that a failure undid. */
export function logs(frame: Frame): readonly Log[] {
  if (frame.error !== undefined) return [];
  const all = [...(frame.logs ?? []), ...(frame.calls ?? []).flatMap(logs)];
  return all.toSorted((a, b) => Number(a.index ?? 0) - Number(b.index ?? 0));
}

/** Whether the caller failed with the bytes of the call, bare or wrapped. */
function passesOn(caller: Frame, { output = '0x' }: Frame): boolean {
  return output.length > 2 && (caller.output ?? '0x').includes(output.slice(2));
}
