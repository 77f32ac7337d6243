/** How long a transfer has been on its way, against what the service estimated. */

type Happening = { type: string } & Record<string, unknown>;

export type Timeline = {
  /** Unix time in milliseconds at which what pays was sent. */
  startedAt: number | undefined;
  /** By the quote. */
  estimateMs: number | undefined;
};

/** Nothing is on its way. */
export const none: Timeline = { startedAt: undefined, estimateMs: undefined };

/** What gives its place to what happens next, where a line can be taken back. */
const passing: readonly string[] = ['resent', 'sent', 'venue-sent', 'status', 'waiting'];

/** Whether an event is over with the next one. */
export function passes({ type }: Happening): boolean {
  return passing.includes(type);
}

/** The timeline after one more event. */
export function reduce(timeline: Timeline, event: Happening, nowMs: number): Timeline {
  const { timeEstimateSeconds } = event;
  if (event.type === 'quoted' && typeof timeEstimateSeconds === 'number')
    return { ...timeline, estimateMs: timeEstimateSeconds * 1000 };
  if (timeline.startedAt !== undefined || !begins(event)) return timeline;
  return { ...timeline, startedAt: nowMs };
}

/** `8 s of about 12 s`; empty while nothing is on its way. */
export function format({ startedAt, estimateMs }: Timeline, nowMs: number): string {
  if (startedAt === undefined) return '';
  const elapsed = `${seconds(nowMs - startedAt)} s`;
  if (estimateMs === undefined) return elapsed;
  return `${elapsed} of about ${Math.max(1, seconds(estimateMs))} s`;
}

/** A deposit or swap is sent, something signed is handed in, or a request is followed that others began. */
function begins({ type, action }: Happening): boolean {
  if (type === 'sent') return action !== 'approve' && action !== 'cancel';
  return type === 'submitted' || type === 'venue-sent' || type === 'status';
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}
