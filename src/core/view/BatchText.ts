/** The results of a batch as text: a line each, and what they come to. */
import * as z from 'zod/mini';
import * as Amount from '../base/Amount.js';
import type * as BatchResult from '../batch/BatchResult.js';
import type { Of } from '../event/Event.js';
import * as TerminalLine from '../text/TerminalLine.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';

const valued = z.object({ formatted: z.string(), currency: z.string() });
const side = z.catch(z.nullish(valued), undefined);

/** The amounts of a quote or an outcome. `--fields` may have removed any of them. */
const amounts = z.object({ send: side, receive: side, spent: side, received: side, minimum: side });

/** `✓ 7  100 alpha/usdc → 99.87 beta/usdc`, or the error. */
export function line(
  { id, ok, data, error }: Pick<Of<'result'>, 'id' | 'ok' | 'data' | 'error'>,
  style: Style,
): string {
  const name = style.bold(TerminalLine.cut(TerminalText.escape(id), 40));
  if (!ok)
    return `${style.red('✗')} ${name}  ${style.red(error?.code ?? '')}  ${TerminalText.escape(error?.message ?? '')}`;
  return `${style.green('✓')} ${name}${route(data, style)}`;
}

function route(data: unknown, style: Style): string {
  const read = z.safeParse(amounts, data);
  if (!read.success) return '';
  const { send, receive, spent, received, minimum } = read.data;
  const [from, to] = [send ?? spent, receive ?? received];
  if (!from) return '';
  return `  ${format(from, style)} → ${to ? format(to, style) : minimum ? `at least ${format(minimum, style)}` : '?'}`;
}

function format({ formatted, currency }: z.output<typeof valued>, style: Style): string {
  return `${style.number(Amount.shorten(formatted))} ${TerminalText.escape(currency)}`;
}

/** How many there were, and where their results are. */
export function totals({ out, succeeded, failed, before, seconds }: BatchResult.Totals, style: Style): string {
  const earlier = before.succeeded + before.failed;
  const counts = [
    style.green(`${succeeded} succeeded`),
    ...(failed > 0 ? [style.red(`${failed} failed`)] : []),
    ...(earlier > 0
      ? [style.dim(`${earlier} before${before.failed > 0 ? `, ${before.failed} of them failed` : ''}`)]
      : []),
  ];
  return [
    `${counts.join(', ')} ${style.dim(`in ${seconds.toFixed(1)} s`)}`,
    ...(out === null ? [] : [`Their results are in ${TerminalText.escape(out)}.`]),
  ].join('\n');
}
