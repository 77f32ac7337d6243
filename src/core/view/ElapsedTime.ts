/** The time that a transfer has taken so far, next to the service's estimate. */
import type { CommandEvent } from '../event/DisplayEvent.js';

export type Timeline = {
  /** Unix time in milliseconds at which the payment was sent. */
  startedAt: number | undefined;
  /** By the quote. */
  estimateMs: number | undefined;
};

export const none: Timeline = { startedAt: undefined, estimateMs: undefined };

type Type = CommandEvent['type'];

/** Events whose line is replaced by the next one on a terminal. */
const passing: readonly Type[] = ['sent', 'venue-sent', 'status', 'resent', 'waiting'];

const starting: readonly Type[] = ['sent', 'venue-sent', 'status', 'submitted'];

/** Whether the next event replaces this one's line. */
export function passes({ type }: Pick<CommandEvent, 'type'>): boolean {
  return passing.includes(type);
}

export function reduce(timeline: Timeline, event: CommandEvent, nowMs: number): Timeline {
  if (event.type === 'quoted')
    return event.timeEstimateSeconds === null
      ? timeline
      : { ...timeline, estimateMs: event.timeEstimateSeconds * 1000 };
  if (timeline.startedAt !== undefined || !starts(event)) return timeline;
  return { ...timeline, startedAt: nowMs };
}

/** An approval and a cancellation pay nothing. */
function starts(event: CommandEvent): boolean {
  if (event.type === 'sent' && (event.action === 'approve' || event.action === 'cancel')) return false;
  return starting.includes(event.type);
}

/** `8 s of about 12 s`; empty while nothing is on its way. */
export function format({ startedAt, estimateMs }: Timeline, nowMs: number): string {
  if (startedAt === undefined) return '';
  const elapsed = `${seconds(nowMs - startedAt)} s`;
  if (estimateMs === undefined) return elapsed;
  return `${elapsed} of about ${Math.max(1, seconds(estimateMs))} s`;
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}
