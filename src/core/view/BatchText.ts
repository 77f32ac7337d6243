/** The results of a batch as text: a line each, and what they come to. */
import * as Amount from '../base/Amount.js';
import type * as BatchResult from '../batch/BatchResult.js';
import * as TerminalLine from '../text/TerminalLine.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';

type Valued = { formatted: string; currency: string };

/** `✓ 7  100 alpha/usdc → 99.87 beta/usdc`, or why there is none. */
export function line({ id, ok, data, error }: BatchResult.Result, style: Style): string {
  const name = style.bold(TerminalLine.cut(TerminalText.escape(id), 40));
  if (!ok)
    return `${style.red('✗')} ${name}  ${style.red(error?.code ?? '')}  ${TerminalText.escape(error?.message ?? '')}`;
  const { send, receive, spent, received, minimum } = data as Partial<Record<string, Valued | null>>;
  const [from, to] = [send ?? spent, receive ?? received];
  const route = from ? `  ${valued(from)} → ${to ? valued(to) : minimum ? `at least ${valued(minimum)}` : '?'}` : '';
  return `${style.green('✓')} ${name}${route}`;
}

function valued({ formatted, currency }: Valued): string {
  return `${Amount.shorten(formatted)} ${TerminalText.escape(currency)}`;
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
