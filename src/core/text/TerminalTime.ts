/** Points in time as a person reads them. */
import { span } from './TerminalText.js';

/** How a stream shows times. All take milliseconds since 1970. */
export type Times = {
  /** With seconds: `2026-11-23T13:02:11.000Z`, or `2026-11-23 14:02:11 +01:00, 3 minutes ago`. */
  time(ms: number): string;
  /** For a table, 16 columns: `2026-11-23 13:02`. */
  minute(ms: number): string;
  /** For a list of what happened on a day: `13:02:11.123`. */
  clock(ms: number): string;
  /** What `minute` and `clock` are in. */
  zone: 'UTC' | 'local';
};

/** As they stand in JSON, or a part of that. */
export const utc: Times = {
  time: (ms) => new Date(ms).toISOString(),
  minute: (ms) => new Date(ms).toISOString().slice(0, 16).replace('T', ' '),
  clock: (ms) => new Date(ms).toISOString().slice(11, 23),
  zone: 'UTC',
};

/** How long something took, in whole seconds if it took one: `12 s`, `40 ms`. */
export function elapsed(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1000)} s`;
}

/**
 * As the user's clock shows them, with how long ago that was.
 *
 * @param minutesEast minutes by which the user's clock is ahead of UTC at a time
 */
export function local(now: () => number, minutesEast: (ms: number) => number): Times {
  const shift = (ms: number): number => ms + minutesEast(ms) * 60_000;
  return {
    time(ms) {
      const text = utc.time(shift(ms));
      return `${text.slice(0, 10)} ${text.slice(11, 19)} ${offset(minutesEast(ms))}, ${distance(ms, now())}`;
    },
    minute: (ms) => utc.minute(shift(ms)),
    clock: (ms) => utc.clock(shift(ms)),
    zone: 'local',
  };
}

/** `+05:30`, `-08:00`, `UTC`. */
function offset(minutes: number): string {
  if (minutes === 0) return 'UTC';
  const two = (count: number): string => String(Math.trunc(count)).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(size / 60)}:${two(size % 60)}`;
}

/** `3 minutes ago`, `in 12 hours`, `now`. What has passed is rounded down, what is left as well. */
function distance(ms: number, nowMs: number): string {
  const seconds = Math.trunc(Math.abs(nowMs - ms) / 1000);
  if (seconds === 0) return 'now';
  const text = span(seconds, Math.floor);
  return ms < nowMs ? `${text} ago` : `in ${text}`;
}
