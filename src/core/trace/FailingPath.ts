/** The way from the top call to the call that is to blame. */
import type { Decoded } from './DecodedFrame.js';

/**
 * The indices of the frames from the top down to the innermost that the failure came from; empty where the top call did
 * not fail. A failure that was caught is not on it.
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

/** The call within that made it fail: its last where that failed, else one whose revert it passed on. */
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

/** Of each frame its last call, and the call before it within the same one. */
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
