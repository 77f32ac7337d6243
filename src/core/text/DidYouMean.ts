/** Finds the word nearest to a mistyped one, for "Did you mean" hints. */

/** The nearest candidate within an edit distance of a third of its length (at least one), else undefined. */
export function nearest(text: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const distance = editDistance(text.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance && distance <= Math.max(1, Math.floor(candidate.length / 3))) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Whether one letter at most was missed, added, mistyped or swapped with the next. */
export function isSlip(text: string, meant: string): boolean {
  return editDistance(text.toLowerCase(), meant.toLowerCase()) <= 1;
}

/** The optimal string alignment distance: insertions, deletions, substitutions and adjacent transpositions. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min((row[j - 1] ?? 0) + 1, (last[j] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        value = Math.min(value, (beforeLast[j - 2] ?? 0) + 1);
      row.push(value);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
