import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as FailingPath from '../../../src/core/trace/FailingPath.js';

type Drawn = { depth: number; failed: boolean; output: string | undefined };

/** Frames written as their depth, with `!` and the output if they failed: `0!a 1 1!a`. */
function draw(text: string): Drawn[] {
  return text.split(' ').map((each) => {
    const [depth, output] = each.split('!');
    return { depth: Number(depth), failed: output !== undefined, output: output ? `0x${output}` : undefined };
  });
}

describe('from', () => {
  test.each([
    ['0 1 1', []],
    ['0 1!a 1', []],
    ['0!a', [0]],
    ['0!a 1 1!a', [0, 2]],
    ['0!a 1!a 2!a 3!a', [0, 1, 2, 3]],
    // The last call failed, and its caller reverted with a different error.
    ['0!b 1!a', [0, 1]],
    ['0! 1!', [0, 1]],
    // The first failure was caught; the second was not.
    ['0!b 1!a 1 1!b', [0, 3]],
    // A caught failure, and the contract's own revert.
    ['0!b 1!a 1', [0]],
    // Propagated after another call.
    ['0!a 1!a 1', [0, 1]],
    ['0! 1! 1', [0]],
    ['0!a 1!a 2 1', [0, 1]],
    // Failures inside a successful call do not count.
    ['0!a 1 2!a', [0]],
    ['0!a 1 2!x 1!a 2 2!a', [0, 3, 5]],
  ])('default: %s', (text, path) => {
    expect(FailingPath.from(draw(text))).toEqual(path);
  });

  test('behavior: no frames, no path', () => {
    expect(FailingPath.from([])).toEqual([]);
  });

  test('behavior: in any tree, the path descends level by level through failures', () => {
    const steps = fc.array(
      fc.record({ up: fc.nat(3), failed: fc.boolean(), output: fc.constantFrom('0x', '0xa', '0xb') }),
    );
    fc.assert(
      fc.property(steps, (made) => {
        let depth = 0;
        const frames = made.map(({ up, ...rest }, index) => {
          depth = index === 0 ? 0 : Math.max(1, depth + 1 - up);
          return { ...rest, depth };
        });
        const path = FailingPath.from(frames);
        expect(path.map((index) => frames[index]?.depth)).toEqual(path.map((_, level) => level));
        expect(path.every((index) => frames[index]?.failed)).toBe(true);
        for (const [level, index] of path.slice(1).entries()) {
          const between = frames.slice((path[level] ?? 0) + 1, index);
          expect(between.every((frame) => frame.depth > level)).toBe(true);
        }
      }),
    );
  });
});
