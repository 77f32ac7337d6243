/** What the cases of `ferry smoke` came to, as a table. */

import * as TerminalLine from '../text/TerminalLine.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';
import type { Report, Result } from './SmokeReport.js';
import { formatCheck } from './SmokeReport.js';

/** A row for each case, what was found below it, and the sum. */
export function format(report: Report, style: Style): string {
  const { results } = report;
  // What is left by the other columns.
  const room = Math.max(12, Math.min(40, style.width - 40));
  const names = results.map(({ name }) => TerminalLine.cut(TerminalText.escape(name), room));
  const rows = results.map(({ does, verdict, seconds, failedAttempts }, index) => [
    `${mark(verdict, style)} ${names[index] ?? ''}`,
    does,
    colour(verdict, style)(verdict),
    verdict === 'skipped' ? '' : seconds.toFixed(1),
    verdict === 'skipped' ? '' : String(failedAttempts.length + 1),
  ]);
  const table = TerminalText.columns(
    [['  Case', 'Does', 'Verdict', 'Seconds', 'Attempts'].map(style.dim), ...rows],
    [3, 4],
  );
  const [head = '', ...lines] = table.split('\n');
  const body = lines.flatMap((line, index) => {
    const result = results[index];
    return result ? [line, ...below(result, style)] : [line];
  });
  return [head, ...body, '', sum(report, style)].join('\n');
}

/** `✓ bridge: met in 0.4 s`, while they go on. */
export function resultLine(result: Result, style: Style): string {
  const { name, verdict, seconds } = result;
  return `${mark(verdict, style)} ${TerminalText.escape(name)}: ${colour(verdict, style)(verdict)}${verdict === 'skipped' ? '' : ` in ${seconds.toFixed(1)} s`}`;
}

/** What was expected and found. Of what is as it should be, what was found is enough. */
function below(result: Result, style: Style): string[] {
  const { checks, error, verdict, failedAttempts, run } = result;
  const met = checks.filter((check) => check.met && check.what !== 'outcome');
  const lines = [
    ...(met.length === 0
      ? []
      : [
          met
            .map(({ what, found, expected }) =>
              found === expected ? `${what} ${found}` : `${what} ${found} (${expected})`,
            )
            .join(', '),
        ]),
    ...checks.filter((check) => !check.met).map(formatCheck),
    ...(verdict !== 'error' || !error
      ? []
      : [`${error.code}: ${error.message}`, ...error.facts, ...(error.hint ? [error.hint] : [])]),
    ...failedAttempts.map(
      ({ code }, index) => `attempt ${index + 1}: ${code}, nothing was signed, and it was repeated`,
    ),
    ...(verdict === 'error' && run !== null ? [`run ${run}`] : []),
    ...(verdict === 'error' && error?.next ? [`next: ${error.next}`] : []),
  ];
  const room = Math.max(20, style.width - 4);
  // A word beyond the length of a hash, which no line has room for, is none to be copied.
  return lines
    .flatMap((line) => TerminalLine.fold(TerminalText.escape(line), room))
    .map((line) => TerminalLine.cut(line, Math.max(room, 66)))
    .map((line) => `    ${verdict === 'met' ? style.dim(line) : line}`);
}

function sum({ met, unmet, errors, skipped, budget, seconds }: Report, style: Style): string {
  const counts = [
    `${met} met`,
    ...(unmet > 0 ? [style.red(`${unmet} unmet`)] : []),
    ...(errors > 0 ? [style.red(`${errors} ${errors === 1 ? 'error' : 'errors'}`)] : []),
    ...(skipped > 0 ? [style.yellow(`${skipped} skipped`)] : []),
  ].join(', ');
  const spent = budget.spent.tokens.map(({ currency, amount }) => `${amount} ${currency}`);
  return `${style.bold(counts)} in ${seconds.toFixed(1)} s. ${spent.length > 0 ? `Sent: ${spent.join(', ')}.` : 'Nothing was sent.'}`;
}

function mark(verdict: Result['verdict'], style: Style): string {
  return colour(verdict, style)({ met: '✓', unmet: '✗', error: '✗', skipped: '·' }[verdict]);
}

function colour(verdict: Result['verdict'], style: Style): (text: string) => string {
  if (verdict === 'met') return style.green;
  return verdict === 'skipped' ? style.dim : style.red;
}
