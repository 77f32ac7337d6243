/** Deadlines as a person reads them. */

/**
 * The minute by which a time has passed: `14:32Z`, with the day if that is not soon. Undefined for a time that never
 * comes.
 */
export function until(untilMs: number, nowMs: number): string | undefined {
  if (!Number.isFinite(untilMs)) return undefined;
  const minute = 60_000;
  const text = new Date(Math.ceil(untilMs / minute) * minute).toISOString();
  return `${untilMs - nowMs < 12 * 60 * minute ? '' : `${text.slice(0, 10)} `}${text.slice(11, 16)}Z`;
}
