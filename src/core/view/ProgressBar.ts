/** How far many like things have come, as a bar. */
import type { Style } from '../text/TerminalStyle.js';

type Happening = { type: string } & Record<string, unknown>;

/**
 * The bar of a `counted` event: done, total, failed, elapsedMs, and what they are. Without a total it is a count.
 * Undefined for other events.
 */
export function format(event: Happening, style: Style): string | undefined {
  if (event.type !== 'counted') return undefined;
  const [done, total, failed, elapsedMs] = [event.done, event.total, event.failed, event.elapsedMs].map(Number);
  const what = typeof event.what === 'string' ? event.what : 'quotes';
  if (!done && !total) return undefined;
  const without = failed ? [style.yellow(`${failed} without`)] : [];
  if (!total || done === undefined) return [`${done} ${what}`, ...without].join(', ');
  // What is left to the counts beside it, and to the spinner before it.
  const room = Math.max(8, Math.min(24, style.width - 50));
  const full = Math.floor((done * room) / total);
  const left = done > 0 && elapsedMs ? Math.ceil((elapsedMs / done) * ((total - done) / 1000)) : 0;
  return [
    `${style.cyan('━'.repeat(full))}${style.dim('─'.repeat(room - full))} ${done} of ${total} ${what}`,
    ...without,
    ...(left > 1 ? [style.dim(`about ${left} s left`)] : []),
  ].join(', ');
}
