/** What stands below the lines of a command while it works: the progress of many similar jobs, as a bar. */
import type { CommandEvent } from '../event/DisplayEvent.js';
import type { Style } from '../text/TerminalStyle.js';

/** `━━━──── 6 of 18 quotes, about 4 s left`; without a total the count alone. Undefined if the event changes nothing. */
export function format(event: CommandEvent, style: Style): string | undefined {
  if (event.type === 'checking') return `Looking at ${event.network} …`;
  if (event.type !== 'progress') return undefined;
  const { what, done, total, failed, elapsedMs } = event;
  if (!done && !total) return undefined;
  const without = failed ? [style.yellow(`${failed} without`)] : [];
  if (!total) return [`${done} ${what}`, ...without].join(', ');
  // The width less the counts beside the bar and the spinner before it.
  const room = Math.max(8, Math.min(24, style.width - 50));
  const full = Math.floor((done * room) / total);
  const left = done > 0 && elapsedMs ? Math.ceil((elapsedMs / done) * ((total - done) / 1000)) : 0;
  return [
    `${style.cyan('━'.repeat(full))}${style.dim('─'.repeat(room - full))} ${done} of ${total} ${what}`,
    ...without,
    ...(left > 1 ? [style.dim(`about ${left} s left`)] : []),
  ].join(', ');
}
