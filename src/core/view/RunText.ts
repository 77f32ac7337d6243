/** Terminal text of runs. */
import type { RunDocument } from '../history/RunDocument.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';

/** Below this width, a run takes two lines. */
const narrow = 80;

/** One line each, newest first; two on a narrow terminal. */
export function formatList(runs: readonly RunDocument[], style: Style): string {
  if (runs.length === 0) return 'No runs.';
  if (style.width < narrow)
    return runs
      .map(({ run, state, funds, summary }) =>
        [
          `${run}  ${paint(state, style)(TerminalText.escape(state))}  ${funds}`,
          `  ${TerminalText.escape(summary)}`,
        ].join('\n'),
      )
      .join('\n');
  return TerminalText.columns([
    ['Run', 'State', 'Funds', 'Transfer'].map(style.dim),
    ...runs.map(({ run, state, funds, summary }) => [
      run,
      paint(state, style)(TerminalText.escape(state)),
      funds,
      TerminalText.escape(summary),
    ]),
  ]);
}

/** One run with its journal. */
export function format(
  run: RunDocument & { entries: readonly { at: number; type: string; details: Readonly<Record<string, unknown>> }[] },
  style: Style,
): string {
  const rows = [
    ['State', paint(run.state, style)(TerminalText.escape(run.state))],
    ['Funds', run.funds],
    ['Transfer', TerminalText.escape(run.summary)],
    ['Network', TerminalText.escape(run.network ?? '')],
    ...(run.requestId ? [['Request', TerminalText.escape(run.requestId)]] : []),
    ...run.txHashes.map((hash) => ['Signed', hash]),
    ...(run.command ? [['Command', TerminalText.escape(run.command)]] : []),
    ...(run.next ? [['Next', style.cyan(run.next)]] : []),
  ];
  return [
    style.bold(`Run ${run.run}`),
    TerminalText.columns(rows.map(([label = '', value = '']) => [`  ${style.dim(label)}`, value])),
    '',
    TerminalText.columns(
      run.entries.map(({ at, type, details }) => [
        `  ${style.dim(new Date(at).toISOString().slice(11, 23))}`,
        type,
        style.dim(TerminalText.escape(gist(details))),
      ]),
    ),
  ].join('\n');
}

/** The most informative details of an entry. */
function gist(details: Readonly<Record<string, unknown>>): string {
  const found = ['action', 'status', 'steps', 'txHash', 'requestId', 'summary'].flatMap((key) => {
    const value = details[key];
    return value === undefined ? [] : [Array.isArray(value) ? value.join(', ') : String(value)];
  });
  return found.join(' ');
}

function paint(state: string, style: Style): (text: string) => string {
  if (state === 'success') return style.green;
  return ['unfinished', 'running', 'unreadable'].includes(state) ? style.yellow : style.dim;
}
