/** The path from the top call to the call that caused the failure. */
import type { Decoded } from './DecodedFrame.js';

/**
 * The indices of the frames from the top call down to the innermost one that caused the failure; empty if the top call
 * succeeded. Caught failures are not on the path.
 */
export function from(frames: readonly Pick<Decoded, 'depth' | 'failed' | 'output'>[]): readonly number[] {
  if (!frames[0]?.failed) return [];
  const { last, previous } = family(frames);
  const path: number[] = [];
  for (let at = 0; at !== none; ) {
    path.push(at);
    at = blamed(at, frames, last, previous);
  }
  return path;
}

const none = -1;

/** The inner call that made a call fail: the last one if it failed, else the last whose revert data it returned. */
function blamed(
  at: number,
  frames: readonly Pick<Decoded, 'failed' | 'output'>[],
  last: Int32Array,
  previous: Int32Array,
): number {
  const youngest = last[at] ?? none;
  if (youngest !== none && frames[youngest]?.failed) return youngest;
  const output = frames[at]?.output ?? '0x';
  if (output === '0x') return none;
  for (let child = youngest; child !== none; child = previous[child] ?? none)
    if (frames[child]?.failed && frames[child]?.output === output) return child;
  return none;
}

/** For each frame, its last inner call and its previous sibling. */
function family(frames: readonly Pick<Decoded, 'depth'>[]): { last: Int32Array; previous: Int32Array } {
  const last = new Int32Array(frames.length).fill(none);
  const previous = new Int32Array(frames.length).fill(none);
  const ancestors: number[] = [];
  for (const [index, { depth }] of frames.entries()) {
    ancestors.length = depth;
    const parent = ancestors[depth - 1];
    if (parent !== undefined) {
      previous[index] = last[parent] ?? none;
      last[parent] = index;
    }
    ancestors.push(index);
  }
  return { last, previous };
}
