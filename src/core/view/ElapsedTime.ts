/** The time that a transfer has taken so far, next to the service's estimate. */
import type { CommandEvent } from '../event/DisplayEvent.js';

export type Timeline = {
  /** Unix time in milliseconds at which the payment was sent. */
  startedAt: number | undefined;
  /** By the quote. */
  estimateMs: number | undefined;
};

/** Before anything is sent. */
export const none: Timeline = { startedAt: undefined, estimateMs: undefined };

/** What an event means for the display: its line is replaced by the next one on a terminal; the transfer is under way. */
type Meaning = { passes?: true; starts?: true };

const meanings: Readonly<Record<CommandEvent['type'], Meaning>> = {
  sent: { passes: true, starts: true },
  'venue-sent': { passes: true, starts: true },
  status: { passes: true, starts: true },
  submitted: { starts: true },
  resent: { passes: true },
  waiting: { passes: true },
  service: {},
  'held-up': {},
  run: {},
  resuming: {},
  quoted: {},
  verified: {},
  checked: {},
  skipped: {},
  signed: {},
  mined: {},
  delegated: {},
  'batch-signed': {},
  'permit-signed': {},
  asking: {},
  'venue-account': {},
  'venue-signed': {},
  'venue-executed': {},
  address: {},
  'address-balance': {},
  superseded: {},
  result: {},
  request: {},
  unreadable: {},
  scene: {},
  ready: {},
  progress: {},
  checking: {},
  'answer-checked': {},
  'config-proposed': {},
  'contracts-proposed': {},
  'case-begun': {},
  'case-again': {},
  'case-ended': {},
  'attack-ended': {},
};

/** Whether the next event replaces this one's line. */
export function passes({ type }: Pick<CommandEvent, 'type'>): boolean {
  return meanings[type].passes === true;
}

/** The timeline after one more event. */
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
  return meanings[event.type].starts === true;
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
