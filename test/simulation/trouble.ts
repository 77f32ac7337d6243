/** What goes wrong in a run, as values: the run's seed draws them, and one can be left out to see whether it matters. */

import type { Kernel } from './kernel.js';

/** At the `nth` occasion of its kind, from `fromMs` until `untilMs`, or at one moment. Times since the start of the run. */
export type Fault = { where: string; what: string; size?: number | undefined } & (
  | { occasion: string; nth: number }
  | { fromMs: number; untilMs: number }
  | { atMs: number }
);

/** The faults of a run, as those ask that they are about. */
export type Trouble = {
  /** Counts an occasion; the fault that strikes at it, if there is one. */
  at(where: string, occasion: string): Fault | undefined;
  /** The fault that is going on. */
  during(where: string, what: string): Fault | undefined;
  /** Those of one moment, to be planned. */
  moments(where: string): readonly (Fault & { atMs: number })[];
};

export function create(faults: readonly Fault[], kernel: Kernel): Trouble {
  const startMs = kernel.now();
  const counts = new Map<string, number>();
  const struck = new Set<Fault>();
  const strike = (fault: Fault): Fault => {
    if (!struck.has(fault)) kernel.note('fault', () => inWords(fault));
    struck.add(fault);
    return fault;
  };
  const elapsed = (): number => kernel.now() - startMs;
  return {
    at(where, occasion) {
      const key = `${where} ${occasion}`;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      const found = faults.find(
        (each) => 'nth' in each && each.where === where && each.occasion === occasion && each.nth === count,
      );
      return found && strike(found);
    },
    during(where, what) {
      const found = faults.find(
        (each) =>
          'fromMs' in each &&
          each.where === where &&
          each.what === what &&
          each.fromMs <= elapsed() &&
          elapsed() < each.untilMs,
      );
      return found && strike(found);
    },
    moments: (where) => faults.flatMap((each) => ('atMs' in each && each.where === where ? [each] : [])),
  };
}

/** `node alpha 1: silent from 3.0 s to 9.0 s`. */
export function inWords(fault: Fault): string {
  const size = fault.size === undefined ? '' : ` (${fault.size})`;
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  const when =
    'nth' in fault
      ? `at ${fault.occasion} ${fault.nth}`
      : 'atMs' in fault
        ? `at ${seconds(fault.atMs)}`
        : `from ${seconds(fault.fromMs)} to ${seconds(fault.untilMs)}`;
  return `${fault.where}: ${fault.what}${size} ${when}`;
}
