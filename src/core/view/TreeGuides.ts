/** The lines that connect the branches of a tree. */

export type Guides = {
  /** Prefix of the node's line. */
  before: string;
  /** Prefix of further lines of the node. */
  below: string;
};

type Nested = { depth: number };

/** The prefixes of each line. Beyond a depth that depends on the width, levels are printed as numbers. */
export function from(frames: readonly Nested[], width: number): readonly Guides[] {
  const drawn = Math.max(4, Math.floor((width - 54) / 2));
  const isLast = lastOnes(frames);
  // By depth: the prefix for children of the latest frame.
  const running: string[] = [];
  return frames.map(({ depth }, index) => {
    const next = frames[index + 1];
    const parent = depth === 0 ? '' : (running[Math.min(depth, drawn) - 1] ?? '');
    const last = isLast[index] === 1;
    if (depth < drawn) running[depth] = depth === 0 ? '' : parent + (last ? '  ' : '│ ');
    const count = depth > drawn ? `${depth} ` : '';
    const before = depth === 0 ? '' : `${parent}${count}${last ? '└ ' : '├ '}`;
    const own = depth === 0 ? '' : parent + ' '.repeat(count.length) + (last ? '  ' : '│ ');
    return { before, below: own + (next && next.depth > depth ? '│ ' : '  ') };
  });
}

/** 1 for each frame that is the last one within its parent. */
function lastOnes(frames: readonly Nested[]): Uint8Array {
  const last = new Uint8Array(frames.length);
  const followed: boolean[] = [];
  for (let index = frames.length - 1; index >= 0; index--) {
    const depth = frames[index]?.depth ?? 0;
    if (!followed[depth]) last[index] = 1;
    followed[depth] = true;
    followed.length = depth + 1;
  }
  return last;
}
