/** Places labels in a chart so that none covers another label, a mark or the edge. */

export type Spot = { x: number; y: number };
export type Box = { left: number; right: number; top: number; bottom: number };

/** A label, centered at x, with its baseline at y. */
export type Label = Spot & { text: string };

/** The size of the labels in pixels. */
const size = 12;

/** Upper bound on the width of a text in pixels, in any common sans-serif font. */
export function textWidth(text: string, fontSize: number): number {
  let ems = 0;
  for (const character of text) ems += character >= '\u1100' ? 1.05 : 0.64;
  return ems * fontSize;
}

/** The bounding box of a label. */
export function boxOf({ x, y, text }: Label): Box {
  const half = textWidth(text, size) / 2;
  return { left: x - half, right: x + half, top: y - size * 0.85, bottom: y + size * 0.25 };
}

/** The nearest x, starting with the mark's own, at which the mark hides no earlier one. */
export function dodge({ x, y }: Spot, taken: readonly Spot[], radius: number): number {
  const tries = [0, 1, -1, 2, -2, 3, -3, 4, -4].map((step) => x + step * (2 * radius + 1));
  // Marks that overlap by less than half are distinguishable, so they stay on their lines.
  return tries.find((at) => taken.every((each) => Math.hypot(each.x - at, each.y - y) >= radius)) ?? x;
}

/**
 * Places labels next to their marks, as far as there is room; earlier labels choose first. Of several free spots, takes
 * the one crossed by the fewest lines.
 */
export function place(
  wanted: readonly Label[],
  around: { lines: readonly (readonly Spot[])[]; radius: number; frame: Box },
): Label[] {
  const { lines, radius, frame } = around;
  const gap = radius + 5;
  const taken: Box[] = wanted.map(({ x, y }) => ({
    left: x - radius - 1,
    right: x + radius + 1,
    top: y - radius - 2,
    bottom: y + radius + 2,
  }));
  const placed: Label[] = [];
  for (const { x, y, text } of wanted) {
    const beside = textWidth(text, size) / 2 + gap;
    const choices = [
      [0, -gap - 2],
      [0, gap + size * 0.85],
      [beside, size * 0.3],
      [-beside, size * 0.3],
      [beside, -gap],
      [-beside, -gap],
      [beside, gap + size * 0.6],
      [-beside, gap + size * 0.6],
    ].map(([dx = 0, dy = 0]): Label => ({ text, x: x + dx, y: y + dy }));
    const free = choices.filter((each) => {
      const box = boxOf(each);
      return isWithin(box, frame) && taken.every((other) => !overlaps(box, other));
    });
    const crossings = free.map((each) => crossed(boxOf(each), lines));
    const best = free[crossings.indexOf(Math.min(...crossings))];
    if (!best) continue;
    placed.push(best);
    taken.push(boxOf(best));
  }
  return placed;
}

export function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function isWithin(box: Box, frame: Box): boolean {
  return box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
}

/** The number of line segments that cross a box. */
function crossed(box: Box, lines: readonly (readonly Spot[])[]): number {
  return lines.flatMap((line) => line.slice(1).filter((to, i) => crosses(line[i] ?? to, to, box))).length;
}

/** Clips the segment against the box on each axis. */
function crosses(from: Spot, to: Spot, box: Box): boolean {
  let [enter, leave] = [0, 1];
  for (const [start, end, low, high] of [
    [from.x, to.x, box.left, box.right],
    [from.y, to.y, box.top, box.bottom],
  ] as const) {
    const span = end - start;
    if (span === 0 && (start < low || start > high)) return false;
    if (span === 0) continue;
    const [a, b] = [(low - start) / span, (high - start) / span];
    enter = Math.max(enter, Math.min(a, b));
    leave = Math.min(leave, Math.max(a, b));
  }
  return enter < leave;
}
