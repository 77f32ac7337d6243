/** The numbers of a worker in the text form of Prometheus. */
import type { Totals } from './BatchStore.js';

/** What a worker has counted since it started. */
export type Counts = {
  fenced: number;
  /** Lines of another worker that this one has finished. */
  takenOver: number;
  refused: number;
  results: { ok: number; failed: number };
  /** How long each line took, in seconds. */
  seconds: { buckets: readonly number[]; sum: number; count: number };
};

export type Now = {
  turns: number;
  /** The accounts that sign nothing since the store lacks what the chain shows. */
  behind: number;
  isDraining: boolean;
};

/** The upper bounds of the buckets of `ferry_line_seconds`. */
const bounds: readonly number[] = [1, 2, 5, 10, 30, 60, 300, 1800];

export const none: Counts = {
  fenced: 0,
  takenOver: 0,
  refused: 0,
  results: { ok: 0, failed: 0 },
  seconds: { buckets: bounds.map(() => 0), sum: 0, count: 0 },
};

export function withLine(counts: Counts, { ok, seconds }: { ok: boolean; seconds: number }): Counts {
  const { buckets, sum, count } = counts.seconds;
  const results = { ...counts.results, [ok ? 'ok' : 'failed']: counts.results[ok ? 'ok' : 'failed'] + 1 };
  const raised = buckets.map((each, index) => each + (seconds <= (bounds[index] ?? 0) ? 1 : 0));
  return { ...counts, results, seconds: { buckets: raised, sum: sum + seconds, count: count + 1 } };
}

export function format(counts: Counts, now: Now, totals: Totals): string {
  const { buckets, sum, count } = counts.seconds;
  const lines = totals.lines.map((row) => [{ batch: row.batch, state: row.state }, row.count] as const);
  return [
    ...family('ferry_lines', 'gauge', 'Lines of each batch by state, in the store.', lines),
    ...family('ferry_oldest_unfinished_seconds', 'gauge', 'Age of the oldest line under way, in the store.', [
      [{}, totals.oldestMs / 1000],
    ]),
    ...family('ferry_results_total', 'counter', 'Results that this worker has written.', [
      [{ ok: 'true' }, counts.results.ok],
      [{ ok: 'false' }, counts.results.failed],
    ]),
    '# HELP ferry_line_seconds How long lines of this worker took.',
    '# TYPE ferry_line_seconds histogram',
    ...buckets.map((each, index) => sample('ferry_line_seconds_bucket', { le: String(bounds[index]) }, each)),
    sample('ferry_line_seconds_bucket', { le: '+Inf' }, count),
    sample('ferry_line_seconds_sum', {}, sum),
    sample('ferry_line_seconds_count', {}, count),
    ...family('ferry_fenced_total', 'counter', 'Lines that another process took over from this worker.', [
      [{}, counts.fenced],
    ]),
    ...family('ferry_resent_total', 'counter', 'Lines that another worker began and this one finished.', [
      [{}, counts.takenOver],
    ]),
    ...family('ferry_refused_total', 'counter', 'Lines and batches that this worker did not take.', [
      [{}, counts.refused],
    ]),
    ...family('ferry_store_behind', 'gauge', 'Accounts that sign nothing: the store lacks what the chain shows.', [
      [{}, now.behind],
    ]),
    ...family('ferry_turns_held', 'gauge', 'Accounts that this worker holds.', [[{}, now.turns]]),
    ...family('ferry_draining', 'gauge', 'Whether this worker takes nothing new.', [[{}, now.isDraining ? 1 : 0]]),
    '',
  ].join('\n');
}

type Labels = Readonly<Record<string, string>>;

function family(name: string, type: string, help: string, samples: readonly (readonly [Labels, number])[]): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(([labels, value]) => sample(name, labels, value)),
  ];
}

function sample(name: string, labels: Labels, value: number): string {
  const inner = Object.entries(labels).map(([key, text]) => `${key}="${escapeLabel(text)}"`);
  return `${name}${inner.length > 0 ? `{${inner.join(',')}}` : ''} ${value}`;
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
