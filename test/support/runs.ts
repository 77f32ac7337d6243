/** How often something is tried: an eighth of the times by default, and with FUZZ=all as often as it is written. */

export function runs(whole: number): number {
  return process.env.FUZZ === 'all' ? whole : Math.ceil(whole / 8);
}
