/** How often a property is tried: a third of the times by default, and with FUZZ=all as often as it is written. */

export function runs(whole: number): number {
  return process.env.FUZZ === 'all' ? whole : Math.ceil(whole / 3);
}
