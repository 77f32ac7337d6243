/** Terminal text of runs. */
import * as Address from '../base/Address.js';
import type { RunDocument } from '../history/RunDocument.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalTable from '../text/TerminalTable.js';
import * as TerminalText from '../text/TerminalText.js';

export function formatList(runs: readonly RunDocument[], style: Style): string {
  if (runs.length === 0) return 'No runs.';
  const rows = runs.map(({ run, startedAt, state, funds, network, account, summary, isOwn }) => [
    run,
    startedAt === null ? '-' : style.minute(startedAt),
    paint(state, style)(TerminalText.escape(isOwn || startedAt === null ? state : `${state}, not sealed`)),
    funds,
    TerminalText.escape(network ?? '-'),
    TerminalText.escape(account?.startsWith('0x') ? Address.shorten(account) : (account ?? '-')),
    TerminalText.escape(summary),
  ]);
  const head = ['Run', `Started (${style.zone})`, 'State', 'Funds', 'Network', 'Account', 'Transfer'];
  return TerminalTable.format({ head, rows }, style);
}

export function format(
  run: RunDocument & { entries: readonly { at: number; type: string; details: Readonly<Record<string, unknown>> }[] },
  style: Style,
): string {
  const rows: TerminalTable.Row[] = [
    ['State', paint(run.state, style)(TerminalText.escape(run.state))],
    ['Funds', run.funds],
    ['Journal', run.isOwn ? null : 'not sealed by you: an older ferry wrote it, or somebody else'],
    ['Transfer', TerminalText.escape(run.summary)],
    ['Network', TerminalText.escape(run.network ?? '')],
    ['Account', run.account && TerminalText.escape(run.account)],
    ['Started', run.startedAt === null ? null : style.time(run.startedAt)],
    ['Request', run.requestId && TerminalText.escape(run.requestId)],
    ...run.txHashes.map((hash) => ['Signed', hash] as const),
    ['Command', run.command && TerminalText.escape(run.command)],
    ['Next', run.next && style.command(run.next)],
  ];
  return [
    style.bold(`Run ${run.run}`),
    TerminalTable.rows(rows, style, 2),
    '',
    TerminalText.columns(
      run.entries.map(({ at, type, details }) => [
        `  ${style.dim(style.clock(at))}`,
        type === 'head' ? 'destination block' : type,
        style.dim(TerminalText.escape(gist(details))),
      ]),
    ),
  ].join('\n');
}

function gist(details: Readonly<Record<string, unknown>>): string {
  const found = ['action', 'status', 'steps', 'txHash', 'requestId', 'block', 'summary'].flatMap((key) => {
    const value = details[key];
    return value === undefined ? [] : [Array.isArray(value) ? value.join(', ') : String(value)];
  });
  return found.join(' ');
}

function paint(state: string, style: Style): (text: string) => string {
  if (state === 'success') return style.green;
  return ['unfinished', 'running', 'unreadable'].includes(state) ? style.yellow : style.dim;
}
