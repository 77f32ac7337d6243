/** The page of a worker, for a browser: batches, workers and lines that need somebody. It is read, and does nothing. */
import * as UnsafeCharacters from '../text/UnsafeCharacters.js';
import type { Batch, BatchStatus, StuckLine, WorkerRow } from './BatchStore.js';

export type Page = { status: number; type: string; body: string };

export type PageServer = { url: string; close(): Promise<void> };

export type Shown = {
  worker: string;
  version: string;
  network: string;
  nowMs: number;
  batches: readonly (Batch & { states: BatchStatus['states'] })[];
  workers: readonly WorkerRow[];
  stuck: readonly StuckLine[];
};

/** Longer than this, and a worker that says nothing is shown as silent. */
const silentMs = 20_000;

const style = `body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#1b1f24;background:#fff}
h1{font-size:1.3rem}h2{font-size:1.05rem;margin-top:2rem}div{overflow-x:auto}table{border-collapse:collapse;width:100%}code{white-space:nowrap}.w{min-width:16rem}
th,td{text-align:left;padding:.3rem .8rem .3rem 0;border-bottom:1px solid #d8dee4;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}code{font-size:.9em}.bad{color:#b3261e}.none{color:#59636e}
@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}th,td{border-color:#30363d}.bad{color:#ff8a80}.none{color:#9198a1}}`;

export function format({ worker, version, network, nowMs, batches, workers, stuck }: Shown): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="5"><title>ferry: batches on ${toHtml(network)}</title><style>${style}</style></head><body>
<h1>Batches on ${toHtml(network)}</h1>
${table(
  ['Batch', 'State', '#Lines', '#Waiting', '#Running', '#Done', '#Failed', '#Stuck', 'Submitted by'],
  batches.map(({ name, state, lines, states, submitter }) => [
    toHtml(name),
    toHtml(state),
    ...[lines, states.waiting, states.running, states.done].map(count),
    count((states.failed ?? 0) + (states.cancelled ?? 0)),
    count((states.stuck ?? 0) + (states.refused ?? 0)),
    `<code>${toHtml(submitter)}</code>`,
  ]),
  'No batch. Submit one with ferry batch submit.',
)}
<h2>Lines that need time or somebody</h2>
${table(
  ['Batch', 'Line', 'Account', '~Why', 'Next'],
  stuck.map(({ batch, id, account, state, message, next }) => [
    toHtml(batch),
    toHtml(id),
    `<code>${toHtml(account)}</code>`,
    `<span${state === 'refused' ? ' class="bad"' : ''}>${toHtml(message)}</span>`,
    next === null ? '' : `<code>${toHtml(next)}</code>`,
  ]),
  'None.',
)}
<h2>Workers</h2>
${table(
  ['Worker', 'Version', 'Accounts', 'Seen', 'Does not take'],
  workers.map(({ id, version: of, accounts, seenAt, isDraining, refuses }) => [
    toHtml(id),
    toHtml(of),
    accounts.map((each) => `<code>${toHtml(each)}</code>`).join('<br>'),
    nowMs - seenAt > silentMs
      ? `<span class="bad">silent for ${Math.round((nowMs - seenAt) / 1000)} s</span>`
      : isDraining
        ? 'draining'
        : 'now',
    Object.entries(refuses)
      .map(([batch, why]) => `${toHtml(batch)}: ${toHtml(why)}`)
      .join('<br>'),
  ]),
  'No worker runs.',
)}
<p class="none">ferry ${toHtml(version)}, worker ${toHtml(worker)}. This page only shows; commands change.</p>
</body></html>
`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[], none: string): string {
  if (rows.length === 0) return `<p class="none">${toHtml(none)}</p>`;
  // Numbers are to the right, and sentences need room.
  const classes: Readonly<Record<string, string>> = { '#': ' class="n"', '~': ' class="w"' };
  const kinds = heads.map((head) => classes[head.charAt(0)] ?? '');
  const head = heads.map((each, index) => `<th${kinds[index]}>${toHtml(each.replace(/^[#~]/, ''))}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((cell, index) => `<td${kinds[index]}>${cell}</td>`).join('')}</tr>`);
  return `<div><table><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>`;
}

function count(value: number | undefined): string {
  return String(value ?? 0);
}

/** Text as text: what is in the database was written by others. */
function toHtml(text: string): string {
  return UnsafeCharacters.escape(text).replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);
}
